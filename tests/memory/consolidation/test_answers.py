"""Answers as no model should give them: whatever comes, the session ends, and no row breaks a rule."""

import copy
import json
from typing import Any

import pytest
from django.db import transaction
from hypothesis import HealthCheck, Phase, given, settings

from memory.consolidation.slow_tick import run
from memory.models import ConceptNode, SlowTickRun
from tests.support import memory_rules, worlds
from tests.support.acquaintance import acquainted
from tests.support.factories import NOW
from tests.support.mutations import STRANGE_TEXTS, answers
from tests.support.talks import closed_talk, consolidate, event, model

pytestmark = pytest.mark.django_db

TALK = (
    "Nimbus jumps on my face at night.",
    "persona: I'll ask you on Friday whether you slept.",
    "Yes, Scott is Yiyang. And Annie is Anna.",
    "My password: hunter2, and my card is 4111 1111 1111 1111.",
)
# Ids are written as names; `known` puts in those of the bond.
EXTRACTION: dict[str, Any] = {
    "events": [
        event(
            emotion_tags=["joy"],
            relational_tags=["unresolved"],
            subject="user",
            event_time={"start": "2026-11-27", "end": "2026-11-28"},
            supersedes=[1, 2],
        ),
        event("A promise.", lines=[2], subject="persona", event_time={"start": "2026-11-27", "end": "2026-11-27"}),
        event("The user has a cat called Nimbus.", lines=[1], impact=2),
    ],
    "session_summary": "A cat at night.",
    "mentioned_entities": [
        {"canonical_name": "Nimbus", "kind": "pet", "aliases": ["the cat"], "in_events": [0], "description": None},
        {"canonical_name": "Scott", "kind": "person", "aliases": ["Yiyang", "Anna"], "in_events": [1]},
    ],
    "possible_same": [{"a": "Anna", "b": "Annie", "stated_in": 3}, {"a": "Nimbus", "b": "Nim", "stated_in": None}],
    "entity_clarification": {"canonical_a": "Scott", "canonical_b": "Yiyang", "same": True},
    "session_mood_signal": {"mood": "tender", "energy": 6, "last_user_signal": "warm"},
    "self_check_notes": "Nothing missed.",
}
REFLECTION = {
    "thoughts": [
        {
            "description": "They give in to the cat.",
            "emotional_impact": 4,
            "emotion_tags": ["fond"],
            "relational_tags": ["vulnerability"],
            "filling": ["@cat", "@own"],
        },
        {"description": "They sleep too little.", "filling": ["@cat", 7]},
    ]
}
SLOW_TICK = {
    "salient_questions": ["Will they sleep?", "Who is Scott?"],
    "thoughts": [
        {"description": "The nights are short.", "subject": "persona", "filling": ["@cat", "@thought"]},
        {"description": "The days are long.", "subject": "user", "filling": ["@own"]},
    ],
    "expectations": [
        {"about": "Nimbus", "prediction": "He jumps again.", "due_at": "2026-11-27", "filling": ["@cat"]},
    ],
    "intentions": [{"description": "Ask how they slept.", "due_at": None, "filling": ["@cat"]}],
    "entity_descriptions": [{"entity": "@nimbus", "description": "A cat."}, {"entity": "Nimbus", "description": "No."}],
    "resolved": [
        {"node": "@awaited", "outcome": "fulfilled", "filling": ["@cat"]},
        {"node": "@promised", "outcome": "kept", "filling": []},
    ],
}


@pytest.fixture(scope="module")
def acquaintance(django_db_setup, django_db_blocker):
    with worlds.shared(after_a_talk, database=django_db_blocker) as known:
        yield known


def after_a_talk() -> dict[str, Any]:
    known = acquainted()
    return {**known, "session": closed_talk(*TALK, bond=known["bond"])}


@pytest.fixture
def known(acquaintance, db) -> dict[str, Any]:
    """The same for one test, which takes back what it does to it."""
    return copy.deepcopy(acquaintance)


def with_ids(answer: str, known: dict[str, Any]) -> str:
    for name, row in known.items():
        answer = answer.replace(f'"@{name}"', str(row.pk))
    return answer


def check_extraction(answer: str, known: dict[str, Any]) -> None:
    undone = transaction.savepoint()
    before = ConceptNode.objects.for_bond(known["bond"]).count()
    session = consolidate(known["session"], model(answer, answer))

    assert session.status in ("closed", "failed")
    if session.status == "failed":
        assert (session.failure_code, session.watermark) == ("model_bad_answer", 0)
    assert ConceptNode.objects.for_bond(known["bond"]).count() - before <= 3
    memory_rules.check(known["bond"])
    transaction.savepoint_rollback(undone)


