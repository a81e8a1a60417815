"""Carry out what a model proposes for a list of facts. What the user stated, or told all companions, is never retired or rewritten."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from dataclasses import replace as with_changes

from memory.answers.fact_sweep_schema import SweepOp
from memory.facts import changing, drafts, standing, writing
from memory.facts.checks import grounding
from memory.facts.drafts import FactDraft, FactError, PreparedFact
from memory.facts.writers import Writer
from memory.models import ConceptNode
from personas.models import Bond

Tier = ConceptNode.Tier
RANKS = {Tier.STATED: 0, Tier.EXTRACTED: 1, Tier.INFERRED: 2}


@dataclass(frozen=True)
class PreparedOp:
    """An op with the facts it names and, where it writes a text, the draft with its vector."""

    op: SweepOp
    facts: tuple[ConceptNode, ...]
    text: PreparedFact | None = None


def prepare(ops: Sequence[SweepOp], given: Mapping[int, ConceptNode]) -> tuple[list[PreparedOp], list[str]]:
    """Check ops against what was sent and make their vectors, outside any transaction. Returns notes on those dropped."""
    ready: list[PreparedOp] = []
    notes: list[str] = []
    for at, op in enumerate(ops):
        named = tuple(given[pk] for pk in dict.fromkeys(op.targets) if pk in given)
        fault = find_fault(op, named)
        if fault:
            notes.append(f"op {at} dropped: {fault}")
            continue
        try:
            ready.append(PreparedOp(op, named, prepare_text(op, named[0]) if op.op in ("reshape", "refacet") else None))
        except FactError as error:
            notes.append(f"op {at} dropped: {error.detail}")
    return ready, notes


def find_fault(op: SweepOp, named: Sequence[ConceptNode]) -> str:
    """Say why an op is not carried out, or nothing."""
    wanted = {"merge": len(named) >= 2, "supersede": len(named) == 2}
    if len(named) != len(set(op.targets)) or not wanted.get(op.op, len(named) == 1):
        return "its targets are not what such an op needs"
    if op.op == "merge":
        return "" if not all(map(stays, named)) else "all of it was stated"
    if stays(named[0]):
        return "what was stated stays as it is"
    if op.op == "supersede":
        return "" if named[0].pk < named[1].pk else "the second was noted before the first"
    if op.op == "refacet":
        is_moved = op.facet and op.facet != named[0].facet and named[0].facet != ConceptNode.Facet.PERSONA_CANON
        return "" if is_moved else "it has no other facet"
    return find_fault_of_text(op, named[0])


def stays(fact: ConceptNode) -> bool:
    """Whether it stays as it is; what a person told all companions is the same with all."""
    return fact.tier == Tier.STATED or fact.is_shared


def find_fault_of_text(op: SweepOp, fact: ConceptNode) -> str:
    """Whether a new text of a fact learns something."""
    said = [fact.description, fact.detail]
    is_known = all(grounding.is_grounded(text, said) for text in (op.content, op.detail) if text)
    return "" if op.content and is_known else "its text says something that the fact does not"


def prepare_text(op: SweepOp, fact: ConceptNode) -> PreparedFact:
    is_reshaped = op.op == "reshape"
    # Only a fact about the user has a slot.
    has_slot = op.facet != "about_us"
    draft = FactDraft(
        content=op.content if is_reshaped else fact.description,
        detail=(op.detail or fact.detail) if is_reshaped else fact.detail,
        facet=op.facet if op.op == "refacet" else fact.facet,
        slot=fact.slot if has_slot else "",
        value=fact.value if has_slot else "",
        confidence=fact.confidence,
    )
    [prepared] = drafts.prepare([draft])
    return prepared


def carry_out(ops: Sequence[PreparedOp], *, bond: Bond, writer: Writer) -> tuple[int, list[str]]:
    """Carry out ops in the caller's transaction, under the bond's lock. Returns how many, and notes on the others.

    A fact that an earlier op, or somebody meanwhile, has retired is left alone.
    """
    notes: list[str] = []
    done = 0
    for prepared in ops:
        try:
            facts = [standing.reload_live(bond, fact) for fact in prepared.facts]
            ACTS[prepared.op.op](prepared, facts, bond, writer)
            done += 1
        except FactError as error:
            notes.append(f"{prepared.op.op} of {[fact.pk for fact in prepared.facts]} left out: {error.detail}")
    return done, notes


def merge(_: PreparedOp, facts: Sequence[ConceptNode], bond: Bond, writer: Writer) -> None:
    survivor, *others = sorted(
        facts, key=lambda fact: (not stays(fact), RANKS[Tier(fact.tier)], -fact.confidence, fact.pk)
    )
    retired = [fact for fact in others if not stays(fact)]
    changing.merge(bond=bond, survivor=survivor, retired=retired, writer=writer)


def supersede(_: PreparedOp, facts: Sequence[ConceptNode], bond: Bond, writer: Writer) -> None:
    changing.end(bond=bond, node=facts[0], writer=writer)


def rewrite(prepared: PreparedOp, facts: Sequence[ConceptNode], bond: Bond, writer: Writer) -> None:
    assert prepared.text is not None  # `prepare` makes one for each rewriting op
    # A guess that is worded anew is a guess.
    as_known = with_changes(writer, tier=facts[0].tier)
    writing.replace(bond=bond, old=facts[0], fact=prepared.text, writer=as_known)


ACTS: dict[str, Callable[[PreparedOp, Sequence[ConceptNode], Bond, Writer], None]] = {
    "merge": merge,
    "supersede": supersede,
    "reshape": rewrite,
    "refacet": rewrite,
}
