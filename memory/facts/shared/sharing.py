"""Facts that a person tells all of their companions: a copy in each bond, so that every query still begins with a bond.

Only a person's press shares, and only a person's acts on the pages reach all copies: what changes in talk changes the
fact of one bond. All bonds are locked in the order of their ids.
"""

from collections.abc import Callable, Iterable, Sequence
from datetime import datetime
from functools import partial
from typing import Any

from django.db import transaction
from django.db.models import Case, F, OuterRef, Q, Subquery, When
from django.db.models.functions import NullIf

from memory.facts import changing, drafts, settlement, standing, writing
from memory.facts.drafts import OF_USER, FactDraft, FactError, PreparedFact
from memory.facts.writers import build_person_writer
from memory.forgetting import removal
from memory.forgetting.removal import Along
from memory.jobs.queue import enqueue
from memory.models import ConceptNode, FactWrite
from memory.nodes import corrections
from personas.models import Bond


def share(*, node: ConceptNode, now: datetime) -> list[FactWrite]:
    """Copy a live fact about the user into their other bonds. Returns what was written there; nothing where it is known.

    Raises FactError: `changed`; `invalid` where it is about this companion, `full` where a bond has no room: then none
    is shared.
    """
    require_about_user(node.facet)
    [fact] = drafts.prepare([build_draft(node)])
    with transaction.atomic():
        bonds = lock_bonds(node.bond)
        own = standing.reload_live(node.bond, node)
        return spread(own, fact, bonds=bonds, now=now)


def unshare(*, node: ConceptNode, now: datetime) -> int:
    """Let a fact stand in its own bond alone: the others of its family go to the trash. Returns how many.

    What was learned elsewhere from the same lines stays. Raises FactError `changed`.
    """
    writer = build_person_writer(now)
    with transaction.atomic():
        bonds = lock_bonds(node.bond)
        own = standing.reload_live(node.bond, node)
        others = [one for one in load_family(own, bonds) if one.pk != own.pk]
        root_id = own.copy_of_id or own.pk
        family = ConceptNode.objects.filter(Q(pk=root_id) | Q(copy_of=root_id), bond__in=bonds)
        family.update(shared=False, copy_of=None)
        for one in others:
            removal.forget_node(node=one, along=Along(with_lines=False), now=now)
            writing.record(FactWrite.Op.FORGOTTEN, node=one, writer=writer)
        own.announce_update("shared", now=writer.now)
    return len(others)


def copy_into_new(*, bond: Bond, now: datetime) -> int:
    """Copy what is told to all companions into a bond that has begun. Returns how many facts; it may run again."""
    roots = list(load_roots(bond, list_bonds(bond)))
    facts = drafts.prepare([build_draft(root) for root in roots]) if roots else []
    with transaction.atomic():
        still = {root.pk for root in load_roots(bond, lock_bonds(bond))}
        asked = [(root, fact) for root, fact in zip(roots, facts, strict=True) if root.pk in still]
        made = [copy(root, fact, bond=bond, now=now) for root, fact in asked]
    return len([write for write in made if write is not None])


def load_roots(bond: Bond, bonds: Iterable[Bond]) -> list[ConceptNode]:
    """Load the facts of the user's other bonds that are told to all companions."""
    shared = ConceptNode.objects.filter(bond__in=bonds, shared=True).exclude(bond=bond).live_facts()
    return list(shared.without_heavy_columns().order_by("bond", "id"))


def queue_copies(bond: Bond) -> None:
    """Let the worker copy what the user tells to all companions into a new bond, if there is anything."""
    if load_roots(bond, list_bonds(bond)):
        enqueue("memory.tasks.copy_shared_facts", bond.pk)


def spread(own: ConceptNode, fact: PreparedFact, *, bonds: Sequence[Bond], now: datetime) -> list[FactWrite]:
    """Copy a fact into those of the locked bonds that lack it. Returns what was written."""
    root = settle_root(own, bonds, now=now)
    made = [copy(root, fact, bond=bond, now=now) for bond in bonds if bond.pk != root.bond_id]
    return [write for write in made if write is not None]


def settle_root(own: ConceptNode, bonds: Sequence[Bond], *, now: datetime) -> ConceptNode:
    """Return the fact that the copies name. Where that one holds no longer, this one takes its place."""
    if own.copy_of_id is not None:
        for one in load_family(own, bonds):
            if one.pk == own.copy_of_id:
                return one
        ConceptNode.objects.filter(copy_of=own.copy_of_id, bond__in=bonds).exclude(pk=own.pk).update(copy_of=own)
    if own.copy_of_id is not None or not own.shared:
        ConceptNode.objects.filter(pk=own.pk).update(shared=True, copy_of=None)
        own.announce_update("shared", now=now)
    return own


def hand_over(bond: Bond) -> None:
    """Let the copies of a bond's facts stay together without it, when it is erased: the first that holds takes their place."""
    copies = ConceptNode.objects.filter(copy_of__bond=bond).exclude(bond=bond)
    alike = ConceptNode.objects.live_facts().filter(copy_of=OuterRef("copy_of")).exclude(bond=bond)
    first = Subquery(alike.order_by("pk").values("pk")[:1])
    copies.update(copy_of=NullIf(first, F("pk")), shared=Case(When(pk=first, then=True), default=False))


