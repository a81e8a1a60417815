"""Answers about a piece as no model should give them: whatever comes, the import ends, and no row breaks a rule."""

import json
from typing import Any

import pytest
from django.db import transaction
from hypothesis import given, settings

from echovessel import text
from memory.models import ConceptNode, Import, ImportChunk, Proposal
from personas.models import Bond
from tests.memory.consolidation.test_answers import FEW, LENIENT
from tests.memory.importing.files import model, read_on, said, started, thought, told
from tests.support import memory_rules
from tests.support.acquaintance import acquainted
from tests.support.mutations import answers

pytestmark = pytest.mark.django_db

CONTENT = (
    "I have a white cat called Nimbus. He jumps on my face.\n\nScott and Anna came by on 3 May 2019.\n\n"
    "My password: hunter2, and my card is 4111 1111 1111 1111."
)
GOOD: dict[str, Any] = said(
    told(emotion_tags=["joy"], relational_tags=["identity-bearing"], subject="user", event_time=None),
    told(
        "Scott and Anna came by.",
        quote="Scott and Anna came by on 3 May 2019.",
        event_time={"start": "2019-05-03", "end": "2019-05-03"},
    ),
    thoughts=[thought(filling=[0, 1])],
    mentioned_entities=[
        {"canonical_name": "Nimbus", "kind": "pet", "aliases": ["the cat"], "in_events": [0], "description": None},
        {"canonical_name": "Scott", "kind": "person", "aliases": ["Anna"], "in_events": [1]},
    ],
    about_user=[{"content": "Has a white cat.", "source_quote": "a white cat"}],
)


@pytest.fixture
def known(db) -> Bond:
    bond: Bond = acquainted()["bond"]
    return bond


def check(answer: str, bond: Bond) -> None:
    undone = transaction.savepoint()
    before = set(ConceptNode.objects.for_bond(bond).values_list("pk", flat=True))
    imported = read_on(started(CONTENT, bond=bond), model(answer, answer))

    assert imported.state in ("done", "failed")
    if imported.state == "failed":
        assert (imported.failure_code, imported.done) == ("model_bad_answer", 0)
    made = list(ConceptNode.objects.for_bond(bond).exclude(pk__in=before).prefetch_related("filling"))
    assert imported.events_count + imported.thoughts_count == len(made) <= 7
    for node in made:
        check_node(node)
    check_rest()
    memory_rules.check(bond)
    transaction.savepoint_rollback(undone)


def check_node(node: ConceptNode) -> None:
    assert (node.origin, node.confidence) == ("import", 0.7)
    assert node.source_quote in CONTENT.replace("hunter2", "[secret]").replace("4111 1111 1111 1111", "[secret]")
    assert node.type == "event" or any(cited.type == "event" for cited in node.filling.all())


def check_rest() -> None:
    written = [
        *Import.objects.values_list("failure_detail"),
        *ImportChunk.objects.filter(state="done").values_list("text", "notes"),
        *Proposal.objects.values_list("content", "source_quote"),
        *ConceptNode.objects.values_list("source_quote"),
    ]
    assert not any(secret in str(row) for row in written for secret in memory_rules.SECRETS)
    for content, quote in Proposal.objects.values_list("content", "source_quote"):
        assert 0 < len(content) <= 300
        assert text.fold(quote)


@FEW
@given(answer=answers(GOOD))
def test_mutated_answers_never_break_a_rule(db, known, answer):
    check(answer, known)


@pytest.mark.soak
@settings(LENIENT, max_examples=1500)
@given(answer=answers(GOOD))
def test_fifteen_hundred_mutated_answers(db, known, answer):
    check(answer, known)


def test_the_answer_that_is_mutated_is_good(known):
    check(json.dumps(GOOD), known)

    imported = read_on(started(CONTENT, bond=known), model(json.dumps(GOOD)))
    assert (imported.events_count, imported.thoughts_count, imported.dropped_count) == (2, 1, 0)
