from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from chat.broadcast import frames
from echovessel import events
from echovessel.models import BondEvent
from memory.doubts import settling
from memory.facts.writers import build_person_writer
from memory.models import ConceptNode, Session
from tests.memory.doubts.test_settling import doubted
from tests.support.factories import (
    NOW,
    AliasFactory,
    BondFactory,
    ConceptNodeFactory,
    EntityFactory,
    MessageFactory,
    SessionFactory,
)
from tests.support.facts import NO_FACT
from tests.support.rest import api

pytestmark = pytest.mark.django_db
AT = "2026-11-21T20:00:00Z"


@pytest.fixture
def bond():
    return BondFactory(user__username="mara")


def sent(bond, type, *, now=NOW, **refs):
    """Return the frame of an event without the keys that all frames have."""
    seq = events.record(bond_id=bond.pk, type=type, refs=refs, now=NOW)
    made = frames.serialize_events(bond=bond, rows=BondEvent.objects.filter(bond_id=bond.pk, seq=seq), now=now)
    if not made:
        return None
    [frame] = made
    assert {name: frame.pop(name) for name in ("type", "at", "seq", "bond")} == {
        "type": type,
        "at": AT,
        "seq": seq,
        "bond": bond.pk,
    }
    return frame


def line(bond, **details):
    return MessageFactory(session=SessionFactory(bond=bond, status="closed"), **details)


def message_shape(message, **changed):
    return {
        "id": message.pk,
        "session": message.session_id,
        "turn": str(message.turn_id),
        "role": "user",
        "content": "My cat jumps on my face at night.",
        "channel": "web",
        "variant": 0,
        "chosen": True,
        "cut_off": False,
        "kept": None,
        "left_out": False,
        "memory_state": "in_window",
        "writes": [],
        "created_at": AT,
    } | changed


def test_a_message_of_the_user_comes_whole_with_its_client_id(bond):
    message = line(bond)

    assert sent(bond, "chat.message.user_appended", message=message.pk, client_id="c-1") == {
        "message": message_shape(message),
        "client_id": "c-1",
        "channel": "web",
        "off_record": False,
    }


def test_the_end_of_a_reply_has_its_content(bond):
    message = line(bond, role="persona", content="Hello.", variant=1)
    refs = {
        "turn": str(message.turn_id),
        "message": message.pk,
        "variant": 1,
        "cut_off": False,
        "offline": True,
        "unnoted": False,
        "error": None,
    }

    assert sent(bond, "chat.message.done", **refs) == refs | {"content": "Hello.", "channel": "web"}


def test_a_chosen_reply_has_its_content_and_when_it_was_said(bond):
    message = line(bond, role="persona", content="Hello.", variant=1, cut_off=True)
    refs = {"turn": str(message.turn_id), "message": message.pk, "variant": 1}

    keys = {"content": "Hello.", "channel": "web", "cut_off": True, "kept": None, "created_at": AT}
    assert sent(bond, "chat.message.chosen", **refs) == refs | keys


@pytest.mark.parametrize(
    ("columns", "kept"),
    [({"kept_at": NOW, "kept_note": "Mine."}, {"at": AT, "note": "Mine."}), ({}, None)],
    ids=["kept", "no longer kept"],
)
def test_a_kept_message_is_sent_with_its_note(bond, columns, kept):
    message = line(bond, **columns)

    assert sent(bond, "chat.message.kept", message=message.pk) == {"message": message.pk, "kept": kept}


def test_an_error_is_sent_as_it_was_logged(bond):
    refs = {"turn": "t", "code": "model_timeout", "detail": "The model took too long.", "retryable": True}

    assert sent(bond, "chat.message.error", **refs) == refs


def test_a_boundary_has_the_title_of_the_session_that_closed(bond):
    closed = SessionFactory(bond=bond, status="closed", summary="The white cat 小黑")
    refs = {"closed_session": closed.pk, "new_session": None, "events_count": 2, "thoughts_count": 1}
    keys = {"title": "The white cat 小黑", "channel": "web", "off_record": None}

    assert sent(bond, "chat.session.boundary", **refs) == refs | keys


@pytest.mark.parametrize("off_record", [True, False])
def test_a_boundary_says_how_it_stands_with_the_session_that_begins(bond, off_record):
    new = SessionFactory(bond=bond, channel="api", off_record=off_record)
    refs = {"closed_session": None, "new_session": new.pk, "events_count": None, "thoughts_count": None}
    keys = {"title": None, "channel": "api", "off_record": off_record}

    assert sent(bond, "chat.session.boundary", **refs) == refs | keys


