"""Let the user's word on a doubt about memories hold, within the caller's transaction and under the bond's lock."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from dataclasses import replace as with_changes
from typing import Any

from memory.facts import standing, writing
from memory.facts.drafts import FactDraft, FactError
from memory.facts.writers import Writer
from memory.models import ConceptNode, Doubt, FactWrite, NodeSource
from memory.nodes import corrections, links, staleness
from memory.nodes.doubt_updates import SETTLED
from personas.models import Bond

Outcome, State = Doubt.Outcome, ConceptNode.State
_LOSERS: Mapping[str, tuple[str, ...]] = {
    Outcome.THIS: ("b_node",),
    Outcome.THAT: ("a_node",),
    Outcome.BOTH: (),
    Outcome.NEITHER: ("a_node", "b_node"),
}


def settle_told(*, bond: Bond, draft: FactDraft, writer: Writer) -> FactWrite | None:
    """Let an uncertain fact hold which the user states in the same words. None where there is none, or it stands already."""
    if not writer.may_replace_stated:
        return None
    known = ConceptNode.objects.for_bond(bond).facts().not_deleted().without_heavy_columns()
    draft = with_changes(draft, facet=draft.facet or ConceptNode.Facet.ABOUT_YOU)
    uncertain = standing.find_same(list(known.filter(state=State.UNCERTAIN).order_by("id")), draft)
    if uncertain is None or standing.find_same(list(known.filter(state=State.LIVE, terms=uncertain.terms)), draft):
        return None
    return settle_confirmed(uncertain, writer=writer)


def settle_confirmed(node: ConceptNode, *, writer: Writer) -> FactWrite | None:
    """Let an uncertain fact hold which the user says is so. None where it is in no doubt, or a guess says so."""
    doubt = find_doubt(node) if writer.may_replace_stated else None
    return settle(doubt, outcome=Outcome.THIS, writer=writer) if doubt is not None else None


def find_doubt(node: ConceptNode) -> Doubt | None:
    """Find the doubt whether an uncertain fact holds, as long as it is not settled."""
    doubts = Doubt.objects.for_bond(node.bond).exclude(state=Doubt.State.SETTLED).filter(a_node=node)
    return doubts.select_related("bond").order_by("id").last()


def settle(doubt: Doubt, *, outcome: str, writer: Writer) -> FactWrite:
    """Settle a doubt about memories. Raises FactError `changed` where a side does not stand any more."""
    sides = load_sides(doubt)
    doubt.settle(outcome=outcome, now=writer.now)
    return Settling(doubt=doubt, sides=sides, outcome=outcome, writer=writer).settle()


def load_sides(doubt: Doubt) -> dict[str, ConceptNode]:
    """Load the sides of a doubt by their columns. Raises FactError `changed` where one does not stand any more."""
    ids = {name: getattr(doubt, f"{name}_id") for name in ("a_node", "b_node") if getattr(doubt, f"{name}_id")}
    rows = ConceptNode.objects.for_bond(doubt.bond).not_deleted().filter(pk__in=ids.values())
    there = {node.pk: node for node in rows.exclude(state=State.SUPERSEDED).without_heavy_columns()}
    if len(there) != len(ids):
        raise FactError("changed", "One side was changed or forgotten meanwhile.")
    return {name: there[pk] for name, pk in ids.items()}


@dataclass(frozen=True, kw_only=True)
class Settling:
    """Settles a doubt about memories: what loses is history, what holds is the user's word."""

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
        if winners:
            before |= self.accept(first)
        if winners and losers:
            before["moved"] = [move for node in losers for move in links.move(bond=bond, old=node.pk, new=first.pk)]
            ConceptNode.objects.filter(pk__in=[node.pk for node in losers]).update(superseded_by=first)
        for node in losers:
            node.announce_update("state", "superseded_by", now=self.writer.now)
        gone = [node.pk for node in losers]
        # Written before what follows from it, which passes over what the user settled.
        write = writing.record(FactWrite.Op.SETTLED, node=first, old=gone, before=before, writer=self.writer)
        staleness.refresh(bond=bond, nodes=gone, now=now)
        return write

    def accept(self, node: ConceptNode) -> dict[str, Any]:
        """Let a memory hold on the user's word; a fact beside another in its slot has none. Returns what was before."""
        before: dict[str, Any] = {"confidence": node.confidence}
        if node.type == ConceptNode.Type.FACT:
            before |= self.accept_fact(node)
        elif node.stale:
            before["stale"], node.stale = True, False
            node.save(update_fields=["stale"])
        node.confidence = 1.0
        node.save(update_fields=["confidence"])
        NodeSource.objects.add_to(node, (message.pk for message in self.writer.messages))
        node.announce_update("state", "confidence", now=self.writer.now)
        return before

    def accept_fact(self, fact: ConceptNode) -> dict[str, Any]:
        at = fact.last_confirmed_at
        before: dict[str, Any] = {"tier": fact.tier, "last_confirmed_at": at.isoformat() if at else None}
        others = ConceptNode.objects.for_bond(fact.bond).live_facts().exclude(pk=fact.pk)
        if fact.slot and others.filter(slot=fact.slot).exists():
            before |= {"slot": fact.slot, "value_at": find_value(fact)}
            fact.slot = fact.value = ""
        fact.state, fact.tier, fact.last_confirmed_at = State.LIVE, self.writer.tier, self.writer.now
        fact.save(update_fields=["state", "tier", "slot", "value", "last_confirmed_at"])
        return before


def find_value(fact: ConceptNode) -> list[int]:
    """Find where a fact's own words have its value: a write keeps no text. Returns the two ends, or nothing."""
    found = re.search(re.escape(fact.value), fact.description, re.IGNORECASE)
    return list(found.span()) if found and found[0] else []
