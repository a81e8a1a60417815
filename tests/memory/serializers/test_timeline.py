from datetime import timedelta

import pytest

from memory.entities import editing
from memory.models import ConsolidationStep
from memory.serializers import timeline
from tests.support.factories import (
    NOW,
    BondFactory,
    ConceptNodeFactory,
    EntityFactory,
    MoodChangeFactory,
    SessionFactory,
)

pytestmark = pytest.mark.django_db


def ids(entries):
    return [entry["id"] for entry in entries]


@pytest.fixture
def learned():
    """One session as consolidation leaves it: all at one moment, the session's end last; and a forgotten event."""
    session = SessionFactory(status="closed", message_count=3, summary="A cat at night")
    event = ConceptNodeFactory(bond=session.bond, session=session)
    entity = EntityFactory(bond=session.bond, nodes=[event])
    mood = MoodChangeFactory(session=session)
    ConceptNodeFactory(bond=session.bond, deleted_at=NOW)
    EntityFactory(canonical_name="A stranger's cat")
    return session.bond, event, entity, mood, session


def test_a_session_without_steps_ends_after_what_was_learned_from_it():
    """As in a restored bond: what was learned is newer than the close."""
    session = SessionFactory(status="closed", message_count=3, closed_at=NOW)
    event = ConceptNodeFactory(bond=session.bond, session=session, created_at=NOW + timedelta(seconds=1))
    mood = MoodChangeFactory(session=session, created_at=NOW + timedelta(seconds=2))
    corrected = ConceptNodeFactory(
        bond=session.bond, session=session, origin="user", created_at=NOW + timedelta(hours=1)
    )

    told = ids(timeline.load_entries(bond=session.bond))

    assert told == [f"node-{corrected.pk}", f"session-{session.pk}", f"mood-{mood.pk}", f"node-{event.pk}"]


def test_what_was_learned_is_told_newest_first_with_the_frames_own_keys(learned):
    bond, event, entity, mood, session = learned
    thought = ConceptNodeFactory(bond=bond, type="thought", created_at=NOW + timedelta(hours=1))

    told = timeline.load_entries(bond=bond)

    assert [(entry["id"], entry["type"], entry["at"]) for entry in told] == [
        (f"node-{thought.pk}", "memory.thought.created", NOW + timedelta(hours=1)),
        (f"session-{session.pk}", "chat.session.boundary", NOW),
        (f"mood-{mood.pk}", "chat.mood.update", NOW),
        (f"entity-{entity.pk}", "memory.entity.confirmed", NOW),
        (f"node-{event.pk}", "memory.event.created", NOW),
    ]
    assert told[1]["payload"] == {
        "closed_session": session.pk,
        "new_session": None,
        "events_count": 1,
        "thoughts_count": 0,
        "title": "A cat at night",
    }
    assert told[2]["payload"] == {
        "episodic_state": {
            "mood": "tender",
            "energy": 6,
            "last_user_signal": None,
            "updated_at": "2026-11-21T20:00:00Z",
        }
    }
    assert told[3]["payload"]["entity"]["aliases"] == ["小黑"]
    assert told[4]["payload"]["node"]["session"] == session.pk


def test_a_description_is_told_when_it_was_written_and_not_while_there_is_none(learned):
    bond, _, entity, _, session = learned
    later = NOW + timedelta(hours=2)

    editing.update(entity=entity, wanted={"description": "Our white cat."}, now=later)
    [told, *older] = timeline.load_entries(bond=bond)

    assert (told["id"], told["type"], told["at"]) == (
        f"description-{entity.pk}",
        "memory.entity.description_updated",
        later,
    )
    assert told["payload"]["entity"]["description"] == "Our white cat."
    assert ids(older)[0] == f"session-{session.pk}"
    editing.update(entity=entity, wanted={"description": None}, now=later)
    assert ids(timeline.load_entries(bond=bond)) == ids(older)


def test_pages_are_cut_between_entries_of_one_moment(learned):
    bond = learned[0]
    whole = timeline.load_entries(bond=bond)

    first = timeline.load_entries(bond=bond, most=2)
    place = timeline.TimelinePosition(at=first[-1]["at"], kind="mood", pk=int(first[-1]["id"].split("-")[1]))

    assert ids(first + timeline.load_entries(bond=bond, before=place)) == ids(whole)


def test_since_leaves_out_what_is_older(learned):
    bond = learned[0]
    later = ConceptNodeFactory(bond=bond, created_at=NOW + timedelta(days=1))

    assert ids(timeline.load_entries(bond=bond, since=NOW + timedelta(hours=1))) == [f"node-{later.pk}"]


def test_an_entity_stands_where_it_was_first_certain(learned):
    bond = learned[0]
    later = NOW + timedelta(days=1)
    entity = EntityFactory(bond=bond, canonical_name="Scott", confirmed_at=later)
    EntityFactory(bond=bond, canonical_name="Sky", merge_status="uncertain")

    [entry] = timeline.load_entries(bond=bond, since=NOW + timedelta(hours=1))

    assert (entry["id"], entry["at"]) == (f"entity-{entity.pk}", later)


def test_a_session_stands_where_its_consolidation_ended():
    session = SessionFactory(
        status="failed", message_count=3, failure_code="model_timeout", failure_detail="It took too long."
    )
    ConsolidationStep.objects.create(
        session=session,
        last_message_id=1,
        phase="extraction",
        outcome="failed",
        created_at=NOW + timedelta(minutes=5),
    )
    SessionFactory(bond=session.bond, status="open", message_count=3)

    assert timeline.load_entries(bond=session.bond) == [
        {
            "id": f"session-{session.pk}",
            "type": "chat.session.failed",
            "at": NOW + timedelta(minutes=5),
            "payload": {
                "session": session.pk,
                "code": "model_timeout",
                "detail": "It took too long.",
                "next_try_at": None,
            },
        }
    ]


def test_the_number_of_queries_does_not_grow(learned, django_assert_num_queries):
    bond = learned[0]
    ConceptNodeFactory.create_batch(3, bond=bond)
    for name in ("Anna", "Bo", "Cy"):
        EntityFactory(bond=bond, canonical_name=name)

    with django_assert_num_queries(5):
        timeline.load_entries(bond=bond)


def test_an_empty_bond_has_an_empty_timeline(django_assert_num_queries):
    bond = BondFactory()

    with django_assert_num_queries(1):
        assert timeline.load_entries(bond=bond) == []
