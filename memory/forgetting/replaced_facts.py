"""Facts that messages changed or ended hold again when the messages are taken back, and no more when these are restored."""

from collections.abc import Collection, Iterable, Sequence
from datetime import datetime
from typing import Any

from django.db.models import Q
from django.utils.dateparse import parse_datetime

from echovessel import events
from memory.models import ConceptNode, FactWrite, Message, NodeSource
from memory.nodes import corrections, staleness
from memory.nodes.corrections import CorrectionError
from personas.models import Bond

Op, By, State = FactWrite.Op, FactWrite.By, ConceptNode.State
# Who writes what was said in a talk: an act of a person on a page stands by itself.
OF_TALKS = (By.RULE, By.TOOL, By.BACKSTOP, By.CLOSE)


def find_changes(bond: Bond, *, lines: Collection[int]) -> list[FactWrite]:
    """Find the changes and ends of facts that came of these messages alone and still stand, newest first.

    What took the place of a fact has the messages of that one, too: it came of these alone where it has no other.
    """
    cited = NodeSource.objects.filter(bond=bond, message__in=lines)
    turns = Message.objects.for_bond(bond).filter(pk__in=lines).exclude(turn_id=None).values("turn_id")
    of_talks = FactWrite.objects.for_bond(bond).not_undone().filter(by__in=OF_TALKS, node__deleted_at=None)
    writes = of_talks.filter(Q(op=Op.CHANGED, node__in=cited.values("node")) | Q(op=Op.ENDED, turn_id__in=turns))
    found: list[FactWrite] = []
    for write in writes.exclude(before__has_key="restored").select_related("node", "bond").order_by("-id"):
        if stands(write, later=found) and rests_on(write, lines=lines):
            found.append(write)
    return found


def stands(write: FactWrite, *, later: Sequence[FactWrite]) -> bool:
    """Whether nothing but these later writes came after it."""
    node = write.node
    if write.op == Op.ENDED:
        return node.state == State.SUPERSEDED and node.superseded_by_id is None
    return node.state != State.SUPERSEDED or any(
        one.node_id == node.superseded_by_id or (one.op == Op.ENDED and one.node_id == node.pk) for one in later
    )


def rests_on(write: FactWrite, *, lines: Collection[int]) -> bool:
    if write.op == Op.ENDED:
        return True
    own = NodeSource.objects.without_deleted_messages().filter(node=write.node_id).exclude(message__in=lines)
    inherited = NodeSource.objects.filter(node__in=write.old).values("message")
    return not own.exclude(message__in=inherited).exists()


def detach(writes: Iterable[FactWrite], *, gone: Collection[int]) -> list[list[Any]]:
    """Let the facts that gave way by these writes stand apart from what takes their place and is about to be hidden.

    Returns each as it was: its id, what replaced it, why, and until when it was believed.
    """
    gave_way = [pk for write in writes for pk in (write.old if write.op == Op.CHANGED else [write.node_id])]
    made = {write.node_id for write in writes if write.op == Op.CHANGED}
    past = ConceptNode.objects.not_deleted().filter(pk__in=gave_way, state=State.SUPERSEDED).exclude(pk__in=gone)
    there = past.filter(Q(superseded_by=None) | Q(superseded_by__in=made)).order_by("id")
    rows = there.values_list("pk", "superseded_by", "state_reason", "valid_until")
    found = [[pk, newer, reason, until and until.isoformat()] for pk, newer, reason, until in rows]
    ConceptNode.objects.filter(pk__in=[one[0] for one in found]).update(superseded_by=None)
    return found


def revive(bond: Bond, *, detached: Sequence[Sequence[Any]], now: datetime) -> list[int]:
    """Let these facts hold again, unless another stands in their slot. Returns the ids of those that do."""
    revived = []
    newer = {one[0]: one[1] for one in detached}
    for node in ConceptNode.objects.filter(pk__in=newer).order_by("id"):
        try:
            corrections.require_free_slot(node)
        except CorrectionError:
            ConceptNode.objects.filter(pk=node.pk).update(superseded_by=newer[node.pk])
            continue
        corrections.revive(node, state=State.LIVE)
        node.announce_update("state", "superseded_by", now=now)
        revived.append(node.pk)
    staleness.refresh(bond=bond, nodes=revived, now=now)
    return revived


def undo(writes: Iterable[FactWrite], *, now: datetime) -> list[int]:
    """Mark these writes as undone. Returns their ids."""
    ids = [write.pk for write in writes]
    FactWrite.objects.filter(pk__in=ids).update(undone_at=now)
    for write in writes:
        events.record(bond_id=write.bond_id, type="memory.fact.undone", refs={"write": write.pk}, now=now)
    return ids


def replace_again(bond: Bond, *, detached: Iterable[Sequence[Any]], now: datetime) -> None:
    """Make facts that came to hold again history as they were, so that what replaced them can be restored."""
    for pk, newer, reason, until in detached:
        columns = {
            "state": State.SUPERSEDED,
            "superseded_by": newer,
            "state_reason": reason,
            "valid_until": parse_datetime(until) if until else None,
        }
        node = ConceptNode.objects.for_bond(bond).not_deleted().filter(pk=pk, superseded_by=None).first()
        if node is not None:
            ConceptNode.objects.filter(pk=pk).update(**columns)
            node.announce_update("state", "superseded_by", now=now)


def redo(bond: Bond, *, writes: Collection[int], undone_at: datetime, now: datetime) -> None:
    """Mark writes that were undone at this time as standing again."""
    rows = FactWrite.objects.for_bond(bond).filter(pk__in=writes, undone_at=undone_at).order_by("id")
    ids = list(rows.values_list("pk", flat=True))
    FactWrite.objects.filter(pk__in=ids).update(undone_at=None)
    for pk in ids:
        events.record(bond_id=bond.pk, type="memory.fact.written", refs={"write": pk}, now=now)
