"""How memories rest on one another and on what was said, in both directions."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import QuerySet

from memory.forgetting import echoes
from memory.models import ConceptNode, Entity, Filling, Message, NodeSource, Session
from memory.nodes import staleness
from memory.recall import memories
from personas.models import Bond

# Relevance from which two events are so near that who forgets one may mean the other too.
SIMILAR_FROM = 0.7
SIMILAR_MOST = 10


@dataclass(frozen=True)
class Evidence:
    event: Any  # a ConceptNode from `shown()`
    orphaned: bool
    messages: list[Message]


def cite(node: ConceptNode, cited: Sequence[int], *, now: datetime) -> None:
    """Let a new node rest on these; what was stale among them holds again. The caller has locked the bond."""
    Filling.objects.bulk_create(Filling(bond=node.bond, parent=node, child_id=child) for child in cited)
    staleness.cited_anew(bond=node.bond, nodes=cited, now=now)


def trace(node: ConceptNode) -> list[Evidence]:
    """The events that a thought cites, each with the lines it was drawn from."""
    edges = dict(Filling.objects.filter(parent=node, child__deleted_at=None).values_list("child", "orphaned"))
    events: list[Any] = list(ConceptNode.objects.filter(bond=node.bond_id, pk__in=edges).shown().order_by("id"))
    said = {pk for event in events for pk in event.source_ids}
    lines = Message.objects.filter(bond=node.bond_id, pk__in=said).defer("embedding", "search", "sketch").in_bulk()
    return [Evidence(event, edges[event.pk], [lines[pk] for pk in event.source_ids]) for event in events]


@dataclass(frozen=True)
class Dependent:
    node: ConceptNode
    depth: int


@dataclass(frozen=True)
class Dependents:
    """What hangs on an event; all but `dependents` as ids. `messages` are those that would go with `lines=forget`."""

    node: int
    dependents: list[Dependent]
    messages: list[int]
    mentions: list[int]
    summaries: list[int]
    descriptions: list[int]
    similar: list[int]


def dependents(*, bond: Bond, event: Any, now: datetime) -> Dependents:
    """Everything that knows of an event: what cites it at any depth, its lines, entities, summaries, and what is much like it.

    `event` comes from `shown()`.
    """
    depths = citing(event)
    nodes = ConceptNode.objects.of(bond).filter(pk__in=depths).shown().order_by("id")
    entities = Entity.objects.of(bond).live().filter(mentions__node=event).order_by("id")
    lines = sorted({*event.source_ids, *echoes.of(bond=bond, lines=event.source_ids, nodes=[event])})
    told_in = Session.objects.of(bond).filter(messages__in=lines).exclude(summary="").distinct()
    return Dependents(
        node=event.pk,
        dependents=sorted((Dependent(node, depths[node.pk]) for node in nodes), key=lambda one: one.depth),
        messages=lines,
        mentions=[entity.pk for entity in entities],
        summaries=list(told_in.order_by("id").values_list("pk", flat=True)),
        descriptions=[entity.pk for entity in entities if entity.description],
        similar=similar(bond=bond, event=event, now=now),
    )


def from_lines(bond: Bond, lines: Sequence[int]) -> QuerySet[ConceptNode]:
    """The memories that were drawn from these lines, among others."""
    sources = NodeSource.objects.filter(message__in=lines).values("node")
    return ConceptNode.objects.of(bond).filter(pk__in=sources, deleted_at=None)


def citing(event: ConceptNode) -> dict[int, int]:
    """The nodes that rest on an event, directly (depth 1) or through others."""
    depths: dict[int, int] = {}
    reached: Sequence[int] = [event.pk]
    depth = 0
    while reached:
        depth += 1
        edges = Filling.objects.filter(bond=event.bond_id, child__in=reached, parent__deleted_at=None)
        reached = [pk for pk in set(edges.values_list("parent", flat=True)) if pk not in depths]
        depths |= dict.fromkeys(reached, depth)
    return depths


def similar(*, bond: Bond, event: ConceptNode, now: datetime) -> list[int]:
    """Live events that say nearly the same, nearest first."""
    found = memories.search(bond=bond, query=event.description, vector=event.embedding, now=now, k=SIMILAR_MOST)
    near = [
        item
        for item in found.items
        if item.node.type == ConceptNode.Type.EVENT
        and item.node.pk != event.pk
        and item.terms.relevance >= SIMILAR_FROM
    ]
    near.sort(key=lambda item: -item.terms.relevance)
    return [item.node.pk for item in near[:SIMILAR_MOST]]