def test_a_boundary_of_a_session_that_is_gone_says_nothing_of_it(bond):
    refs = {"closed_session": None, "new_session": 7, "events_count": None, "thoughts_count": None}

    assert sent(bond, "chat.session.boundary", **refs) == refs | {"title": None, "channel": None, "off_record": None}


def test_a_message_that_came_back_has_the_channel_it_was_said_on(bond):
    message = line(bond, channel="api")

    assert sent(bond, "chat.message.restored", message=message.pk) == {"message": message.pk, "channel": "api"}


@pytest.mark.parametrize(("next_try", "said"), [(NOW + timedelta(hours=1), "2026-11-21T21:00:00Z"), (None, None)])
def test_a_failed_session_says_why_and_when_it_is_tried_again(bond, next_try, said):
    session = SessionFactory(
        bond=bond,
        status="failed",
        failure_code="model_refused",
        failure_detail="The model refused.",
        failure_next_try_at=next_try,
    )

    assert sent(bond, "chat.session.failed", session=session.pk) == {
        "session": session.pk,
        "code": "model_refused",
        "detail": "The model refused.",
        "next_try_at": said,
    }


def test_of_a_forgotten_node_only_its_id_and_type_are_told(bond):
    assert sent(bond, "memory.node.forgotten", forgotten=7, node_type="event") == {"node": {"id": 7, "type": "event"}}


def test_a_mood_is_told_as_it_reads_now(bond):
    bond.mood, bond.energy, bond.last_user_signal, bond.mood_updated_at = "tender", 6, "warm", NOW
    told = {"mood": "tender", "energy": 6, "last_user_signal": "warm", "updated_at": AT}

    assert sent(bond, "chat.mood.update") == {"episodic_state": told}
    assert sent(bond, "chat.mood.update", now=NOW + timedelta(hours=12, seconds=1)) == {
        "episodic_state": {"mood": "neutral", "energy": 5, "last_user_signal": None, "updated_at": AT}
    }


@pytest.mark.parametrize(
    ("type", "node_type", "more"),
    [
        ("memory.event.created", "event", {}),
        ("memory.thought.created", "thought", {}),
        ("memory.node.updated", "event", {"changed": ["mention_count"]}),
        ("memory.node.restored", "event", {}),
    ],
)
def test_a_node_comes_whole(bond, type, node_type, more):
    message = line(bond)
    child = ConceptNodeFactory(bond=bond)
    node = ConceptNodeFactory(
        bond=bond,
        type=node_type,
        session=message.session,
        sources=[message],
        evidence=[child],
        emotional_impact=-3,
        emotion_tags=["startled"],
        event_time_start=NOW.date(),
    )

    assert sent(bond, type, node=node.pk, **more) == more | {
        "node": {
            "id": node.pk,
            "type": node_type,
            "subject": "user",
            "description": "The user's cat jumps on their face at night.",
            "emotional_impact": -3,
            "emotion_tags": ["startled"],
            "relational_tags": [],
            "event_time_start": "2026-11-21",
            "event_time_end": None,
            "origin": "extraction",
            "confidence": 0.8,
            "state": "live",
            "state_reason": None,
            "session": message.session_id,
            "source_messages": [message.pk],
            "source_quote": None,
            "filling": [child.pk],
            "superseded_by": None,
            "conflicts_with": None,
            "stale": False,
            "valid_from": AT,
            "valid_until": None,
            "mention_count": 1,
            "created_at": AT,
            **NO_FACT,
        }
    }


def test_an_entity_comes_whole(bond):
    cat = EntityFactory(bond=bond, nodes=[ConceptNodeFactory(bond=bond)])
    AliasFactory(entity=cat, name="Inky")

    assert sent(bond, "memory.entity.confirmed", entity=cat.pk) == {
        "entity": {
            "id": cat.pk,
            "canonical_name": "小黑",
            "kind": "pet",
            "aliases": ["小黑", "Inky"],
            "description": None,
            "description_by": None,
            "merge_status": "confirmed",
            "merge_target": None,
            "linked_events_count": 1,
            "last_mentioned_at": AT,
            "created_at": AT,
        }
    }


@pytest.mark.parametrize(
    "type", ["memory.entity.description_updated", "memory.entity.merged", "memory.entity.restored"]
)
def test_what_happens_to_an_entity_is_told_with_it(bond, type):
    cat = EntityFactory(bond=bond, description="A white cat.", description_by="owner")

    frame = sent(bond, type, entity=cat.pk, merged=9)

    assert frame == {"entity": frame["entity"], "merged": 9}
    assert (frame["entity"]["id"], frame["entity"]["description"]) == (cat.pk, "A white cat.")


def test_a_forgotten_entity_is_told_by_its_id_alone(bond):
    assert sent(bond, "memory.entity.forgotten", forgotten=7) == {"entity": {"id": 7}}


