from datetime import date, timedelta
from uuid import uuid4

import pytest

from memory.models import ConceptNode, FactWrite
from memory.recall import prompt_memory
from memory.recall.prompt_memory import PromptMemory
from tests.support import doubts, facts
from tests.support.factories import NOW, BondFactory, MessageFactory, SessionFactory
from tests.support.recalling import node

pytestmark = pytest.mark.django_db


@pytest.fixture
def bond():
    return BondFactory(user__username="mara")


def load(bond):
    return prompt_memory.load(bond=bond, now=NOW, loaded_at=NOW, turn_id=uuid4())


def test_always_loads_own_thoughts_weighty_thoughts_and_what_is_open(bond):
    own = [node(bond, type="thought", subject="persona", created_at=NOW - timedelta(days=day)) for day in range(7)]
    heavy = node(bond, type="thought", emotional_impact=-9, created_at=NOW - timedelta(days=14))
    light = [node(bond, type="thought", emotional_impact=day + 1) for day in range(5)]
    shared = node(bond, type="thought", subject="shared", emotional_impact=8)
    promise = node(bond, type="intention", subject="persona", created_at=NOW - timedelta(days=300))
    expected = node(bond, type="expectation", created_at=NOW - timedelta(days=300))
    for state in ("kept", "broken", "cancelled", "expired"):
        node(bond, type="intention", state=state)
    for state in ("fulfilled", "missed", "expired"):
        node(bond, type="expectation", state=state)
    node(bond, type="thought", subject="persona", deleted_at=NOW)
    node(bond, type="event", subject="persona", emotional_impact=10)

    loaded = load(bond)

    assert loaded == PromptMemory(
        own_thoughts=own[:5],
        user_thoughts=[shared, light[4], heavy, light[3], light[2]],
        intentions=[promise],
        expectations=[expected],
    )


def test_own_thoughts_and_promises_are_found_however_many_came_since(bond):
    own = node(bond, type="thought", subject="persona", created_at=NOW - timedelta(days=900))
    promise = node(bond, type="intention", subject="persona", created_at=NOW - timedelta(days=900))
    for _ in range(7):
        node(bond, type="thought")

    loaded = load(bond)

    assert (loaded.own_thoughts, loaded.intentions) == ([own], [promise])


def test_the_ten_promises_next_to_now_are_loaded(bond):
    def due(days, **more):
        day = (NOW + timedelta(days=days)).date()
        return node(bond, type="intention", event_time_end=day, created_at=NOW - timedelta(days=50), **more)

    near = [due(days) for days in (-4, -3, -2, -1, 0, 1, 2, 3, 4)]
    undated = node(bond, type="intention", created_at=NOW - timedelta(days=5))
    for days in (-6, 6):
        due(days)

    loaded = load(bond).intentions

    assert loaded == [undated, *reversed(near)]


def test_the_day_of_a_promise_is_one_where_the_user_lives(bond):
    bond.user.time_zone = "Pacific/Kiritimati"
    for day in (21, 23):
        for _ in range(5):
            node(bond, type="intention", event_time_end=date(2026, 11, day))
    today = node(bond, type="intention", event_time_end=date(2026, 11, 22))

    assert today in load(bond).intentions


@pytest.mark.parametrize(("days", "is_loaded"), [(13, True), (15, False)], ids=["just heavier", "just lighter"])
def test_a_thought_weighs_half_after_two_weeks(bond, days, is_loaded):
    light = [node(bond, type="thought", emotional_impact=4) for _ in range(5)]
    aged = node(bond, type="thought", emotional_impact=-8, created_at=NOW - timedelta(days=days))

    expected = [aged, *light[:0:-1]] if is_loaded else light[::-1]
    assert load(bond).user_thoughts == expected


def test_weightless_thoughts_come_last_and_the_oldest_ones_weigh_something(bond):
    ancient = node(bond, type="thought", emotional_impact=1, created_at=NOW - timedelta(days=40_000))
    ahead = node(bond, type="thought", emotional_impact=1, created_at=NOW + timedelta(days=1))
    flat = [node(bond, type="thought", emotional_impact=0) for _ in range(5)]

    assert load(bond).user_thoughts == [ahead, *flat[:1:-1], ancient]


@pytest.mark.parametrize("gone", [{"stale": True}, {"state": "superseded"}, {"deleted_at": NOW}], ids=str)
def test_what_no_longer_holds_is_not_loaded(bond, gone):
    for kind in ("thought", "intention", "expectation"):
        node(bond, type=kind, **gone)
        node(bond, type=kind, subject="persona", **gone)

    assert load(bond) == PromptMemory()


def test_of_a_forgotten_fact_only_that_it_changed_is_loaded(bond):
    old, write = facts.save(bond).node, facts.save(bond, facts.LEEDS, slot="home", value="Leeds")
    FactWrite.objects.filter(pk=write.pk).update(old=[old.pk])
    ConceptNode.objects.update(deleted_at=NOW)

    loaded = load(bond)

    assert loaded.slots == {}
    assert {(noted.text, noted.old) for noted in loaded.writes} == {("", "")}


def test_what_is_always_loaded_is_of_this_bond_and_read_at_once(bond, django_assert_num_queries):
    other = BondFactory(user__username="charlie")
    for kind in ("thought", "intention", "expectation"):
        node(other, type=kind)
    facts.save(other)
    doubts.contradiction(other)
    MessageFactory(session=SessionFactory(bond=other), kept_at=NOW)
    mine = node(bond, type="thought", emotional_impact=1)

    with django_assert_num_queries(1):
        assert load(bond) == PromptMemory(user_thoughts=[mine])


def test_sessions_are_the_five_newest_with_a_summary_oldest_first(bond):
    talks = [SessionFactory(bond=bond, status="closed", summary=f"Talk {n}") for n in range(7)]
    SessionFactory(bond=bond, status="closed")
    SessionFactory(bond=bond, status="closed", summary="Forgotten", deleted_at=NOW)
    SessionFactory(status="closed", summary="A stranger's")

    found = load(bond).sessions

    assert found == talks[2:]
    assert [(talk.summary, talk.last_message_at) for talk in found] == [
        (talk.summary, talk.last_message_at) for talk in talks[2:]
    ]


def test_only_the_newest_thoughts_are_weighed(bond, monkeypatch):
    heavy = node(bond, type="thought", emotional_impact=10, created_at=NOW - timedelta(days=1))
    light = [node(bond, type="thought", emotional_impact=1) for _ in range(prompt_memory.WEIGHED_MOST - 1)]

    [first, *_] = load(bond).user_thoughts
    node(bond, type="thought", emotional_impact=1)

    assert first == heavy
    assert load(bond).user_thoughts[-1] == light[-4]
