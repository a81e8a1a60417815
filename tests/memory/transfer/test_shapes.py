import pytest

from memory.models import ConceptNode, Entity, Session
from memory.serializers.memories import EntitySerializer, MoodChangeSerializer, SessionSerializer
from memory.serializers.messages import MessageSerializer
from memory.serializers.nodes import NodeSerializer
from tests.support.factories import (
    AliasFactory,
    ConceptNodeFactory,
    EntityFactory,
    MessageFactory,
    MoodChangeFactory,
    SessionFactory,
    TurnFactory,
)
from tests.support.facts import NO_FACT

pytestmark = pytest.mark.django_db
AT = "2026-11-21T20:00:00Z"


def test_a_node_shows_its_evidence_and_its_messages(django_assert_num_queries):
    event = ConceptNodeFactory()
    line = MessageFactory(session__bond=event.bond)
    thought = ConceptNodeFactory(
        bond=event.bond,
        type="thought",
        session=line.session,
        emotion_tags=["fond"],
        evidence=[event],
        sources=[line],
        description="They miss sleep more than they say.",
    )

    with django_assert_num_queries(1):
        shown = NodeSerializer(ConceptNode.objects.for_serializer().get(pk=thought.pk)).data

    assert dict(shown) == {
        "id": thought.pk,
        "type": "thought",
        "subject": "user",
        "description": "They miss sleep more than they say.",
        "emotional_impact": 0,
        "emotion_tags": ["fond"],
        "relational_tags": [],
        "event_time_start": None,
        "event_time_end": None,
        "origin": "extraction",
        "confidence": 0.8,
        "state": "live",
        "state_reason": None,
        "session": line.session_id,
        "source_messages": [line.pk],
        "source_quote": None,
        "filling": [event.pk],
        "superseded_by": None,
        "conflicts_with": None,
        "stale": False,
        "valid_from": AT,
        "valid_until": None,
        "mention_count": 1,
        "created_at": AT,
        **NO_FACT,
    }


def test_an_entity_shows_its_names_and_counts_its_events(django_assert_num_queries):
    event = ConceptNodeFactory()
    entity = EntityFactory(bond=event.bond, nodes=[event, ConceptNodeFactory(bond=event.bond, type="thought")])
    AliasFactory(entity=entity, name="Little Black")

    with django_assert_num_queries(1):
        shown = EntitySerializer(Entity.objects.for_serializer().get()).data

    assert dict(shown) == {
        "id": entity.pk,
        "canonical_name": "小黑",
        "kind": "pet",
        "aliases": ["小黑", "Little Black"],
        "description": None,
        "description_by": None,
        "merge_status": "confirmed",
        "merge_target": None,
        "linked_events_count": 1,
        "last_mentioned_at": AT,
        "created_at": AT,
    }


def test_a_failed_session_says_why_and_when_it_is_tried_again(django_assert_num_queries):
    session = SessionFactory(
        status="failed", failure_code="model_timeout", failure_detail="It took too long.", summary="A cat at night"
    )
    event = ConceptNodeFactory(bond=session.bond, session=session)
    ConceptNodeFactory.create_batch(2, bond=session.bond, session=session, type="thought", evidence=[event])

    with django_assert_num_queries(1):
        shown = SessionSerializer(Session.objects.for_serializer().get()).data

    assert shown == {
        "id": session.pk,
        "status": "failed",
        "title": "A cat at night",
        "auto_title": None,
        "channel": "web",
        "off_record": False,
        "started_at": AT,
        "last_message_at": AT,
        "closed_at": AT,
        "close_reason": "explicit",
        "archived_at": None,
        "pinned_at": None,
        "message_count": 0,
        "token_count": 0,
        "summary": "A cat at night",
        "trivial": None,
        "failure": {"code": "model_timeout", "detail": "It took too long.", "next_try_at": None},
        "events_count": 1,
        "thoughts_count": 2,
    }


def test_a_message_and_a_mood_show_what_they_belong_to():
    line = MessageFactory()
    mood = MoodChangeFactory(session=line.session, last_user_signal="warm")

    assert dict(MessageSerializer(line).data) == {
        "id": line.pk,
        "session": line.session_id,
        "turn": str(line.turn_id),
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
    }
    assert dict(MoodChangeSerializer(mood).data) == {
        "mood": "tender",
        "energy": 6,
        "last_user_signal": "warm",
        "at": AT,
        "session": line.session_id,
    }


def test_a_running_turn_is_leased():
    turn = TurnFactory(status="running")

    assert turn.lease_until == turn.created_at
