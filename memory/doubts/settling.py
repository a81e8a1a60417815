"""Settle a doubt by the user's word, let it be, or open it again. What loses stays as history, and undo restores it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import transaction

from echovessel import events
from memory import sessions
from memory.facts import acts, writing
from memory.facts.drafts import FactError
from memory.facts.writers import Writer
from memory.models import ConceptNode, Doubt, FactWrite, Session
from memory.nodes import corrections, links, staleness

SETTLED = "settled"
Kind, Outcome, State = Doubt.Kind, Doubt.Outcome, ConceptNode.State
# What each kind can come to: of "this", the newer, and "that", what it stands against.
OUTCOMES: Mapping[str, tuple[str, ...]] = {
    Kind.CONTRADICTION: (Outcome.THIS, Outcome.THAT, Outcome.BOTH, Outcome.NEITHER),
    Kind.AMBIGUOUS: (Outcome.SAME, Outcome.DIFFERENT),
    Kind.UNVERIFIED: (Outcome.THIS, Outcome.NEITHER),
    Kind.STALE: (Outcome.THIS, Outcome.NEITHER),
}
_LOSERS: Mapping[str, tuple[str, ...]] = {
    Outcome.THIS: ("b_node",),
    Outcome.THAT: ("a_node",),
    Outcome.BOTH: (),
    Outcome.NEITHER: ("a_node", "b_node"),
}


def settle(*, doubt: Doubt, outcome: str, writer: Writer) -> FactWrite:
    """Settle a doubt about memories. Raises FactError: `invalid`, `changed` where it is settled or a side is gone, and
    LeaseLost.
    """
    with acts.open_transaction(doubt.bond, writer):
        return settle_locked(doubt=doubt, outcome=outcome, writer=writer)


def settle_locked(*, doubt: Doubt, outcome: str, writer: Writer) -> FactWrite:
    """Settle a doubt within the caller's transaction and under the bond's lock: see `settle`."""
    doubt.refresh_from_db()
    if doubt.state == Doubt.State.SETTLED:
        raise FactError("changed", "This is settled already.")
    if outcome not in OUTCOMES[doubt.kind] or doubt.a_node_id is None:
        raise FactError("invalid", f"The outcome is one of {', '.join(OUTCOMES[doubt.kind])}.")
    settling = Settling(doubt=doubt, sides=load_sides(doubt), outcome=outcome, writer=writer)
    made = settling.settle()
    doubt.state, doubt.outcome, doubt.settled_at = Doubt.State.SETTLED, outcome, writer.now
    doubt.save(update_fields=["state", "outcome", "settled_at"])
    announce(doubt, writer.now)
    return made


def load_sides(doubt: Doubt) -> dict[str, ConceptNode]:
    """Load the sides of a doubt by their columns. Raises FactError `changed` where one does not stand any more."""
    ids = {name: getattr(doubt, f"{name}_id") for name in ("a_node", "b_node") if getattr(doubt, f"{name}_id")}
    rows = ConceptNode.objects.for_bond(doubt.bond).not_deleted().filter(pk__in=ids.values())
    there = {node.pk: node for node in rows.filter(state__in=[State.LIVE, State.UNCERTAIN]).without_heavy_columns()}
    if len(there) != len(ids):
        raise FactError("changed", "One side was changed or forgotten meanwhile.")
    return {name: there[pk] for name, pk in ids.items()}


@dataclass(frozen=True, kw_only=True)
class Settling:
    doubt: Doubt
    sides: Mapping[str, ConceptNode]
    outcome: str
    writer: Writer

    def settle(self) -> FactWrite:
        bond, now = self.doubt.bond, self.writer.now
        losers = [self.sides[name] for name in _LOSERS[self.outcome] if name in self.sides]
        winners = [node for node in self.sides.values() if node not in losers]
        first = (winners or losers)[0]
        before: dict[str, Any] = {
            "doubt": self.doubt.pk,
            "states": {str(node.pk): node.state for node in self.sides.values()},
        }
        for node in losers:
            corrections.retire(node, reason=SETTLED, now=now)
        if winners and first.type == ConceptNode.Type.FACT:
            before |= {"tier": first.tier, "confidence": first.confidence}
            self.accept(first)
        if winners and losers:
            before["moved"] = [move for node in losers for move in links.move(bond=bond, old=node.pk, new=first.pk)]
            ConceptNode.objects.filter(pk__in=[node.pk for node in losers]).update(superseded_by=first)
        for node in losers:
            writing.announce(node, ["state", "superseded_by"], self.writer)
        staleness.refresh(bond=bond, nodes=[node.pk for node in losers], now=now)
        gone = [node.pk for node in losers]
        return writing.record(FactWrite.Op.SETTLED, node=first, old=gone, before=before, writer=self.writer)

    def accept(self, fact: ConceptNode) -> None:
        """Let a fact hold on the user's word; beside another in its slot it has none."""
        others = ConceptNode.objects.for_bond(fact.bond).live_facts().exclude(pk=fact.pk)
        if fact.slot and others.filter(slot=fact.slot).exists():
            fact.slot = fact.value = ""
        fact.state, fact.tier, fact.confidence = State.LIVE, self.writer.tier, 1.0
        fact.last_confirmed_at = self.writer.now
        fact.save(update_fields=["state", "tier", "confidence", "slot", "value", "last_confirmed_at"])
        writing.announce(fact, ["state", "confidence"], self.writer)


