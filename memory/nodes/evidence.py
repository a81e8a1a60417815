"""Links between memories, and between memories and messages, in both directions."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Exists, OuterRef, QuerySet

from memory.models import ConceptNode, Filling, Message, NodeSource
from memory.nodes import staleness
from personas.models import Bond

# How many facts a job reads beside the events.
FACTS_MOST = 10


@dataclass(frozen=True)
class Evidence:
    event: Any  # a ConceptNode from `for_serializer()`
    orphaned: bool
    messages: list[Message]


def cite(node: ConceptNode, cited: Sequence[int], *, now: datetime) -> None:
    """Add these nodes as evidence of one that does not cite them yet, and revive the stale ones. The caller has locked the bond."""
    Filling.objects.bulk_create(Filling(bond=node.bond, parent=node, child_id=child) for child in cited)
    staleness.revive_cited(bond=node.bond, nodes=cited, now=now)


def carry_over(*, old: ConceptNode, new: ConceptNode, now: datetime) -> None:
    """Let what cites a node cite the one that says the same better, too. The caller has locked the bond."""
    citing = Filling.objects.filter(child=old, orphaned=False).values_list("parent", flat=True)
    edges = [Filling(bond=new.bond, parent_id=parent, child=new) for parent in citing]
    Filling.objects.bulk_create(edges, ignore_conflicts=True)
    staleness.propagate(bond=new.bond, nodes=[new.pk], now=now)


def load(node: ConceptNode) -> list[Evidence]:
    """Load the events that a thought cites, each with its source messages. What a chat asked to forget is not among them."""
    edges = dict(node.filling_edges.filter(child__deleted_at=None).values_list("child", "orphaned"))
    events: list[Any] = list(
        ConceptNode.objects.filter(bond=node.bond_id, pk__in=edges).for_serializer().order_by("id")
    )
    said = {pk for event in events for pk in event.source_ids}
    told = Message.objects.filter(bond=node.bond_id, pk__in=said).not_hidden(node.bond_id)
    messages = told.without_heavy_columns().in_bulk()
    return [
        Evidence(event, edges[event.pk], [messages[pk] for pk in event.source_ids if pk in messages])
        for event in events
    ]


def load_newest_facts(bond: Bond) -> list[Any]:
    """Load the newest facts, oldest first, with the time they were told: thoughts cite them as they cite events."""
    facts = ConceptNode.objects.for_bond(bond).live_facts().without_heavy_columns("terms").with_told_at()
    return list(reversed(facts.order_by("-created_at", "-id")[:FACTS_MOST]))


def find_drawn_from_messages(bond: Bond, lines: Sequence[int]) -> QuerySet[ConceptNode]:
    """Find the memories that were drawn from any of these messages."""
    sources = NodeSource.objects.filter(message__in=lines).values("node")
    return ConceptNode.objects.for_bond(bond).not_deleted().filter(pk__in=sources)


def find_citing_depths(event: ConceptNode) -> dict[int, int]:
    """Find the nodes that rest on an event, directly (depth 1) or through others. A fact rests on its messages."""
    depths: dict[int, int] = {}
    reached: Sequence[int] = [event.pk]
    depth = 0
    while reached:
        depth += 1
        edges = Filling.objects.without_deleted_parents().filter(bond=event.bond_id, child__in=reached)
        resting = edges.exclude(parent__type=ConceptNode.Type.FACT)
        reached = [pk for pk in set(resting.values_list("parent", flat=True)) if pk not in depths]
        depths |= dict.fromkeys(reached, depth)
    return depths


def add_dependents(nodes: Iterable[int], *, bond: Bond) -> set[int]:
    """Return these memories and, at any depth, those that cite only them. A fact rests on its messages."""
    found: set[int] = set()
    reached = set(nodes)
    while reached:
        found |= reached
        cited = Filling.objects.not_orphaned().filter(parent=OuterRef("pk"))
        citing = Filling.objects.filter(child__in=reached, orphaned=False).values("parent")
        resting = ConceptNode.objects.for_bond(bond).not_deleted().not_facts().filter(pk__in=citing)
        resting = resting.exclude(pk__in=found)
        reached = set(resting.filter(~Exists(cited.exclude(child__in=found))).values_list("pk", flat=True))
    return found
