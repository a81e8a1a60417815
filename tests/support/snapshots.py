"""Dumps what memory's jobs write, without ids and times, to compare two runs."""

import re
from typing import Any

from echovessel.models import BondEvent
from memory.models import (
    ConceptNode,
    ConsolidationStep,
    Entity,
    EntityAlias,
    EntityMerge,
    Filling,
    Mention,
    Message,
    MoodChange,
    NodeSource,
    ReflectionRun,
    Separation,
    Session,
    SlowTickRun,
)
from personas.models import Bond

NODE = (
    *("type", "subject", "description", "state", "state_reason", "stale", "emotional_impact", "event_time_start"),
    *("event_time_end", "origin", "mention_count", "superseded_by__description", "conflicts_with__description"),
    *("source_deleted", "embedding_model"),
)
ENTITY = (
    *("canonical_name", "kind", "merge_status", "merge_target__canonical_name", "merged_into__canonical_name"),
    *("description", "description_by"),
)


def snapshot() -> dict[str, Any]:
    return {
        "nodes": rows(ConceptNode, *NODE),
        "sources": rows(NodeSource, "node__description", "message__content"),
        "fillings": rows(Filling, "parent__description", "child__description", "orphaned"),
        "entities": rows(Entity, *ENTITY),
        "aliases": rows(EntityAlias, "entity__canonical_name", "name", "deleted_at"),
        "mentions": rows(Mention, "entity__canonical_name", "node__description"),
        "merges": rows(EntityMerge, "kept__canonical_name", "merged__canonical_name", "decided_by", "undone_at"),
        "separations": rows(Separation, "a__canonical_name", "b__canonical_name", "decided_by"),
        "moods": rows(MoodChange, "mood", "energy", "session__summary"),
        "reflections": rows(ReflectionRun, "trigger", "thoughts_count"),
        "slow ticks": rows(SlowTickRun, "trigger", "outcome", "questions", "notes", "error"),
        "steps": steps(),
        "embedded": rows(Message, "content", "embedding_model"),
        "sessions": rows(Session, "status", "trivial", "summary", "lease_token", "attempt_count", "failure_count"),
        "bond": rows(Bond, "mood", "energy"),
        "log": logged(),
    }


def rows(model: type[Any], *fields: str) -> list[Any]:
    return sorted(model.objects.values_list(*fields), key=repr)


def steps() -> list[Any]:
    """Each with its notes, the nodes that they mean told by their texts."""
    texts = {str(node.pk): node.description for node in ConceptNode.objects.all()}
    fields = ("session__summary", "part", "phase", "outcome", "reason", "error", "notes")
    return [
        (*said, re.sub(r"\bnode (\d+)", lambda found: texts[found[1]], notes))
        for *said, notes in rows(ConsolidationStep, *fields)
    ]


def logged() -> list[tuple[str, Any]]:
    """The event log in its order, with what is meant instead of its id."""
    nodes = {node.pk: node.description for node in ConceptNode.objects.all()}
    names = {entity.pk: entity.canonical_name for entity in Entity.objects.all()}

    def meant(refs: dict[str, Any]) -> Any:
        return nodes.get(refs.get("node", 0), names.get(refs.get("entity", 0), sorted(refs)))

    return [(entry.type, meant(entry.refs)) for entry in BondEvent.objects.order_by("bond_id", "seq")]