def test_messages_of_a_forgotten_session_are_passed_over(bond):
    message = line(bond)
    Session.objects.update(deleted_at=NOW)

    assert sent(bond, "chat.message.user_appended", message=message.pk, client_id=None) is None


def test_a_changed_session_is_told_with_the_title_it_has_now(bond):
    session = SessionFactory(bond=bond, status="closed", title="小黑 <3")
    refs = {"session": session.pk, "changed": ["title"]}

    assert sent(bond, "chat.session.updated", **refs) == refs | {"title": "小黑 <3"}
    Session.objects.update(deleted_at=NOW)
    assert sent(bond, "chat.session.updated", **refs) is None


@pytest.mark.parametrize(
    ("type", "refs"),
    [
        ("chat.message.deleted", {"message": 7}),
        ("chat.session.forgotten", {"session": 7}),
        ("chat.session.restored", {"session": 7}),
    ],
)
def test_what_goes_and_comes_back_is_told_by_its_id(bond, type, refs):
    assert sent(bond, type, **refs) == refs


def test_what_was_forgotten_since_is_passed_over(bond):
    message = line(bond, deleted_at=NOW)
    node = ConceptNodeFactory(bond=bond, deleted_at=NOW)
    entity = EntityFactory(bond=bond, deleted_at=NOW)
    session = SessionFactory(bond=bond, status="failed", deleted_at=NOW)

    assert [
        sent(bond, "chat.message.user_appended", message=message.pk, client_id=None),
        sent(bond, "chat.message.done", message=message.pk),
        sent(bond, "memory.event.created", node=node.pk),
        sent(bond, "memory.entity.confirmed", entity=entity.pk),
        sent(bond, "chat.session.failed", session=session.pk),
    ] == [None] * 5
    assert sent(bond, "chat.message.deleted", message=message.pk) == {"message": message.pk}


def test_nothing_of_another_bond_is_told(bond):
    charlie = BondFactory(user__username="charlie")
    node = ConceptNodeFactory(bond=charlie)
    message = line(charlie)

    assert sent(bond, "memory.event.created", node=node.pk) is None
    assert sent(bond, "chat.message.user_appended", message=message.pk, client_id=None) is None


def test_a_doubt_comes_whole_with_both_sides(bond):
    doubt = doubted(bond)
    shown = api(bond.user).get(f"/api/bonds/{bond.pk}/memory/doubts/").json()["results"][0]

    opened = sent(bond, "memory.doubt.opened", doubt=doubt.pk)
    settling.settle(doubt=doubt, outcome="that", writer=build_person_writer(NOW))
    settled = sent(bond, "memory.doubt.settled", doubt=doubt.pk, outcome="that")

    assert opened == {"doubt": shown}
    assert (settled["outcome"], settled["doubt"]["state"], settled["doubt"]["b"]["state"]) == (
        "that",
        "settled",
        "live",
    )


def test_a_doubt_about_what_was_forgotten_is_told_by_its_id_alone(bond):
    doubt = doubted(bond)
    ConceptNode.objects.filter(pk=doubt.a_node_id).update(deleted_at=NOW)

    assert sent(bond, "memory.doubt.settled", doubt=doubt.pk, outcome="gone") == {
        "doubt": {"id": doubt.pk},
        "outcome": "gone",
    }


def test_many_events_take_as_many_queries_as_one(bond):
    def count(times):
        for _ in range(times):
            session = SessionFactory(bond=bond, status="closed")
            # It tells of itself.
            doubted(bond, slot="")
            refs = [
                ("chat.message.user_appended", {"message": MessageFactory(session=session).pk, "client_id": None}),
                ("memory.event.created", {"node": ConceptNodeFactory(bond=bond).pk}),
                ("memory.entity.confirmed", {"entity": EntityFactory(bond=bond, alias=None).pk}),
                ("chat.session.boundary", {"closed_session": session.pk, "new_session": None}),
            ]
            for type, ids in refs:
                events.record(bond_id=bond.pk, type=type, refs=ids, now=NOW)
        rows = list(BondEvent.objects.filter(bond_id=bond.pk))
        with CaptureQueriesContext(connection) as queries:
            made = frames.serialize_events(bond=bond, rows=rows, now=NOW)
        return len(made), len(queries)

    assert [count(1), count(2)] == [(5, 8), (15, 8)]


def test_a_passing_frame_has_no_number(bond):
    assert frames.build_transient_frame(bond_id=bond.pk, type="chat.message.typing", now=NOW, turn="t") == {
        "type": "chat.message.typing",
        "at": AT,
        "seq": None,
        "bond": bond.pk,
        "turn": "t",
    }
