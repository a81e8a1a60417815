"""Undo a person's press on a shared fact, also from the trash: it was one act in several bonds, each with its write."""

from collections.abc import Iterable
from datetime import datetime

from django.db import transaction

from memory.facts import undoing
from memory.facts.drafts import FactError
from memory.facts.shared import sharing
from memory.forgetting import trash
from memory.models import ConceptNode, FactWrite, Forgotten
from personas.models import Bond

By, Op = FactWrite.By, FactWrite.Op
# What a press does with all copies alike.
ON_ALL = (Op.CHANGED, Op.ENDED, Op.CONFIRMED, Op.FORGOTTEN, Op.SETTLED)
# What settles a doubt in one bond replaces or ends a copy in the others.
ELSEWHERE = {Op.SETTLED: (Op.CHANGED, Op.ENDED)}


def undo(*, write: FactWrite, now: datetime) -> list[FactWrite]:
    """Undo a write, and where it was a press on a shared fact, that press in every bond. Returns the write of its own bond
    first; a bond in which the fact was changed since is left as it is.

    Raises FactError `changed` where the result does not stand any more in the write's own bond.
    """
    with transaction.atomic():
        bonds = sharing.lock_bonds(write.bond)
        was_undone = write.undone_at is not None
        undone = [undoing.undo(write=write, now=now)]
        others = [] if was_undone else find_same_press(write, bonds)
        return undone + [other for other in others if undo_elsewhere(other, now)]


def restore(*, act: Forgotten, now: datetime) -> None:
    """Restore what was forgotten; where it was by a press on a fact, as its undo does. Raises FactError, TrashError."""
    press = {"by": By.PERSON, "op": Op.FORGOTTEN, "created_at": act.created_at, "node": act.object_id}
    writes = FactWrite.objects.for_bond(act.bond).not_undone().filter(**press).select_related("bond__user", "node")
    write = writes.first() if act.kind == Forgotten.Kind.FACT else None
    if write is None:
        trash.restore(act=act, now=now)
    else:
        undo(write=write, now=now)


def find_same_press(write: FactWrite, bonds: Iterable[Bond]) -> list[FactWrite]:
    """Find what the same press wrote in other bonds: the same act at the same moment, on a fact of the same family."""
    if write.by != By.PERSON or write.op not in ON_ALL:
        return []
    others = [bond.pk for bond in bonds if bond.pk != write.bond_id]
    ops = ELSEWHERE.get(Op(write.op), (write.op,))
    alike = FactWrite.objects.filter(bond__in=others, by=By.PERSON, op__in=ops, created_at=write.created_at)
    rows = alike.filter(undone_at=None).select_related("node", "bond__user", "bond__persona").order_by("bond", "id")
    acted = ConceptNode.objects.filter(pk__in=[write.node_id, *write.old])
    roots = {copy_of or pk for pk, copy_of in acted.values_list("pk", "copy_of")}
    return [other for other in rows if not roots.isdisjoint((other.node_id, other.node.copy_of_id))]


def undo_elsewhere(write: FactWrite, now: datetime) -> bool:
    """Undo the write of another bond; False where its result does not stand any more."""
    try:
        with transaction.atomic():
            undoing.undo(write=write, now=now)
    except FactError:
        return False
    return True