def check_reflection(answer: str, known: dict[str, Any]) -> None:
    undone = transaction.savepoint()
    answer = with_ids(answer, known)
    session = consolidate(known["session"], model({"events": [event()]}, reflections=[answer, answer]))

    assert session.status in ("closed", "failed")
    assert (session.failure_code or "model_bad_answer") == "model_bad_answer"
    assert ConceptNode.objects.for_bond(known["bond"]).filter(origin="reflection").count() <= 2
    memory_rules.check(known["bond"])
    transaction.savepoint_rollback(undone)


def check_slow_tick(answer: str, known: dict[str, Any]) -> None:
    undone = transaction.savepoint()
    answer = with_ids(answer, known)
    session = known["session"]
    run.run(session_id=session.pk, llm=model(slow_tick=[answer, answer]), clock=lambda: NOW)

    assert SlowTickRun.objects.get(bond=known["bond"]).outcome in ("done", "empty", "failed")
    assert ConceptNode.objects.for_bond(known["bond"]).filter(answer_key__startswith="slow_tick:").count() <= 6
    session.refresh_from_db()
    assert (session.status, session.failure_code) == ("closing", "")
    memory_rules.check(known["bond"])
    transaction.savepoint_rollback(undone)


LENIENT = settings(
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow, HealthCheck.data_too_large],
    database=None,
    # To shrink a case takes longer than to read it.
    phases=[Phase.explicit, Phase.generate],
)
FEW = settings(LENIENT, max_examples=10, derandomize=True)


@FEW
@given(answer=answers(EXTRACTION))
def test_mutated_extractions_never_lose_a_session_or_break_a_rule(db, known, answer):
    check_extraction(answer, known)


@FEW
@given(answer=answers(REFLECTION))
def test_mutated_reflections_never_lose_a_session_or_break_a_rule(db, known, answer):
    check_reflection(answer, known)


@FEW
@given(answer=answers(SLOW_TICK))
def test_mutated_slow_ticks_never_break_a_rule_nor_touch_the_session(db, known, answer):
    check_slow_tick(answer, known)


@pytest.mark.parametrize(
    ("check", "good"),
    [(check_extraction, EXTRACTION), (check_reflection, REFLECTION), (check_slow_tick, SLOW_TICK)],
    ids=["extraction", "reflection", "slow tick"],
)
def test_the_answers_that_are_mutated_are_good(known, check, good):
    check(json.dumps(good), known)


@pytest.mark.soak
@settings(LENIENT, max_examples=3000)
@given(answer=answers(EXTRACTION))
def test_three_thousand_mutated_extractions(db, known, answer):
    check_extraction(answer, known)


@pytest.mark.soak
@settings(LENIENT, max_examples=700)
@given(answer=answers(REFLECTION))
def test_seven_hundred_mutated_reflections(db, known, answer):
    check_reflection(answer, known)


@pytest.mark.soak
@settings(LENIENT, max_examples=1300)
@given(answer=answers(SLOW_TICK))
def test_thirteen_hundred_mutated_slow_ticks(db, known, answer):
    check_slow_tick(answer, known)


@pytest.mark.parametrize("text", STRANGE_TEXTS, ids=range(len(STRANGE_TEXTS)))
def test_strange_texts_in_every_place(known, text):
    extracted = {
        "events": [event(text, emotion_tags=[text], relational_tags=[text], subject=text, event_time=text), event()],
        "session_summary": text,
        "mentioned_entities": [
            {"canonical_name": text, "kind": text, "aliases": [text, "Nimbus"], "description": text}
        ],
        "possible_same": [{"a": text, "b": "Anna", "stated_in": text}],
        "entity_clarification": {"canonical_a": text, "canonical_b": text, "same": text},
        "session_mood_signal": {"mood": text, "energy": text, "last_user_signal": text},
        "self_check_notes": text,
        text: text,
    }
    between = {
        "salient_questions": [text, "Who?"],
        "thoughts": [{"description": text, "subject": text, "filling": ["@cat", text]}],
        "expectations": [{"about": text, "prediction": text, "due_at": text, "filling": ["@cat"]}],
        "intentions": [{"description": text, "due_at": text, "filling": ["@cat"]}],
        "entity_descriptions": [{"entity": text, "description": text}, {"entity": "Nimbus", "description": text}],
        "resolved": [{"node": text, "outcome": text, "filling": text}],
    }

    check_extraction(json.dumps(extracted), known)
    check_slow_tick(json.dumps(between), known)
