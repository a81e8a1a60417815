from datetime import timedelta
from importlib import import_module

import pytest
from django.apps import apps
from django.contrib.auth import SESSION_KEY
from django.contrib.sessions.backends.base import UpdateError
from django.contrib.sessions.backends.db import SessionStore as Before
from django.contrib.sessions.middleware import SessionMiddleware
from django.contrib.sessions.models import Session
from django.http import HttpResponse
from django.test import Client, RequestFactory
from django.utils import timezone

from memory import tasks
from personas.models import SignIn, User
from personas.sign_ins import SessionStore
from tests.support.factories import UserFactory

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


@pytest.mark.django_db(transaction=True)
def test_who_signs_in_while_their_account_is_erased_is_signed_out():
    mara = UserFactory(username="mara")
    kept = SessionStore()
    kept[SESSION_KEY] = str(mara.pk)
    kept.create()
    User.objects.filter(pk=mara.pk).delete()
    store = SessionStore()
    store[SESSION_KEY] = str(mara.pk)

    for one in (store, kept):
        one.save()

    assert SESSION_KEY not in store
    assert SESSION_KEY not in kept
    assert set(SignIn.objects.values_list("session_key", "user")) == {
        (store.session_key, None),
        (kept.session_key, None),
    }


@pytest.mark.django_db(transaction=True)
def test_a_page_that_is_on_its_way_while_its_account_is_erased_signs_out(client):
    mara = UserFactory(username="mara")
    client.force_login(mara)

    def erases(request):
        request.session["seen"] = True
        User.objects.filter(pk=mara.pk).delete()
        return HttpResponse("Seen.")

    request = RequestFactory().get("/", headers={"cookie": f"sessionid={client.session.session_key}"})
    answered = SessionMiddleware(erases)(request)

    assert (answered.status_code, answered.content) == (200, b"Seen.")
    client.cookies = answered.cookies
    assert client.get("/settings/").status_code == 302


def test_a_sign_in_that_was_ended_elsewhere_is_not_stored_anew():
    mara = UserFactory(username="mara")
    ended = SessionStore()
    ended[SESSION_KEY] = str(mara.pk)
    ended.create()
    SignIn.objects.all().delete()

    with pytest.raises(UpdateError):
        ended.save()
    assert not SignIn.objects.exists()
