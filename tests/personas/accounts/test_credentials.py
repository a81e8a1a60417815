from datetime import timedelta

import pytest
from django.test import Client
from knox.models import AuthToken

from personas.accounts import authentication
from personas.accounts.credentials import Credential
from tests.support.factories import NOW, UserFactory

pytestmark = pytest.mark.django_db
LASTS = timedelta(days=90)


@pytest.fixture
def mara():
    return UserFactory(username="mara")


@pytest.fixture
def by_page(mara):
    client = Client()
    client.force_login(mara)
    return client, Credential(mara.pk, session_key=client.session.session_key)


@pytest.fixture
def by_token(mara):
    authentication.issue_token(mara, now=NOW)
    return Credential(mara.pk, token=AuthToken.objects.get().pk)


def test_a_sign_in_and_a_token_let_in_their_user(mara, by_page, by_token):
    _, page = by_page

    assert [credential.find_holder(NOW) for credential in (page, by_token, Credential(mara.pk))] == [mara] * 3


def test_who_may_no_longer_sign_in_is_let_in_by_none(mara, by_page, by_token):
    _, page = by_page
    mara.is_active = False
    mara.save()

    assert [credential.find_holder(NOW) for credential in (page, by_token, Credential(mara.pk))] == [None] * 3


def test_an_erased_account_is_let_in_by_none(mara, by_page, by_token):
    _, page = by_page
    credentials = (page, by_token, Credential(mara.pk))
    mara.delete()

    assert [credential.find_holder(NOW) for credential in credentials] == [None] * 3


def test_a_sign_in_ends_with_the_sign_out(by_page):
    client, page = by_page
    client.post("/accounts/logout/")

    assert page.find_holder(NOW) is None


def test_a_sign_in_ends_where_the_password_was_changed_elsewhere(mara, by_page):
    _, page = by_page
    mara.set_password("another kettle sings")
    mara.save()

    assert page.find_holder(NOW) is None


def test_a_token_ends_when_it_is_revoked(by_token):
    AuthToken.objects.all().delete()

    assert by_token.find_holder(NOW) is None


def test_a_token_ends_when_its_time_is_over(by_token):
    expiry = AuthToken.objects.get().expiry

    assert by_token.find_holder(expiry - timedelta(seconds=1)) is not None
    assert by_token.find_holder(expiry) is None


def test_a_token_lets_in_nobody_but_its_own_user(by_token):
    charlie = UserFactory(username="charlie")

    assert Credential(charlie.pk, token=by_token.token).find_holder(NOW) is None
    assert Credential(charlie.pk, session_key="nothing").find_holder(NOW) is None
