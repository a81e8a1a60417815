"""Invariants of a bond's memory after any job and any answer of a model."""

import json
from typing import Any

from echovessel import text
from memory.answers.coercion import RELATIONAL_TAGS
from memory.models import (
    ConceptNode,
    ConsolidationStep,
    Entity,
    EntityAlias,
    EntityMerge,
    Filling,
    Mention,
    MoodChange,
    NodeSource,
    Session,
    SlowTickRun,
)
from personas.models import Bond

SECRETS = ("hunter2", "4111 1111 1111 1111")
RESTS_ON_EVIDENCE = ("reflection", "slow_tick")


def check(bond: Bond) -> None:
    for node in ConceptNode.objects.for_bond(bond).prefetch_related("source_messages__session", "filling"):
        check_node(node)
    check_links(bond)
    for entity in Entity.objects.for_bond(bond).select_related("merge_target", "bond__user", "bond__persona"):
        check_entity(entity)
    check_secrets(bond)
    assert Bond.objects.get(pk=bond.pk).energy in range(11)


def check_node(node: ConceptNode) -> None:
    assert node.description.strip()
    assert len(node.description) <= 2_000
    assert set(node.relational_tags) <= set(RELATIONAL_TAGS)
    assert not node.event_time_start or abs(node.event_time_start.year - node.created_at.year) <= 131
    assert not node.event_time_end or abs(node.event_time_end.year - node.created_at.year) <= 51
    lines = list(node.source_messages.all())
    assert {line.bond_id for line in lines} <= {node.bond_id}
    if node.origin == "extraction":
        assert {line.session_id for line in lines} & {node.session_id}
        assert any(line.role == ("persona" if node.subject == "persona" else "user") for line in lines)
    if node.origin in RESTS_ON_EVIDENCE:
        assert any(cited.type == "event" for cited in node.filling.all())
    assert (node.state == "superseded") == (node.superseded_by_id is not None)
    assert (node.valid_until is not None) == (node.state in ConceptNode.SETTLED)
    if node.origin == "user":
        assert (node.state, node.superseded_by_id) == ("live", None)
    assert ends(node)


def ends(node: ConceptNode) -> bool:
    """Whether what took its place is in no ring."""
    seen: set[int] = set()
    place: ConceptNode | None = node
    while place is not None and place.pk not in seen:
        seen.add(place.pk)
        place = place.superseded_by
    return place is None


def check_links(bond: Bond) -> None:
    for edge in Filling.objects.filter(bond=bond).select_related("parent", "child"):
        assert {edge.parent.bond_id, edge.child.bond_id} == {bond.pk}
    for source in NodeSource.objects.filter(bond=bond).select_related("node", "message"):
        assert {source.node.bond_id, source.message.bond_id} == {bond.pk}
    mentions = Mention.objects.filter(bond=bond).select_related("node", "entity")
    for mention in mentions.prefetch_related("node__source_messages", "entity__aliases"):
        assert {mention.node.bond_id, mention.entity.bond_id} == {bond.pk}
        lines = [line.content for line in mention.node.source_messages.all()]
        said = text.fold("\n".join([mention.node.description, mention.node.source_quote, *lines]))
        assert any(text.contains_name(said, one.folded) for one in mention.entity.aliases.all())


def check_entity(entity: Entity) -> None:
    names = list(entity.aliases.filter(deleted_at=None).values_list("folded", flat=True))
    user, persona = entity.bond.user, entity.bond.persona
    assert not {text.fold(name) for name in (user.username, user.shown_name, persona.name)} & set(names)
    assert bool(names) == (entity.merged_into_id is None)
    if entity.merge_target is not None:
        assert entity.merge_target.kind == entity.kind
        assert (entity.merge_target.bond_id, entity.merge_target.pk != entity.pk) == (entity.bond_id, True)
        assert entity.merged_into_id is not None or entity.merge_target.merged_into_id is None
    if entity.merged_into_id is not None:
        assert EntityMerge.objects.filter(merged=entity, kept=entity.merged_into, undone_at=None).count() == 1


def check_secrets(bond: Bond) -> None:
    steps = ConsolidationStep.objects.filter(session__bond=bond)
    runs = SlowTickRun.objects.filter(bond=bond)
    for answer in [*steps.values_list("answer", flat=True), *runs.values_list("answer", flat=True)]:
        assert not answer or isinstance(json.loads(answer), dict)
    written: list[Any] = [
        *ConceptNode.objects.for_bond(bond).values_list("description", "emotion_tags", "state_reason"),
        *Session.objects.filter(bond=bond).values_list("summary", "title"),
        *steps.values_list("answer", "notes", "error"),
        *runs.values_list("answer", "notes", "questions", "error"),
        *Entity.objects.for_bond(bond).values_list("canonical_name", "description"),
        *EntityAlias.objects.filter(bond=bond).values_list("name", "folded"),
        *MoodChange.objects.filter(bond=bond).values_list("mood"),
    ]
    for row in written:
        assert not any(secret in str(row) for secret in SECRETS), row
