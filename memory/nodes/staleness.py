"""Mark memories stale when all their evidence is superseded, and revive them when it is current again."""

from collections.abc import Collection
from datetime import datetime

from django.db.models import Exists, OuterRef

from echovessel import events
from memory.entities import merging
from memory.models import ConceptNode, Entity, Filling
from memory.models.nodes import ConceptNodeQuerySet
from memory.nodes import doubt_updates
from personas.models import Bond


def refresh(*, bond: Bond, nodes: Collection[int], now: datetime) -> None:
    """Recompute what cites these nodes, whose state has changed; the caller has locked the bond.

    Thoughts, expectations and intentions whose evidence is all superseded become stale, the others current, and so on
    with what cites them. Forgotten evidence does not count. Descriptions that came from an event superseded now are
    emptied, to be written anew; a person's stay. Doubts follow what changed, as `doubt_updates` says.
    """
    if not nodes:
        return
    superseded = ConceptNode.objects.for_bond(bond).filter(pk__in=nodes, state=ConceptNode.State.SUPERSEDED)
    described = Entity.objects.for_bond(bond).filter(mentions__node__in=superseded).values_list("pk", flat=True)
    empty_descriptions(merging.collect_merged_ids(described), bond=bond, now=now)
    followed = propagate(bond=bond, nodes=nodes, now=now)
    doubt_updates.update_doubts(bond=bond, nodes=nodes, now=now)
    if followed:
        doubt_updates.update_stale_thoughts(bond=bond, thoughts=followed, now=now)


def propagate(
    *, bond: Bond, nodes: Collection[int], now: datetime, ways: Collection[bool] = (True, False)
) -> list[int]:
    """Mark what cites these nodes as stale or current, at any depth. Returns the changed ids."""
    followed: list[int] = []
    # Memories that cite each other in a circle would toggle for ever.
    seen: set[tuple[int, bool]] = set()
    reached: Collection[int] = nodes
    while reached:
        changed = [(pk, stale) for stale in ways for pk in update_stale(bond=bond, children=reached, stale=stale)]
        reached = [pk for pk, stale in changed if (pk, stale) not in seen]
        seen.update(changed)
        for pk, _ in changed:
            announce(bond=bond, node_id=pk, now=now)
        followed += reached
    return followed


def revive_cited(*, bond: Bond, nodes: Collection[int], now: datetime) -> None:
    stale = ConceptNode.objects.for_bond(bond).not_deleted().filter(pk__in=nodes, stale=True)
    for pk in stale.order_by("id").values_list("pk", flat=True):
        ConceptNode.objects.filter(pk=pk).update(stale=False)
        announce(bond=bond, node_id=pk, now=now)


def update_stale(*, bond: Bond, children: Collection[int], stale: bool) -> list[int]:
    """Mark the nodes that cite these as stale or current. Returns the changed ids."""
    evidence = Filling.objects.not_orphaned().filter(parent=OuterRef("pk"))
    holds = Exists(evidence.filter(child__stale=False).exclude(child__state=ConceptNode.State.SUPERSEDED))
    resting = find_citing_nodes(bond=bond, children=children).filter(Exists(evidence), stale=not stale)
    due = list(resting.filter(~holds if stale else holds).order_by("id").values_list("pk", flat=True))
    ConceptNode.objects.filter(pk__in=due).update(stale=stale)
    return due


def find_citing_nodes(*, bond: Bond, children: Collection[int]) -> ConceptNodeQuerySet:
    """Find nodes that cite one of these and are neither forgotten nor settled. A fact stands on its messages."""
    cites = Filling.objects.filter(parent=OuterRef("pk"), child__in=children, orphaned=False)
    nodes = ConceptNode.objects.for_bond(bond).not_deleted().not_facts().filter(Exists(cites))
    return nodes.exclude(state__in=ConceptNode.SETTLED)


def empty_descriptions(ids: Collection[int], *, bond: Bond, now: datetime) -> None:
    """Empty the descriptions of entities, given with those merged into them: their links moved."""
    written = Entity.objects.filter(pk__in=ids).exclude(description_by=Entity.Author.OWNER).exclude(description="")
    seen = list(written.not_deleted_or_merged().order_by("id").values_list("pk", flat=True))
    written.update(description="", description_by="")
    for pk in seen:
        events.record(bond_id=bond.pk, type="memory.entity.description_updated", refs={"entity": pk}, now=now)


def announce(*, bond: Bond, node_id: int, now: datetime) -> None:
    refs = {"node": node_id, "changed": ["stale"]}
    events.record(bond_id=bond.pk, type="memory.node.updated", refs=refs, now=now)
