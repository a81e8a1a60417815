import pytest
from allauth.account.models import EmailAddress
from django.test import Client

from personas.models import Bond, Persona, User
from tests.support.factories import PASSWORD, BondFactory, UserFactory
from tests.support.rest import NOT_FOUND, NOT_SIGNED_IN, answered, api, refusal

pytestmark = pytest.mark.django_db


@pytest.fixture
def bond():
    return BondFactory(user__username="mara", persona__name="Marian 小")


def erase(client, path, **body):
    return answered(client.delete(f"/api/{path}", body))


def test_a_bond_is_erased_when_the_name_is_typed(bond):
    client = api(bond.user)

    assert erase(client, f"bonds/{bond.pk}/", confirm=" Marian 小 ") == (204, None)
    assert answered(client.get(f"/api/bonds/{bond.pk}/")) == NOT_FOUND
    assert Bond.objects.count() == 0


NAME = "This is not the name of the companion."


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ({"confirm": "marian 小"}, refusal("invalid", NAME, {"confirm": [NAME]})),
        (
            {"confirm": ""},
            refusal("invalid", "confirm: This field may not be blank.", {"confirm": ["This field may not be blank."]}),
        ),
        ({}, refusal("invalid", "confirm: This field is required.", {"confirm": ["This field is required."]})),
    ],
)
def test_a_bond_is_not_erased_by_mistake(body, expected, bond):
    assert erase(api(bond.user), f"bonds/{bond.pk}/", **body) == (400, expected)
    assert list(Bond.objects.all()) == [bond]


def test_charlie_erases_nothing_of_others(bond):
    charlie = api(UserFactory(username="charlie"))

    assert erase(charlie, f"bonds/{bond.pk}/", confirm=bond.persona.name) == NOT_FOUND
    assert list(Bond.objects.all()) == [bond]


def test_an_account_is_erased_with_its_password(bond):
    EmailAddress.objects.create(user=bond.user, email="mara@example.org")
    here, there = api(bond.user), api(bond.user)

    assert erase(here, "me/", password=PASSWORD) == (204, None)
    assert (User.objects.count(), Bond.objects.count(), Persona.objects.count()) == (0, 0, 0)
    assert answered(there.get("/api/me/"))[0] == 401


def test_an_account_is_erased_from_a_page_too(bond):
    client = Client()
    client.force_login(bond.user)

    response = client.delete("/api/me/", {"password": PASSWORD}, content_type="application/json")

    assert response.status_code == 204
    assert answered(client.get("/api/me/")) == NOT_SIGNED_IN
    assert User.objects.count() == 0


WRONG = "The password is wrong."


def test_an_account_is_not_erased_without_its_password(bond):
    client = api(bond.user)

    assert erase(client, "me/", password="wrong") == (400, refusal("invalid", WRONG, {"password": [WRONG]}))
    assert erase(client, "me/")[0] == 400
    assert list(User.objects.all()) == [bond.user]


def test_passwords_are_not_guessed_here_either(bond, settings):
    settings.ACCOUNT_RATE_LIMITS = {"login_failed": "2/5m/key"}
    client = api(bond.user)

    tries = [erase(client, "me/", password="wrong")[0] for _ in range(2)]

    assert tries == [400, 400]
    assert erase(client, "me/", password=PASSWORD) == (
        429,
        refusal("rate_limited", "Too many wrong passwords; wait a few minutes."),
    )
    assert list(User.objects.all()) == [bond.user]
