"""Doubts that a change of one side decides, without an answer to their question: what was corrected, ended or told anew.

| what happened | outcome | the uncertain fact |
|---|---|---|
| *that* ended | this | holds |
| *that* was replaced by what *this* says | this | is history |
| *that* was replaced by something else | neither | is history |
| *that* was told anew by the user, or only its wording changed | that | is history |
| *this* was replaced or ended | that | |
| one was merged into another | none: that one takes its place | |

A side that stands again, since the change was undone, opens its doubt again. A thought that became stale opens one.
"""

from collections.abc import Collection
from datetime import datetime

from django.db.models import Value
from django.db.models.functions import Greatest

from echovessel import text
from memory.models import ConceptNode, Doubt, FactWrite
from personas.models import Bond

SETTLED, MERGED = "settled", "merged"
Outcome, State = Doubt.Outcome, ConceptNode.State


def update_doubts(*, bond: Bond, nodes: Collection[int], now: datetime) -> None:
    """Settle or open again the doubts about these nodes, whose state has changed. The caller has locked the bond."""
    doubts = Doubt.objects.for_bond(bond).about_nodes(*nodes).exclude(outcome=Outcome.GONE)
    for doubt in doubts.select_related("a_node__superseded_by", "b_node__superseded_by", "bond").order_by("id"):
        is_whole = all(stands(side) for side in (doubt.a_node, doubt.b_node) if side is not None)
        if doubt.state == Doubt.State.SETTLED:
            reopen(doubt, now=now)
        elif not is_whole and not move_to_survivor(doubt):
            settle(doubt, outcome=find_outcome(doubt), now=now)


def update_stale_thoughts(*, bond: Bond, thoughts: Collection[int], now: datetime) -> None:
    """Open doubts about the thoughts among these that are stale now, and settle those about the ones that are current."""
    rows = ConceptNode.objects.for_bond(bond).not_deleted().thoughts().filter(pk__in=thoughts, state=State.LIVE)
    for thought in rows.without_heavy_columns().select_related("bond").order_by("id"):
        if thought.stale:
            Doubt.objects.open_about_nodes(kind=Doubt.Kind.STALE, this=thought, that=None, by=Doubt.BY_CHANGE, now=now)
        else:
            settle_confirmed(thought, by_user=False, now=now)


def settle_confirmed(node: ConceptNode, *, by_user: bool, now: datetime) -> None:
    """Settle what is in doubt about a node that was told anew; what the user states also settles what stands against it."""
    doubts = Doubt.objects.for_bond(node.bond).exclude(state=Doubt.State.SETTLED).about_nodes(node.pk)
    for doubt in doubts.select_related("a_node", "b_node", "bond").order_by("id"):
        if doubt.b_node is None:
            settle(doubt, outcome=Outcome.THIS, now=now)
        elif by_user:
            settle(doubt, outcome=Outcome.THAT if doubt.b_node_id == node.pk else Outcome.THIS, now=now)


def settle(doubt: Doubt, *, outcome: str, now: datetime) -> None:
    doubt.settle(outcome=outcome, now=now)
    this, that = doubt.a_node, doubt.b_node
    if this is not None and this.state == State.UNCERTAIN:
        holds = outcome == Outcome.THIS and (that is None or that.superseded_by is None)
        change(this, state=State.LIVE if holds else State.SUPERSEDED, now=now)


def move_to_survivor(doubt: Doubt) -> bool:
    """Let the memory that a side was merged into take its place. Returns whether one was, and is not the other side."""
    for name, other in (("a_node", doubt.b_node_id), ("b_node", doubt.a_node_id)):
        side = getattr(doubt, name)
        if side is not None and side.state_reason == MERGED and side.superseded_by_id not in (None, other):
            setattr(doubt, name, side.superseded_by)
            doubt.save(update_fields=[name])
            return True
    return False


def free_slots(*, bond: Bond, nodes: Collection[int], now: datetime) -> None:
    """Make what came to hold since one of these nodes ended uncertain again, so that its slot is free for the undo."""
    doubts = Doubt.objects.for_bond(bond).filter(b_node__in=nodes, state=Doubt.State.SETTLED, outcome=Outcome.THIS)
    for doubt in doubts.select_related("a_node", "bond").order_by("id"):
        this = doubt.a_node
        if this is not None and this.state == State.LIVE and is_settled_by_change(doubt):
            change(this, state=State.UNCERTAIN, now=now)


def is_settled_by_change(doubt: Doubt) -> bool:
    """Whether a change of a side settled a doubt about a fact that was uncertain, and not the user's answer."""
    this = doubt.a_node
    return this is not None and this.conflicts_with_id == doubt.b_node_id and not is_settled_by_user(doubt)


def is_settled_by_user(doubt: Doubt) -> bool:
    writes = FactWrite.objects.for_bond(doubt.bond).not_undone()
    return writes.filter(op=FactWrite.Op.SETTLED, before__doubt=doubt.pk).exists()


def reopen(doubt: Doubt, *, now: datetime) -> None:
    """Open a doubt again that a change settled, where both sides stand again; what the user settled is undone by its write."""
    this, that = doubt.a_node, doubt.b_node
    if this is None or that is None or not stands(that) or this.deleted_at is not None or is_settled_by_user(doubt):
        return
    was_uncertain = this.type == ConceptNode.Type.FACT and this.conflicts_with_id == that.pk
    if was_uncertain and (this.state == State.LIVE or this.state_reason == SETTLED):
        change(this, state=State.UNCERTAIN, now=now)
    if stands(this):
        doubt.open_again(now=now)


def stands(node: ConceptNode) -> bool:
    return node.deleted_at is None and node.state != State.SUPERSEDED


def find_outcome(doubt: Doubt) -> str:
    this, that = doubt.a_node, doubt.b_node
    assert this is not None  # a doubt about memories has a first side
    if that is None:
        return Outcome.NEITHER
    if not stands(this):
        return Outcome.THAT if stands(that) else Outcome.NEITHER
    newer = that.superseded_by
    if newer is None or says_same(newer, this):
        return Outcome.THIS
    return Outcome.THAT if says_same(newer, that) else Outcome.NEITHER


def says_same(node: ConceptNode, other: ConceptNode) -> bool:
    if node.slot and node.slot == other.slot:
        return text.fold(node.value) == text.fold(other.value)
    return text.fold(node.description) == text.fold(other.description)


def change(node: ConceptNode, *, state: str, now: datetime) -> None:
    """Change the state of a fact that is or was uncertain. One that holds beside another in its slot has none."""
    node.state = state
    past = state == State.SUPERSEDED
    columns = {
        "state": state,
        "state_reason": SETTLED if past else "",
        "valid_until": Greatest("valid_from", Value(now)) if past else None,
    }
    taken = ConceptNode.objects.for_bond(node.bond).live_facts().exclude(pk=node.pk).filter(slot=node.slot)
    if state == State.LIVE and node.slot and taken.exists():
        columns |= {"slot": "", "value": ""}
    ConceptNode.objects.filter(pk=node.pk).update(**columns)
    node.announce_update("state", now=now)
