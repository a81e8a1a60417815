import gc

import pytest
from django.apps import apps


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
