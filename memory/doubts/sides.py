"""Load doubts with both sides, for pages and programs."""

from collections.abc import Iterable
from typing import Any

from memory.models import ConceptNode, Doubt, Entity
from memory.models.doubts import DoubtQuerySet
from personas.models import Bond


def filter_shown(bond: Bond) -> DoubtQuerySet:
    """Filter doubts of which the first side is not forgotten, nor the second of two entities."""
    shown = Doubt.objects.for_bond(bond).filter(a_node__deleted_at=None, a_entity__deleted_at=None)
    return shown.filter(b_entity__deleted_at=None)


def load_sides(doubts: Iterable[Doubt]) -> list[Any]:
    """Attach `shown_this` and `shown_that` to doubts, as memories and entities are serialized, by a query for each sort;
    None of what is forgotten.
    """
    doubts = list(doubts)
    nodes: dict[Any, Any] = {}
    entities: dict[Any, Any] = {}
    if ids := {pk for doubt in doubts for pk in (doubt.a_node_id, doubt.b_node_id) if pk}:
        nodes = {node.pk: node for node in ConceptNode.objects.not_deleted().filter(pk__in=ids).for_serializer()}
    if ids := {pk for doubt in doubts for pk in (doubt.a_entity_id, doubt.b_entity_id) if pk}:
        entities = {one.pk: one for one in Entity.objects.not_deleted().filter(pk__in=ids).for_serializer()}
    for doubt in doubts:
        sides: Any = doubt  # as an annotation would
        sides.shown_this = nodes.get(doubt.a_node_id) or entities.get(doubt.a_entity_id)
        sides.shown_that = nodes.get(doubt.b_node_id) or entities.get(doubt.b_entity_id)
    return doubts
