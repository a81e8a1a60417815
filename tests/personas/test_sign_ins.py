from datetime import timedelta
from importlib import import_module

import pytest
from django.apps import apps
from django.contrib.sessions.backends.db import SessionStore as Before
from django.contrib.sessions.models import Session
from django.test import Client
from django.utils import timezone

from memory import tasks
from personas.models import SignIn
from personas.sign_ins import SessionStore
from tests.factories import UserFactory

pytestmark = pytest.mark.django_db


def test_sign_in_says_whose_it_is():
    mara, browser = UserFactory(username="mara"), Client()
    browser.force_login(mara)
    nobody = SessionStore()
    nobody["seen"] = True
    nobody.create()

    assert set(SignIn.objects.values_list("session_key", "user")) == {
        (browser.session.session_key, mara.pk),
        (nobody.session_key, None),
    }


def test_sign_ins_from_before_go_on():
    mara = UserFactory(username="mara")
    browser = Client()
    browser.force_login(mara)
    kept = dict(browser.session.items())
    gone = kept | {"_auth_user_id": str(mara.pk + 1)}
    for key, held in {browser.session.session_key: kept, "gone": gone, "nobody": {"seen": True}}.items():
        data = Before().encode(held)
        Session.objects.create(session_key=key, session_data=data, expire_date=timezone.now() + timedelta(days=1))
    SignIn.objects.all().delete()

    import_module("personas.migrations.0006_move_sign_ins").move(apps, None)

    assert browser.get("/settings/").status_code == 200
    assert dict(SignIn.objects.values_list("session_key", "user")) == {
        browser.session.session_key: mara.pk,
        "nobody": None,
    }
    assert not Session.objects.exists()


def test_sign_ins_that_have_run_out_are_taken_in_the_night():
    for username in ("mara", "lin"):
        Client().force_login(UserFactory(username=username))
    SignIn.objects.filter(user__username="mara").update(expire_date=timezone.now() - timedelta(seconds=1))

    tasks.clear_sign_ins()

    assert list(SignIn.objects.values_list("user__username", flat=True)) == ["lin"]
