from datetime import timedelta

import pytest

from tests.support.factories import NOW, BondFactory, PersonaFactory, SessionFactory, UserFactory
from tests.support.rest import NOT_FOUND, answered, api
from tests.support.ticks import ended

pytestmark = pytest.mark.django_db


@pytest.fixture
def bond():
    return BondFactory(user__username="mara")


def path(bond):
    return f"/api/bonds/{bond.pk}/memory/slow-ticks/"


def test_a_run_is_shown_whole(bond):
    talk = SessionFactory(bond=bond, status="closed")
    run = ended(
        bond,
        outcome="done",
        session=talk,
        trigger="shock",
        prompt="<events>",
        answer='{"thoughts": []}',
        questions=["Why?"],
        notes="thoughts 0 dropped",
        tokens_in=900,
        tokens_out=70,
    )

    assert answered(api(bond.user).get(path(bond))) == (
        200,
        {
            "next": None,
            "previous": None,
            "results": [
                {
                    "id": run.pk,
                    "at": "2026-11-21T20:00:00Z",
                    "session": talk.pk,
                    "trigger": "shock",
                    "outcome": "done",
                    "input": "<events>",
                    "output": '{"thoughts": []}',
                    "questions": ["Why?"],
                    "notes": "thoughts 0 dropped",
                    "error": None,
                    "tokens_in": 900,
                    "tokens_out": 70,
                }
            ],
        },
    )


def test_what_the_owner_of_a_shared_companion_wrote_is_left_out():
    bond = BondFactory(persona=PersonaFactory(owner=UserFactory(), visibility="shared"))
    ended(bond, prompt="<who_you_are>\nA spy,\nin secret.\n</who_you_are> <events>")

    [run] = api(bond.user).get(path(bond)).json()["results"]

    assert run["input"] == "<who_you_are></who_you_are> <events>"


def test_a_run_that_failed_or_is_on_says_so(bond):
    ended(bond, outcome="failed", error="The model server cannot be reached.")
    ended(bond, outcome="running", at=NOW + timedelta(minutes=1), finished_at=None)

    rows = api(bond.user).get(path(bond)).json()["results"]

    assert [(row["outcome"], row["error"], row["input"], row["output"], row["notes"]) for row in rows] == [
        ("running", None, None, None, None),
        ("failed", "The model server cannot be reached.", None, None, None),
    ]


@pytest.mark.parametrize("count", [1, 3])
def test_the_list_costs_the_same_for_many(count, bond, django_assert_num_queries):
    for minutes in reversed(range(count)):
        ended(bond, at=NOW - timedelta(minutes=minutes))
    client = api(bond.user)

    # The token, the bond, the runs.
    with django_assert_num_queries(3):
        rows = client.get(path(bond)).json()["results"]
    assert [row["at"] for row in rows] == sorted((row["at"] for row in rows), reverse=True)
    assert len(rows) == count


def test_a_stranger_finds_nothing(bond):
    ended(bond)
    charlie = BondFactory(user=UserFactory(username="charlie"))

    assert answered(api(charlie.user).get(path(bond))) == NOT_FOUND
    assert api(charlie.user).get(path(charlie)).json()["results"] == []
