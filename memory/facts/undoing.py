"""Undo a write, for as long as its result stands. What it wrote is tombstoned by its text alone: its line may tell more."""

from collections.abc import Callable
from datetime import datetime, timedelta

from django.db import transaction
from django.utils.dateparse import parse_datetime

from echovessel import events
from memory import sessions
from memory.facts import changing
from memory.facts.drafts import FactError
from memory.forgetting import removal, trash
from memory.forgetting.removal import Along
from memory.forgetting.trash import TrashError
from memory.messages import tombstones
from memory.models import ConceptNode, Doubt, FactWrite, Forgotten, NodeLink, Tombstone
from memory.nodes import corrections, doubt_updates, links, staleness
from memory.nodes.corrections import CorrectionError

# How long a page offers it, and how long it is possible.
OFFERED_FOR = timedelta(hours=24)
POSSIBLE_FOR = timedelta(days=30)
Op, State = FactWrite.Op, ConceptNode.State


def is_offered(write: FactWrite, *, now: datetime) -> bool:
    """Whether a page shows the button; whether the result still stands is seen when it is pressed."""
    return write.undone_at is None and now - write.created_at <= OFFERED_FOR


def is_undoable(write: FactWrite, *, now: datetime) -> bool:
    return write.undone_at is None and now - write.created_at <= POSSIBLE_FOR


@transaction.atomic
def undo(*, write: FactWrite, now: datetime) -> FactWrite:
    """Undo a write; one that is undone stays so. Raises FactError `changed` where its result does not stand any more."""
    sessions.lock_bond(write.bond)
    write.refresh_from_db(from_queryset=FactWrite.objects.select_related("bond", "node__bond"))
    if write.undone_at is not None:
        return write
    if not is_undoable(write, now=now):
        raise FactError("changed", "This was changed more than 30 days ago.")
    doubt_updates.free_slots(bond=write.bond, nodes=[write.node_id, *write.old], now=now)
    try:
        UNDOERS[Op(write.op)](write, now)
    except (CorrectionError, TrashError) as error:
        raise FactError("changed", error.sentence, **error.values) from error
    mark_undone(write, now)
    return write


def mark_undone(write: FactWrite, now: datetime) -> None:
    write.undone_at = now
    write.save(update_fields=["undone_at"])
    events.record(bond_id=write.bond_id, type="memory.fact.undone", refs={"write": write.pk}, now=now)


def undo_saved(write: FactWrite, now: datetime) -> None:
    # What was saved as history stands as history.
    born = write.before.get("state")
    require_standing(write, *([born] if born else [State.LIVE, State.UNCERTAIN]))
    removal.forget_node(node=write.node, along=Along(with_lines=False), now=now)


def undo_changed(write: FactWrite, now: datetime) -> None:
    node = require_standing(write, State.LIVE)
    if "restored" in write.before:
        undo_restored(write, node, now)
        return
    first, *others = load_old(write, superseded_by=node.pk)
    corrections.restore(node=first, now=now)
    for other in others:
        corrections.require_free_slot(other)
        revive(other, now)
    # What was never so is not told as the past.
    ConceptNode.objects.filter(pk=node.pk).update(state_reason=changing.WRONG)
    tombstones.create_for_nodes(bond=write.bond, nodes=[node], with_lines=False, now=now)


def undo_restored(write: FactWrite, node: ConceptNode, now: datetime) -> None:
    """Make a fact that was brought back history again; nothing of it is unlearned."""
    for newer in load_old(write, superseded_by=node.pk):
        corrections.restore(node=newer, now=now)
        return
    corrections.retire(node, reason=write.before["restored"], now=now)
    node.announce_update("state", now=now)
    staleness.refresh(bond=node.bond, nodes=[node.pk], now=now)


def undo_ended(write: FactWrite, now: datetime) -> None:
    node = require_standing(write, State.SUPERSEDED)
    if node.superseded_by_id is not None:
        raise build_changed()
    corrections.restore(node=node, now=now)


def undo_forgotten(write: FactWrite, now: datetime) -> None:
    act = trash.find(bond=write.bond, kind=Forgotten.Kind.FACT, object_id=write.node_id)
    take_back_rest(write, now)
    trash.restore(act=act, now=now)


def take_back_rest(write: FactWrite, now: datetime) -> None:
    """Take back what was noted of the rest of messages that a forgetting hid: they tell it themselves again, so it may be learned."""
    noted = FactWrite.objects.for_bond(write.bond).not_undone().filter(pk__in=write.before.get("noted", []))
    for saved in noted.filter(node__deleted_at=None, node__state=State.LIVE).select_related("bond", "node"):
        undo_saved(saved, now)
        tombstones.delete_for(bond=write.bond, of=Tombstone.Of.NODE, ids=[saved.node_id])
        mark_undone(saved, now)


