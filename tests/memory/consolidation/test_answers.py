"""Answers as no model should give them: whatever comes, the session ends, and no row breaks a rule."""

import json
from typing import Any

import pytest
from django.db import transaction
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memory.lenient import RELATIONAL_TAGS
from memory.models import ConceptNode, ConsolidationStep, Entity, EntityAlias, NodeSource
from personas.models import Bond
from tests.memory.talks import CAT, closed_talk, consolidate, event, model

pytestmark = pytest.mark.django_db

GOOD: dict[str, Any] = {
    "events": [
        event(
            emotion_tags=["joy"],
            relational_tags=["unresolved"],
            subject="user",
            event_time={"start": "2026-11-27", "end": "2026-11-28"},
            supersedes=[1],
        ),
        event("A promise.", lines=[2], subject="persona"),
    ],
    "session_summary": "A cat at night.",
    "mentioned_entities": [
        {"canonical_name": "Nimbus", "kind": "pet", "aliases": ["the cat"], "in_events": [0], "description": None}
    ],
    "possible_same": [{"a": "Nimbus", "b": "Nim", "stated_in": None}],
    "entity_clarification": None,
    "session_mood_signal": {"mood": "tender", "energy": 6, "last_user_signal": "warm"},
    "self_check_notes": "Nothing missed.",
}
STRANGE_TEXTS = [
    *(
        "",
        " ",
        "\x00",
        "\ud800",
        "\\u0000",
        '\\"',
        "$persona_name",
        "</transcript>",
        "[secret]",
        "小黑",
        "ﷺ" * 120,
        "\u202e",
    ),
    *("4111 1111 1111 1111", "password: hunter2", "x" * 5000, "[1] 2026-11-21 20:00 user: hi", "NaN", "+4", "%s{}"),
]
JUNK = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.sampled_from([10**400, -(10**30), 99, 3.7, float("inf"), float("nan"), 1e308])
    | st.sampled_from(STRANGE_TEXTS)
    | st.text(max_size=30),
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(st.text(max_size=9), inner, max_size=4),
    max_leaves=8,
)


@st.composite
def mutated(draw: Any, value: Any) -> Any:
    """The value with some of its parts replaced, left out, or said several times."""
    kind = draw(st.sampled_from(["keep"] * 6 + ["junk", "wrap"]))
    if kind == "junk":
        return draw(JUNK)
    if isinstance(value, dict):
        left = [key for key in value if draw(st.integers(0, 9))]
        value = {key: draw(mutated(value[key])) for key in left}
    elif isinstance(value, list):
        value = [draw(mutated(part)) for part in value for _ in range(draw(st.sampled_from([1, 1, 1, 0, 2, 9])))]
    return [value] if kind == "wrap" else value


def as_text(answer: Any, dressing: str) -> str:
    text = json.dumps(answer)
    return {
        "plain": text,
        "fenced": f"```json\n{text}\n```",
        "truncated": text[: len(text) * 2 // 3],
        "prose": f"Here it is: {text}",
        "unescaped": json.dumps(answer, ensure_ascii=False),
    }[dressing]


ANSWERS = st.builds(
    as_text, mutated(GOOD), st.sampled_from(["plain"] * 6 + ["fenced", "truncated", "prose", "unescaped"])
)


def check(answer: str) -> None:
    undone = transaction.savepoint()
    session = consolidate(closed_talk(*CAT), model(answer, answer))

    assert session.status in ("closed", "failed")
    if session.status == "failed":
        assert session.failure_code == "model_bad_answer"
        assert session.watermark == 0
    nodes = ConceptNode.objects.filter(bond=session.bond)
    assert nodes.count() <= 3
    for node in nodes:
        assert node.description.strip()
        assert len(node.description) <= 2000
        assert set(node.relational_tags) <= set(RELATIONAL_TAGS)
        assert "hunter2" not in node.description
        assert NodeSource.objects.filter(node=node, message__session=session).exists()
    assert EntityAlias.objects.filter(entity__in=Entity.objects.filter(bond=session.bond), folded="").count() == 0
    assert Bond.objects.get(pk=session.bond_id).energy in range(11)
    for step in ConsolidationStep.objects.filter(session=session).exclude(answer=""):
        assert isinstance(json.loads(step.answer), dict)
        assert "hunter2" not in step.answer
    transaction.savepoint_rollback(undone)


LENIENT = [HealthCheck.function_scoped_fixture, HealthCheck.too_slow, HealthCheck.data_too_large]


@settings(max_examples=200, deadline=None, suppress_health_check=LENIENT, database=None, derandomize=True)
@given(answer=ANSWERS)
def test_mutated_answers_never_lose_a_session_or_break_a_rule(db, answer):
    check(answer)


@pytest.mark.soak
@settings(max_examples=5000, deadline=None, suppress_health_check=LENIENT, database=None)
@given(answer=ANSWERS)
def test_five_thousand_mutated_answers(db, answer):
    check(answer)


@pytest.mark.parametrize("text", STRANGE_TEXTS, ids=range(len(STRANGE_TEXTS)))
def test_strange_texts_in_every_place(text):
    answer = {
        "events": [event(text, emotion_tags=[text], relational_tags=[text], subject=text), event()],
        "session_summary": text,
        "mentioned_entities": [{"canonical_name": text, "kind": text, "aliases": [text, "Nimbus"]}],
        "session_mood_signal": {"mood": text, "energy": text, "last_user_signal": text},
        "self_check_notes": text,
        text: text,
    }

    check(json.dumps(answer))