@transaction.atomic
def let_be(*, doubt: Doubt) -> None:
    """Ask about an open doubt no more; its sides stay as they are."""
    sessions.lock_bond(doubt.bond)
    Doubt.objects.filter(pk=doubt.pk, state=Doubt.State.OPEN).update(state=Doubt.State.LET_GO)
    doubt.refresh_from_db()


@transaction.atomic
def ask_later(*, doubt: Doubt) -> None:
    """Ask about an open doubt in later sessions, as if it had not been asked yet, and not in one that is open now."""
    sessions.lock_bond(doubt.bond)
    now_open = Session.objects.for_bond(doubt.bond).filter(status=Session.Status.OPEN).order_by("id")
    still = Doubt.objects.filter(pk=doubt.pk, state=Doubt.State.OPEN)
    still.update(asked_in=list(now_open.values_list("pk", flat=True)))
    doubt.refresh_from_db()


@transaction.atomic
def reopen(*, doubt: Doubt, now: datetime) -> None:
    """Open a doubt again that was let go, as if it had not been asked. Raises FactError `changed`."""
    sessions.lock_bond(doubt.bond)
    doubt.refresh_from_db()
    if doubt.state == Doubt.State.OPEN:
        return
    same = Doubt.objects.for_bond(doubt.bond).open().filter(a_node=doubt.a_node_id, b_node=doubt.b_node_id)
    if doubt.state == Doubt.State.SETTLED or same.exists():
        raise FactError("changed", "This was settled, or is in doubt anew.")
    load_sides(doubt)
    doubt.state, doubt.asked_in = Doubt.State.OPEN, []
    doubt.save(update_fields=["state", "asked_in"])
    events.record(bond_id=doubt.bond_id, type="memory.doubt.opened", refs={"doubt": doubt.pk}, now=now)


def announce(doubt: Doubt, now: datetime) -> None:
    refs = {"doubt": doubt.pk, "outcome": doubt.outcome}
    events.record(bond_id=doubt.bond_id, type="memory.doubt.settled", refs=refs, now=now)


def list_outcomes(doubt: Doubt) -> Sequence[str]:
    """Return what a doubt can come to: without a second side there is no "that" and no "both"."""
    two_sided = doubt.b_node_id is not None or doubt.b_entity_id is not None
    return [one for one in OUTCOMES[doubt.kind] if two_sided or one not in (Outcome.THAT, Outcome.BOTH)]
