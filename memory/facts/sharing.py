"""Facts that a person tells all of their companions: a copy in each bond, so that every query still begins with a bond.

Only a person's press shares, and only a person's acts on the pages reach all copies: what changes in talk changes the
fact of one bond. All bonds are locked in the order of their ids.
"""

from collections.abc import Callable, Iterable, Sequence
from datetime import datetime

from django.db import transaction
from django.db.models import Q

from memory import sessions
from memory.facts import changing, drafts, standing, writing
from memory.facts.drafts import OF_USER, FactDraft, FactError, PreparedFact
from memory.facts.writers import Writer
from memory.models import ConceptNode, FactWrite
from memory.queue import enqueue
from personas.models import Bond

Act = Callable[[Bond, ConceptNode], FactWrite]


def share(*, node: ConceptNode, now: datetime) -> list[FactWrite]:
    """Copy a live fact about the user into their other bonds. Returns what was written there; nothing where it is known.

    Raises FactError: `changed`; `invalid` where it is about this companion, `full` where a bond has no room: then none
    is shared.
    """
    if node.facet not in OF_USER:
        raise FactError("invalid", "Only what is about you can be told to all companions.")
    [fact] = drafts.prepare([build_draft(node)])
    bonds = list_bonds(node.bond)
    with transaction.atomic():
        lock(bonds)
        root = standing.reload_live(node.bond, node)
        if root.copy_of_id is None and not root.shared:
            ConceptNode.objects.filter(pk=root.pk).update(shared=True)
            announce_sharing(root, now=now)
        others = [bond for bond in bonds if bond.pk != root.bond_id]
        made = [copy(root, fact, bond=bond, now=now) for bond in others]
    return [write for write in made if write is not None]


def unshare(*, node: ConceptNode, now: datetime) -> int:
    """Let a fact stand in its first bond alone: the copies go to the trash. Returns how many."""
    bonds = list_bonds(node.bond)
    with transaction.atomic():
        lock(bonds)
        root = find_root(node)
        ConceptNode.objects.filter(pk=root.pk).update(shared=False)
        announce_sharing(root, now=now)
        copies = [one for one in load_family(node, bonds) if one.pk != root.pk]
        for one in copies:
            changing.forget(bond=one.bond, node=one, writer=build_writer(now))
    return len(copies)


def copy_into_new(*, bond: Bond, now: datetime) -> int:
    """Copy what is told to all companions into a bond that has begun. Returns how many facts; it may run again."""
    roots = [
        fact
        for other in list_bonds(bond)
        if other.pk != bond.pk
        for fact in standing.load_live(other).without_heavy_columns().filter(shared=True).order_by("id")
    ]
    facts = drafts.prepare([build_draft(root) for root in roots]) if roots else []
    with transaction.atomic():
        sessions.lock_bond(bond)
        made = [copy(root, fact, bond=bond, now=now) for root, fact in zip(roots, facts, strict=True)]
    return len([write for write in made if write is not None])


def queue_copies(bond: Bond) -> None:
    """Let the worker copy what the user tells to all companions into a new bond, if there is anything."""
    if any(standing.load_live(other).filter(shared=True).exists() for other in list_bonds(bond)):
        enqueue("memory.tasks.copy_shared_facts", bond.pk)


def copy(root: ConceptNode, fact: PreparedFact, *, bond: Bond, now: datetime) -> FactWrite | None:
    """Copy a fact into a bond, under its lock. A fact that says the same there becomes the copy: None is returned."""
    if standing.load_live(bond).filter(copy_of=root).exists():
        return None
    write = writing.save(bond=bond, fact=fact, writer=build_writer(now), accepts_near=True)
    if write is not None:
        made = write.node
    else:
        alike = standing.load_live(bond).without_heavy_columns().filter(facet=fact.draft.facet)
        found = standing.find_same(list(alike), fact.draft)
        assert found is not None  # it is why nothing was written
        made = found
    ConceptNode.objects.filter(pk=made.pk).update(copy_of=root)
    return write


def replace(*, node: ConceptNode, draft: FactDraft, now: datetime) -> list[FactWrite]:
    """Write a fact in place of one and of all its copies. Returns the write of its own bond first. Raises FactError."""
    [fact] = drafts.prepare([draft])
    writer = build_writer(now)
    writes = act(node, lambda bond, one: writing.replace(bond=bond, old=one, fact=fact, writer=writer))
    root, *copies = sorted(writes, key=lambda write: (find_root(node).pk not in write.old, write.pk))
    is_shared = find_root(node).shared
    ConceptNode.objects.filter(pk=root.node_id).update(shared=is_shared)
    ConceptNode.objects.filter(pk__in=[write.node_id for write in copies]).update(copy_of=root.node_id)
    return writes


def end(*, node: ConceptNode, now: datetime, reason: str = changing.ENDED) -> list[FactWrite]:
    """End a fact and all its copies. Returns the write of its own bond first. Raises FactError."""
    writer = build_writer(now)
    return act(node, lambda bond, one: changing.end(bond=bond, node=one, writer=writer, reason=reason))


def confirm(*, node: ConceptNode, now: datetime) -> list[FactWrite]:
    """Confirm a fact and all its copies. Returns the write of its own bond first. Raises FactError."""
    writer = build_writer(now)
    return act(node, lambda bond, one: changing.confirm(bond=bond, node=one, writer=writer))


def forget(*, node: ConceptNode, now: datetime) -> list[FactWrite]:
    """Forget a fact and all its copies. Returns the write of its own bond first. Raises FactError."""
    writer = build_writer(now)
    return act(node, lambda bond, one: changing.forget(bond=bond, node=one, writer=writer))


@transaction.atomic
def act(node: ConceptNode, change: Act) -> list[FactWrite]:
    """Do the same to a fact and to all its copies, in one transaction. The fact itself must still hold."""
    bonds = list_bonds(node.bond)
    lock(bonds)
    own = standing.reload_live(node.bond, node)
    others = [one for one in load_family(own, bonds) if one.pk != own.pk]
    return [change(one.bond, one) for one in (own, *others)]


def load_family(node: ConceptNode, bonds: Iterable[Bond]) -> list[ConceptNode]:
    """Load what holds of a fact and its copies, in the order of the bonds. One that changed in talk is none any more."""
    root_id = node.copy_of_id or node.pk
    family: list[ConceptNode] = []
    for bond in bonds:
        of_bond = standing.load_live(bond).without_heavy_columns().filter(Q(pk=root_id) | Q(copy_of=root_id))
        for one in of_bond.order_by("id"):
            one.bond = bond
            family.append(one)
    return family


def find_root(node: ConceptNode) -> ConceptNode:
    return node if node.copy_of is None else node.copy_of


def list_bonds(bond: Bond) -> list[Bond]:
    """List the bonds of a bond's user, in the order in which they are locked."""
    return list(Bond.objects.for_user(bond.user).select_related("user", "persona").order_by("id"))


def lock(bonds: Sequence[Bond]) -> None:
    for bond in bonds:
        sessions.lock_bond(bond)


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


def build_writer(now: datetime) -> Writer:
    return Writer(by=FactWrite.By.PERSON, tier=ConceptNode.Tier.STATED, now=now)


def announce_sharing(node: ConceptNode, *, now: datetime) -> None:
    writing.announce(node, ["shared"], build_writer(now))