def undo_confirmed(write: FactWrite, now: datetime) -> None:
    node = require_standing(write, State.LIVE)
    if node.last_confirmed_at != write.created_at:
        raise build_changed()
    at = write.before["last_confirmed_at"]
    node.last_confirmed_at = parse_datetime(at) if at else None
    node.tier, node.confidence = write.before["tier"], write.before["confidence"]
    node.mention_count = write.before["mention_count"]
    node.save(update_fields=["tier", "confidence", "mention_count", "last_confirmed_at"])
    node.announce_update("confidence", "mention_count", "last_confirmed_at", now=now)
    doubt_updates.update_doubts(bond=write.bond, nodes=[node.pk], now=now)


def undo_linked(write: FactWrite, now: datetime) -> None:
    link = NodeLink.objects.filter(bond=write.bond, pk=write.before["link"])
    if not link.exists():
        raise build_changed()
    link.delete()


def undo_merged(write: FactWrite, now: datetime) -> None:
    node = require_standing(write, State.LIVE)
    for one in load_old(write, superseded_by=node.pk):
        corrections.require_free_slot(one)
        revive(one, now)
    links.move_back([(pk, end, old) for pk, end, old in write.before["moved"]])
    node.confidence, node.mention_count = write.before["confidence"], write.before["mention_count"]
    node.save(update_fields=["confidence", "mention_count"])
    node.announce_update("confidence", "mention_count", now=now)


def undo_settled(write: FactWrite, now: datetime) -> None:
    """Let the sides of a doubt stand as they did, and open it again."""
    states: dict[str, str] = write.before["states"]
    losers = load_old(write, state=State.SUPERSEDED)
    if write.node_id not in write.old:
        take_back_winner(write, state=states.get(str(write.node_id), State.LIVE), now=now)
    for one in losers:
        state = states[str(one.pk)]
        if state == State.LIVE:
            corrections.require_free_slot(one)
        revive(one, now, state=state)
    links.move_back([(pk, end, old) for pk, end, old in write.before.get("moved", [])])
    doubts = Doubt.objects.for_bond(write.bond).filter(pk=write.before["doubt"], state=Doubt.State.SETTLED)
    for doubt in doubts.select_related("bond"):
        doubt.open_again(now=now)


def take_back_winner(write: FactWrite, *, state: str, now: datetime) -> None:
    """Give what won a doubt its state and trust of before: one that was uncertain leaves its slot first."""
    node = require_standing(write, State.LIVE)
    kept = {name: write.before[name] for name in ("tier", "confidence", "stale") if name in write.before}
    if "last_confirmed_at" in write.before:
        at = write.before["last_confirmed_at"]
        kept["last_confirmed_at"] = parse_datetime(at) if at else None
    if write.before.get("value_at"):
        kept |= {"slot": write.before["slot"], "value": node.description[slice(*write.before["value_at"])]}
    ConceptNode.objects.filter(pk=node.pk).update(state=state, **kept)
    node.announce_update("state", "confidence", now=now)


def require_standing(write: FactWrite, *states: str) -> ConceptNode:
    """Return the node of a write. Raises FactError `changed` where it was forgotten or is in another state."""
    node = write.node
    if node.deleted_at is not None or node.state not in states:
        raise build_changed()
    return node


def load_old(write: FactWrite, **stand: object) -> list[ConceptNode]:
    """Load what gave way, in its order. Raises FactError `changed` where one was forgotten or is not as it was left."""
    rows = ConceptNode.objects.for_bond(write.bond).not_deleted().filter(pk__in=write.old, **stand)
    found = {node.pk: node for node in rows.without_heavy_columns()}
    if len(found) != len(write.old):
        raise build_changed()
    return [found[pk] for pk in write.old]


def revive(node: ConceptNode, now: datetime, *, state: str = State.LIVE) -> None:
    corrections.revive(node, state=state)
    node.announce_update("state", "superseded_by", now=now)
    staleness.refresh(bond=node.bond, nodes=[node.pk], now=now)


def build_changed() -> FactError:
    return FactError("changed", "This has been changed since, so it cannot be undone.")


UNDOERS: dict[FactWrite.Op, Callable[[FactWrite, datetime], None]] = {
    Op.SAVED: undo_saved,
    Op.CHANGED: undo_changed,
    Op.ENDED: undo_ended,
    Op.FORGOTTEN: undo_forgotten,
    Op.CONFIRMED: undo_confirmed,
    Op.LINKED: undo_linked,
    Op.MERGED: undo_merged,
    Op.SETTLED: undo_settled,
}
