"""Load doubts about memories with both sides, for pages and programs."""

from collections.abc import Iterable
from typing import Any

from memory.models import ConceptNode, Doubt
from memory.models.doubts import DoubtQuerySet
from personas.models import Bond


def filter_about_memories(bond: Bond) -> DoubtQuerySet:
    """Filter doubts about memories of which the newer side is not forgotten."""
    return Doubt.objects.for_bond(bond).filter(a_node__isnull=False, a_node__deleted_at=None)


def load_sides(doubts: Iterable[Doubt]) -> list[Any]:
    """Attach `shown_this` and `shown_that` to doubts, as memories are serialized, by one query; None of what is forgotten."""
    doubts = list(doubts)
    ids = {pk for doubt in doubts for pk in (doubt.a_node_id, doubt.b_node_id) if pk}
    nodes: dict[Any, Any] = {}
    if ids:
        nodes = {node.pk: node for node in ConceptNode.objects.not_deleted().filter(pk__in=ids).for_serializer()}
    for doubt in doubts:
        doubt.shown_this = nodes.get(doubt.a_node_id)  # type: ignore[attr-defined]  # as an annotation would
        doubt.shown_that = nodes.get(doubt.b_node_id)  # type: ignore[attr-defined]  # as above
    return doubts
