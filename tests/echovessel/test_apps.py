import gc
import os
import subprocess
import sys

import pytest
from django.apps import apps
from django.conf import settings


@pytest.fixture
def at_rest():
    """The collector, at rest as while a process starts."""
    gc.disable()
    yield
    gc.enable()


def test_the_collector_works_again_once_all_apps_are_ready(at_rest):
    frozen = gc.get_freeze_count()
    loaded = [[] for _ in range(1000)]

    apps.get_app_config("echovessel").ready()

    assert gc.isenabled()
    assert gc.get_freeze_count() >= frozen + len(loaded)


@pytest.mark.parametrize("first", ["django", "memory.admin"])
def test_the_admin_loads_its_sections_when_they_are_asked_for(first):
    asked = f"""
import sys
import django
django.setup()
assert "personas.admin" not in sys.modules
import {first}
from django.contrib import admin
from memory.models import Message
from personas.models import User
assert admin.site.is_registered(User) and admin.site.is_registered(Message)
"""
    environment = {**os.environ, "DJANGO_SETTINGS_MODULE": "echovessel.settings"}
    subprocess.run([sys.executable, "-c", asked], env=environment, check=True, cwd=settings.BASE_DIR)
