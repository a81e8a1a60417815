"""Open a doubt again: one that was let go, or one that was settled, whose settlement is undone."""

from collections.abc import Iterable
from datetime import datetime

from django.db import transaction

from memory import sessions
from memory.entities import merging
from memory.entities.merging import MergeError
from memory.facts import settlement, undoing
from memory.facts.drafts import FactError
from memory.facts.shared import presses
from memory.models import Doubt, EntityMerge, FactWrite, Separation

Settlement = FactWrite | EntityMerge | Separation


@transaction.atomic
def reopen(*, doubt: Doubt, now: datetime) -> None:
    """Open a doubt again: one that was let go as if it had not been asked, one that was settled as its undo leaves it.

    Raises FactError `changed`.
    """
    sessions.lock_bond(doubt.bond)
    doubt.refresh_from_db()
    if doubt.state == Doubt.State.SETTLED:
        undo_settled(doubt, now=now)
    elif doubt.state == Doubt.State.LET_GO:
        require_none_open(doubt)
        doubt.asked_in = []
        doubt.save(update_fields=["asked_in"])
        doubt.open_again(now=now)
    doubt.refresh_from_db()


def require_none_open(doubt: Doubt) -> None:
    """Raise FactError `changed` where a side is gone, or the same is in doubt again."""
    sides = {name: getattr(doubt, name) for name in ("a_node_id", "b_node_id", "a_entity_id", "b_entity_id")}
    if Doubt.objects.for_bond(doubt.bond).open().filter(**sides).exists():
        raise FactError("changed", "This is in doubt again.")
    if doubt.a_node_id is not None:
        settlement.load_sides(doubt)


def undo_settled(doubt: Doubt, *, now: datetime) -> None:
    """Undo what settled a doubt: a write on memories, a merge or a separation. Raises FactError `changed`."""
    undone = find_settlements([doubt], now=now).get(doubt.pk)
    try:
        if isinstance(undone, FactWrite):
            presses.undo(write=undone, now=now)
        elif isinstance(undone, EntityMerge):
            merging.undo(merge=undone, now=now)
        elif isinstance(undone, Separation):
            merging.undo_separation(a=undone.a, b=undone.b, now=now)
        else:
            raise FactError("changed", "This was settled by what was said since.")
    except MergeError as error:
        raise FactError("changed", error.sentence, **error.values) from error


def find_settlements(doubts: Iterable[Doubt], *, now: datetime) -> dict[int, Settlement]:
    """Find what settled these doubts of one bond and can be undone, by the doubt's id."""
    settled = [doubt for doubt in doubts if doubt.state == Doubt.State.SETTLED]
    if not settled:
        return {}
    bond = settled[0].bond_id
    writes = FactWrite.objects.filter(bond=bond, op=FactWrite.Op.SETTLED).not_undone().select_related("bond", "node")
    found: dict[int, Settlement] = {
        write.before["doubt"]: write for write in writes.order_by("id") if undoing.is_undoable(write, now=now)
    }
    merges = EntityMerge.objects.filter(bond=bond, undone_at=None).select_related("bond", "kept", "merged")
    apart = Separation.objects.filter(bond=bond).select_related("a__bond", "b__bond")
    decided: dict[frozenset[int], Settlement] = {frozenset((one.kept_id, one.merged_id)): one for one in merges}
    decided |= {frozenset((one.a_id, one.b_id)): one for one in apart}
    for doubt in settled:
        pair = frozenset(filter(None, (doubt.a_entity_id, doubt.b_entity_id)))
        if pair in decided:
            found[doubt.pk] = decided[pair]
    known = {doubt.pk for doubt in settled}
    return {pk: one for pk, one in found.items() if pk in known}
