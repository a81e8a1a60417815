import pytest
from allauth.account.forms import default_token_generator
from allauth.account.utils import user_pk_to_url_str
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from knox.models import AuthToken

from personas.accounts import credentials
from personas.accounts.credentials import Credential
from tests.support.factories import PASSWORD, UserFactory
from tests.support.rest import api

pytestmark = pytest.mark.django_db
NEW = "a red kettle sings"


@pytest.fixture
def mara():
    return UserFactory(username="mara")


def signed_in(user):
    client = Client()
    client.force_login(user)
    return client


def change(client, **more):
    form = {"oldpassword": PASSWORD, "password1": NEW, "password2": NEW} | more
    return client.post(reverse("account_change_password"), form)


def test_the_page_offers_to_end_the_tokens_and_has_it_checked(mara):
    page = signed_in(mara).get(reverse("account_change_password"))

    assert page.context["form"]["end_tokens"].value() is True
    assert 'name="end_tokens"' in page.content.decode()


@pytest.mark.parametrize(("more", "left"), [({"end_tokens": "on"}, 0), ({}, 1)])
def test_tokens_end_with_a_changed_password_unless_one_keeps_them(more, left, mara):
    program, stranger = api(mara), api(UserFactory(username="lin"))
    token = Credential(mara.pk, token=AuthToken.objects.get(user=mara).pk)

    change(signed_in(mara), **more)

    assert AuthToken.objects.filter(user=mara).count() == left
    assert program.get("/api/me/").status_code == (200 if left else 401)
    assert bool(token.find_holder(timezone.now())) is bool(left)
    assert stranger.get("/api/me/").status_code == 200


def test_all_other_sign_ins_end_with_a_changed_password_and_their_sockets(mara):
    here, elsewhere = signed_in(mara), signed_in(mara)
    socket = Credential(mara.pk, session_key=elsewhere.session.session_key)

    change(here)

    assert here.get("/api/me/").status_code == 200
    assert elsewhere.get("/api/me/").status_code == 401
    assert socket.find_holder(timezone.now()) is None
    assert credentials.find_session_user(here.session.session_key) == mara


def test_a_wrong_password_ends_nothing(mara):
    api(mara)

    change(signed_in(mara), oldpassword="wrong", end_tokens="on")

    assert AuthToken.objects.filter(user=mara).count() == 1


def test_a_password_that_is_reset_ends_all_tokens(mara):
    api(mara)
    client = Client()
    key = default_token_generator.make_token(mara)
    url = reverse("account_reset_password_from_key", args=[user_pk_to_url_str(mara), key])
    form_at = client.get(url)["Location"]

    client.post(form_at, {"password1": NEW, "password2": NEW})

    mara.refresh_from_db()
    assert (mara.check_password(NEW), AuthToken.objects.filter(user=mara).count()) == (True, 0)


def test_a_password_that_an_operator_sets_ends_all_tokens(mara):
    api(mara)
    operator = UserFactory(is_staff=True, is_superuser=True)

    signed_in(operator).post(
        f"/admin/personas/user/{mara.pk}/password/", {"password1": NEW, "password2": NEW, "usable_password": "true"}
    )

    mara.refresh_from_db()
    assert (mara.check_password(NEW), AuthToken.objects.filter(user=mara).count()) == (True, 0)
