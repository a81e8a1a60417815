from datetime import timedelta

import pytest
import time_machine
from knox.models import AuthToken
from rest_framework.test import APIClient

from personas.accounts import authentication, token_authentication
from personas.models import ApiToken
from tests.support.factories import NOW, UserFactory
from tests.support.rest import NOT_FOUND, NOT_SIGNED_IN, answered, api, refusal

pytestmark = pytest.mark.django_db

PATH = "/api/auth/tokens/"


@pytest.fixture
def mara():
    return UserFactory(username="mara")


@pytest.fixture
def page(mara):
    """A client with the cookie of a page."""
    client = APIClient()
    client.force_login(mara)
    return client


def test_a_token_is_made_told_once_listed_and_revoked(page):
    made = page.post(PATH, {"name": "diary", "days": 30}, format="json")
    body = made.json()

    assert (made.status_code, sorted(body)) == (
        201,
        ["created_at", "expiry", "id", "name", "start", "token", "used_at"],
    )
    assert (body["name"], body["used_at"], body["token"].startswith(body["start"])) == ("diary", None, True)
    listed = page.get(PATH).json()["results"]
    assert listed == [{name: value for name, value in body.items() if name != "token"}]

    program = APIClient()
    program.credentials(HTTP_AUTHORIZATION=f"Token {body['token']}")
    assert program.get("/api/me/").status_code == 200
    assert page.get(PATH).json()["results"][0]["used_at"] is not None
    assert page.delete(f"{PATH}{body['id']}/").status_code == 204
    assert program.get("/api/me/").status_code == 401


def test_a_life_of_null_has_no_end(page):
    assert page.post(PATH, {"name": "for good", "days": None}, format="json").json()["expiry"] is None


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"days": 7}, "name"),
        ({"name": "", "days": 7}, "name"),
        ({"name": "x" * 81, "days": 7}, "name"),
        ({"name": "x"}, "days"),
        ({"name": "x", "days": 0}, "days"),
        ({"name": "x", "days": 3651}, "days"),
        ({"name": "x", "days": 7, "user": 1}, "user"),
    ],
    ids=str,
)
def test_what_makes_no_token_is_refused_by_field(page, body, field):
    refused = page.post(PATH, body, format="json")

    assert (refused.status_code, list(refused.json()["fields"])) == (400, [field])
    assert not ApiToken.objects.exists()


@pytest.mark.parametrize("days", [1, 3650])
def test_the_shortest_and_the_longest_life_are_taken(page, days):
    assert page.post(PATH, {"name": "x", "days": days}, format="json").status_code == 201


def test_a_token_makes_no_token(mara):
    refused = api(mara).post(PATH, {"name": "x", "days": 7}, format="json")

    assert answered(refused) == (403, refusal("forbidden", "A token cannot make tokens; sign in on the pages."))


def test_there_are_so_many_at_most(page, mara, settings):
    settings.REST_KNOX = settings.REST_KNOX | {"TOKEN_LIMIT_PER_USER": 1}
    authentication.issue_token(mara, now=NOW, life=None)

    assert page.post(PATH, {"name": "x", "days": 7}, format="json").status_code == 409


def test_charlie_sees_and_revokes_no_token_of_mara(page, mara):
    page.post(PATH, {"name": "diary", "days": 30}, format="json")
    row = ApiToken.objects.get()
    charlie = APIClient()
    assert answered(charlie.get(PATH)) == NOT_SIGNED_IN
    charlie.force_login(UserFactory(username="charlie"))

    assert charlie.get(PATH).json()["results"] == []
    assert answered(charlie.delete(f"{PATH}{row.pk}/")) == NOT_FOUND
    assert AuthToken.objects.count() == 1


@pytest.mark.parametrize(
    ("seconds", "is_recorded"), [(0, False), (1, False), (59.999, False), (60, True), (-1, True)], ids=str
)
def test_a_use_is_recorded_once_a_minute_at_any_second_of_the_clock(seconds, is_recorded):
    used = token_authentication.UsedTokens()
    first = NOW.replace(second=59)
    assert (used.add("a", first), used.add("b", first)) == (True, True)

    assert used.add("a", first + timedelta(seconds=seconds)) is is_recorded


def test_what_was_recorded_a_minute_ago_is_kept_no_longer():
    used = token_authentication.UsedTokens()
    used.add("a", NOW)

    used.add("b", NOW + timedelta(minutes=1))

    assert list(used.recorded_at) == ["b"]


@pytest.mark.parametrize(
    ("seconds", "told"), [(25, [(200, 3), (200, 3)]), (31, [(200, 3), (401, 1)]), (60, [(200, 1), (401, 1)])], ids=str
)
def test_an_ended_token_is_refused_at_once_and_others_that_ended_go_once_a_minute(mara, seconds, told):
    with time_machine.travel(NOW, tick=False) as clock:
        program, short = api(mara), APIClient()
        short_token, row = authentication.issue_token(mara, now=NOW, life=timedelta(seconds=30))
        short.credentials(HTTP_AUTHORIZATION=f"Token {short_token}")
        token_authentication.recorded.add(row.token_id, NOW)
        authentication.issue_token(mara, now=NOW, life=timedelta(seconds=20))
        clock.move_to(NOW + timedelta(seconds=seconds))

        answers = [(client.get("/api/me/").status_code, AuthToken.objects.count()) for client in (program, short)]

    assert answers == told
