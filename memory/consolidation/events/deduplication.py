"""Decide whether an event repeats one that is remembered, by nearness and by `memory.nodes.comparison`."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

from django.db.models import F, QuerySet
from pgvector.django import CosineDistance

from echovessel import text
from echovessel.embeddings import embedding, vectors
from memory.answers.schemas import EntityAnswer, EventAnswer
from memory.consolidation.parse_answer import ExtractedEvent
from memory.models import ConceptNode, EntityAlias, Message, NodeSource
from memory.nodes import comparison, doubt_updates
from personas.models import Bond

SAME_FROM = 0.85
LOOKS_BACK = timedelta(days=30)
NEAREST = 10
# Vectors are stored in half precision.
_TOLERANCE = 2e-4


def find_duplicate(
    *, bond: Bond, found: ExtractedEvent, vector: Sequence[float] | None, now: datetime
) -> ConceptNode | None:
    event = found.event
    if vector is None or found.supersedes or "correction" in event.relational_tags:
        return None
    candidates = [
        node
        for node in find_similar_nodes(bond=bond, type=found.type, vector=vector, now=now)
        if is_compatible(node, event)
    ]
    if not candidates:
        return None
    names = map_names(bond=bond, named=found.named)
    facts = comparison.extract_facts(event.description, bond=bond, names=names)
    for node in candidates:
        is_same = facts.is_same_as(comparison.extract_facts(node.description, bond=bond, names=names))
        if is_same and not comparison.is_either_replaced(node.description, event.description):
            return node
    return None


def find_similar_nodes(*, bond: Bond, type: str, vector: Sequence[float], now: datetime) -> list[ConceptNode]:
    """Find nodes of the last 30 days that are near enough to be repetitions, nearest first."""
    nodes = ConceptNode.objects.for_bond(bond).current().filter(type=type, created_at__gte=now - LOOKS_BACK)
    readable = nodes.filter(embedding_model=embedding.get_model_name(), embedding__isnull=False).without_heavy_columns()
    with_distance: QuerySet[Any] = readable.annotate(distance=CosineDistance("embedding", list(vector)))
    nearest = with_distance.order_by("distance", "-id")
    baseline = embedding.get_cosine_baseline()
    return [
        node
        for node in nearest[:NEAREST]
        if vectors.relevance(vectors.rescale(1 - node.distance, baseline=baseline)) >= SAME_FROM - _TOLERANCE
    ]


def is_compatible(node: ConceptNode, event: EventAnswer) -> bool:
    days = event.event_time
    return (
        (node.subject, get_sign(node.emotional_impact)) == (event.subject, get_sign(event.emotional_impact))
        and node.event_time_start == (days.start if days else None)
        and node.event_time_end == (days.end if days else None)
    )


def get_sign(impact: int) -> int:
    return (impact > 0) - (impact < 0)


def map_names(*, bond: Bond, named: Sequence[EntityAnswer]) -> dict[str, str]:
    """Map each folded name of an answer to an entity of the bond, or to one that the answer introduces."""
    names: dict[str, str] = {}
    for entity in named:
        folded = [text.fold(name) for name in (entity.canonical_name, *entity.aliases)]
        aliases = EntityAlias.objects.of_existing_entities().filter(bond=bond, folded__in=folded)
        known = aliases.order_by("entity_id").values_list("entity_id", flat=True).first()
        names |= dict.fromkeys(folded, f"entity {known}" if known else folded[0])
    return names


def count_repetition(node: ConceptNode, *, sources: Sequence[Message], now: datetime) -> None:
    ConceptNode.objects.filter(pk=node.pk).update(mention_count=F("mention_count") + 1)
    NodeSource.objects.add_to(node, (message.pk for message in sources))
    node.announce_update("mention_count", "source_messages", now=now)
    if sources:
        doubt_updates.settle_confirmed(node, by_user=False, now=now)
