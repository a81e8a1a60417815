from datetime import UTC, date, datetime, timedelta
from uuid import uuid4

import pytest

from memory.recall import prompt_memory
from memory.recall.recent_topics import RecentTopics
from tests.support.factories import NOW, BondFactory, ConceptNodeFactory, EntityFactory, TopicFactory

pytestmark = pytest.mark.django_db


@pytest.fixture
def bond():
    return BondFactory(user__username="mara")


def load(bond, *, off_record=False):
    return prompt_memory.load(bond=bond, now=NOW, loaded_at=NOW, turn_id=uuid4(), off_record=off_record).topics


def ago(bond, age, **values):
    values = {"session__bond": bond, "session__status": "closed", "began_at": NOW - age} | values
    return TopicFactory(**values)


@pytest.mark.parametrize(("seconds", "is_current"), [(7199, True), (7200, False)])
def test_the_newest_topic_of_two_hours_is_the_current_one(bond, seconds, is_current):
    topic = ago(bond, timedelta(seconds=seconds))

    found = load(bond)

    assert (found.current, found.earlier) == ((topic, ()) if is_current else (None, (topic,)))


def test_a_topic_comes_with_all_that_the_next_turn_needs(bond):
    centre = [1.0, -0.5] + [0.0] * 382
    topic = ago(
        bond,
        timedelta(minutes=1),
        centre=centre,
        centre_count=3,
        centre_model="m",
        streak=4,
        turns_off=1,
        acc=0.4,
        turn_count=5,
        terms=["cat", "猫"],
        focus="explicit",
        focus_at=NOW,
    )

    [found] = [load(bond).current]

    columns = [field.attname for field in topic._meta.concrete_fields if field.name not in ("bond", "centre")]
    assert {name: getattr(found, name) for name in columns} == {name: getattr(topic, name) for name in columns}
    assert found.centre == centre


def test_it_comes_with_entities_that_share_a_memory(bond):
    peg, lin, far, gone = (EntityFactory(bond=bond, canonical_name=name) for name in ("Peg", "Lin", "Far", "Gone"))
    for nodes, entities in (({}, (peg, lin)), ({}, (far,)), ({"deleted_at": NOW}, (peg, gone))):
        node = ConceptNodeFactory(bond=bond, **nodes)
        for entity in entities:
            entity.mentions.create(bond=bond, node=node)
    topic = ago(bond, timedelta(minutes=1), entity_ids=[peg.pk, lin.pk])

    found = load(bond)

    assert found == RecentTopics(current=topic, beside=frozenset([peg.pk, lin.pk]))


def test_earlier_topics_come_newest_first_for_14_days(bond):
    current, newer, older = (ago(bond, timedelta(**age)) for age in ({"hours": 1}, {"days": 2}, {"days": 13}))
    ago(bond, timedelta(days=14))
    ago(BondFactory(), timedelta(hours=1))

    found = load(bond)

    assert (found.current, found.earlier) == (current, (newer, older))


def test_off_the_record_no_topic_is_read(bond):
    ago(bond, timedelta(minutes=1))

    assert load(bond, off_record=True) == RecentTopics()


@pytest.mark.parametrize(
    ("zone", "told_at", "is_due"),
    [
        ("America/New_York", datetime(2026, 11, 21, 1, tzinfo=UTC), True),
        ("Asia/Shanghai", datetime(2026, 11, 20, 19, tzinfo=UTC), False),
    ],
    ids=["on the evening before", "in the night after midnight"],
)
def test_whether_an_event_was_ahead_is_told_by_the_users_days(bond, zone, told_at, is_due):
    bond.user.time_zone, day = zone, date(2026, 11, 21)
    node = ConceptNodeFactory(bond=bond, event_time_start=day, event_time_end=day, created_at=told_at)

    found = prompt_memory.load(bond=bond, now=NOW, loaded_at=NOW, turn_id=uuid4(), due_since=day)

    assert found.due == ([node] if is_due else [])


@pytest.mark.parametrize(
    ("days", "told_days", "is_due"),
    [(-4, 5, False), (-3, 5, True), (0, 5, True), (2, 5, True), (3, 5, False), (-1, 0, False)],
    ids=["before", "that day", "today", "in two days", "in three", "told afterwards"],
)
def test_events_that_have_come_since_are_due(bond, days, told_days, is_due):
    day = (NOW + timedelta(days=days)).date()
    told_at = NOW - timedelta(days=told_days)
    node = ConceptNodeFactory(bond=bond, event_time_start=day, event_time_end=day, created_at=told_at)
    since = (NOW - timedelta(days=3)).date()

    found = prompt_memory.load(bond=bond, now=NOW, loaded_at=NOW, turn_id=uuid4(), due_since=since)

    assert found.due == ([node] if is_due else [])
    assert prompt_memory.load(bond=bond, now=NOW, loaded_at=NOW, turn_id=uuid4()).due == []