def copy(root: ConceptNode, fact: PreparedFact, *, bond: Bond, now: datetime) -> FactWrite | None:
    """Copy a fact into a bond, under its lock. A fact that says the same there becomes the copy: None is returned."""
    if standing.load_live(bond).filter(copy_of=root).exists():
        return None
    write = writing.save(bond=bond, fact=fact, writer=build_person_writer(now), accepts_near=True)
    made = standing.find_told(bond, fact.draft) if write is None else write.node
    ConceptNode.objects.filter(pk=made.pk).update(copy_of=root, shared=False)
    return write


def replace(*, node: ConceptNode, draft: FactDraft, now: datetime) -> list[FactWrite]:
    """Write a fact in place of one and of all its copies. Returns the write of its own bond first.

    What was uncertain is so by this, in the new words: its doubt is settled. Raises FactError: `invalid`, `secret`, `unsafe`, `changed`.
    """
    [fact] = drafts.prepare([draft])
    writer = build_person_writer(now)
    with transaction.atomic():
        lock_bonds(node.bond)
        if node.state == ConceptNode.State.UNCERTAIN:
            settlement.settle_confirmed(node, writer=writer)
        family = lock_family(node)
        if len(family) > 1:
            require_about_user(draft.facet or node.facet)
        writes = [writing.replace(bond=one.bond, old=one, fact=fact, writer=writer) for one in family]
        root_id, is_shared = node.copy_of_id or node.pk, any(one.shared for one in family)
        root, *copies = sorted(writes, key=lambda write: (root_id not in write.old, write.pk))
        ConceptNode.objects.filter(pk=root.node_id).update(shared=is_shared)
        ConceptNode.objects.filter(pk__in=[write.node_id for write in copies]).update(copy_of=root.node_id)
    return writes


@transaction.atomic
def act_on_family(act: Callable[..., FactWrite], *, node: ConceptNode, now: datetime, **asked: str) -> list[FactWrite]:
    """Do the same with a fact and all its copies. Returns the write of its own bond first. Raises FactError."""
    writer = build_person_writer(now)
    return [act(bond=one.bond, node=one, writer=writer, **asked) for one in lock_family(node)]


end = partial(act_on_family, changing.end)
confirm = partial(act_on_family, changing.confirm)


def forget(*, node: ConceptNode, sources: str = removal.KEEP, now: datetime) -> list[FactWrite]:
    """Forget a fact with all its copies, as `act_on_family`. Its messages may go where it is forgotten; the reader was shown no others."""

    def forget_there(*, bond: Bond, **of: Any) -> FactWrite:
        return changing.forget(bond=bond, sources=sources if bond.pk == node.bond_id else removal.KEEP, **of)

    return act_on_family(forget_there, node=node, now=now)


def restore(*, node: ConceptNode, now: datetime) -> list[FactWrite]:
    """Let a past fact hold again, with every companion where it was told to all. Returns the write of its own bond first.

    Raises FactError: `changed`, `full`.
    """
    [fact] = drafts.prepare([build_draft(node)])
    writer = build_person_writer(now)
    with transaction.atomic():
        bonds = lock_bonds(node.bond)
        newer = corrections.find_successor(node)
        write = changing.restore(bond=node.bond, node=node, writer=writer)
        if not find_root(node).shared:
            return [write]
        replaced = load_family(newer, bonds) if newer else []
        changed = [writing.replace(bond=one.bond, old=one, fact=fact, writer=writer) for one in replaced]
        return [write, *changed, *spread(write.node, fact, bonds=bonds, now=now)]


def lock_family(node: ConceptNode) -> list[ConceptNode]:
    """Lock the bonds of a fact's user, and load the fact, which must still hold, and after it its copies."""
    bonds = lock_bonds(node.bond)
    standing.reload_live(node.bond, node)
    return sorted(load_family(node, bonds), key=lambda one: one.pk != node.pk)


def load_family(node: ConceptNode, bonds: Iterable[Bond]) -> list[ConceptNode]:
    """Load what holds of a fact and its copies, in the order of the bonds. One that changed in talk is none any more."""
    root_id, by_id = node.copy_of_id or node.pk, {bond.pk: bond for bond in bonds}
    live = ConceptNode.objects.filter(Q(pk=root_id) | Q(copy_of=root_id), bond__in=by_id).live_facts()
    family = list(live.without_heavy_columns().order_by("bond", "id"))
    for one in family:
        one.bond = by_id[one.bond_id]
    return family


def find_root(node: ConceptNode) -> ConceptNode:
    return node if node.copy_of is None else node.copy_of


def list_bonds(bond: Bond) -> list[Bond]:
    return list(Bond.objects.for_user(bond.user).order_by("id"))


def lock_bonds(bond: Bond) -> list[Bond]:
    """Lock all bonds of a bond's user, in the order of their ids, and return them."""
    bonds = Bond.objects.for_user(bond.user).select_related("user", "persona").order_by("id")
    return list(bonds.select_for_update(of=("self",), no_key=True))


def require_about_user(facet: str) -> None:
    if facet not in OF_USER:
        raise FactError("invalid", "Only what is about you can be told to all companions.")


def build_draft(node: ConceptNode) -> FactDraft:
    return FactDraft(
        content=node.description,
        facet=node.facet,
        detail=node.detail,
        slot=node.slot,
        value=node.value,
        since=node.event_time_start,
        until=node.event_time_end,
    )
