import pytest
import time_machine

from personas.authored import openings
from tests.support.factories import NOW, PersonaFactory, UserFactory
from tests.support.rest import NOT_FOUND, answered, api

pytestmark = pytest.mark.django_db
EMPTY = {"greetings": [], "starters": [], "version": 0, "updated_at": None, "updated_by": None}
AT = "2026-11-21T20:00:00Z"


@pytest.fixture
def mara():
    return UserFactory(username="mara")


@pytest.fixture
def persona(mara):
    return PersonaFactory(owner=mara)


def path(persona, more=""):
    return f"/api/personas/{persona.pk}/opening/{more}"


def test_an_opening_is_read_written_and_restored(mara, persona):
    client = api(mara)
    assert answered(client.get(path(persona))) == (200, EMPTY)

    with time_machine.travel(NOW, tick=False):
        first = answered(client.put(path(persona), {"greetings": ["Hi."], "starters": ["And you?"]}, format="json"))
        second = answered(client.put(path(persona), {"greetings": ["Come in."]}, format="json"))
        earlier = answered(client.get(path(persona, "revisions/")))
        restored = answered(client.post(path(persona, "revisions/1/restore/")))

    by = {"updated_at": AT, "updated_by": mara.pk}
    assert first == (200, {"greetings": ["Hi."], "starters": ["And you?"], "version": 1, **by})
    assert second == (200, {"greetings": ["Come in."], "starters": [], "version": 2, **by})
    assert earlier[1]["results"] == [
        {"n": 1, "greetings": ["Hi."], "starters": ["And you?"], "saved_at": AT, "saved_by": mara.pk}
    ]
    assert restored == (200, {"greetings": ["Hi."], "starters": ["And you?"], "version": 3, **by})


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"greetings": ["x" * 2001]}, "greetings"),
        ({"greetings": ["x"] * 11}, "greetings"),
        ({"greetings": [" "]}, "greetings"),
        ({"greetings": "Hi."}, "greetings"),
        ({"greetings": [["Hi."]]}, "greetings"),
        ({"greetings": None}, "greetings"),
        ({}, "greetings"),
        ({"greetings": [], "starters": ["x" * 201]}, "starters"),
        ({"greetings": [], "starters": ["x"] * 7}, "starters"),
        ({"greetings": [], "starters": ["two\nlines"]}, "starters"),
        ({"greetings": [], "hello": 1}, "hello"),
    ],
)
def test_what_an_opening_cannot_be_is_refused_by_its_field(body, field, mara, persona):
    status, answer = answered(api(mara).put(path(persona), body, format="json"))

    assert (status, {name.split(".")[0] for name in answer["fields"]}) == (400, {field})


def test_ten_greetings_of_2000_characters_are_taken(mara, persona):
    body = {"greetings": ["x" * 2000] * 10, "starters": ["y" * 200] * 6}

    assert answered(api(mara).put(path(persona), body, format="json"))[0] == 200


def test_who_shares_a_companion_keeps_its_opening_to_themselves(mara, persona):
    persona.visibility = "shared"
    persona.save()
    openings.save(persona=persona, greetings=["Hi."], starters=[], user=mara, now=NOW)

    assert answered(api(UserFactory(username="charlie")).get(path(persona))) == NOT_FOUND
