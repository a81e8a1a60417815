"""Write what a slow tick found, in the transaction that ends its run."""

from collections.abc import Sequence
from datetime import datetime

from echovessel import events
from memory.consolidation.slow_tick import gather_input
from memory.consolidation.slow_tick.parse_answer import FoundDescription, FoundNode, FoundOutcome, ParsedSlowTick
from memory.models import ConceptNode, Entity, SlowTickRun
from memory.nodes import creation, outcomes
from memory.story import cards

CONFIDENCE = 0.6


def write(
    *, run: SlowTickRun, reading: ParsedSlowTick, vectors: Sequence[list[float] | None], now: datetime
) -> list[str]:
    """Write a parsed answer under the bond's lock. Returns notes on what was skipped."""
    for found, vector in zip(reading.found, vectors, strict=True):
        write_node(run=run, found=found, vector=vector, now=now)
    notes = [settle(run=run, outcome=outcome, now=now) for outcome in reading.outcomes]
    notes += [fill_description(run=run, described=described, now=now) for described in reading.descriptions]
    return [note for note in notes if note]


def write_node(*, run: SlowTickRun, found: FoundNode, vector: list[float] | None, now: datetime) -> None:
    node = ConceptNode(
        bond=run.bond,
        type=found.type,
        subject=found.subject,
        description=found.description,
        emotional_impact=found.emotional_impact,
        event_time_end=found.due,
        origin=ConceptNode.Origin.SLOW_TICK,
        confidence=CONFIDENCE,
        answer_key=f"slow_tick:{run.pk}:{found.place}",
    )
    creation.create_with_evidence(node, filling=found.filling, vector=vector, now=now)


def settle(*, run: SlowTickRun, outcome: FoundOutcome, now: datetime) -> str:
    node = ConceptNode.objects.for_bond(run.bond).get(pk=outcome.node_id)
    if not outcomes.can_become(node, outcome.state):
        return f"{outcome.node_id} was settled meanwhile"
    outcomes.settle(node, outcome=outcome.state, reason=outcome.reason, now=now)
    return ""


def fill_description(*, run: SlowTickRun, described: FoundDescription, now: datetime) -> str:
    """Describe an entity that still needs a description; a person's text is never overwritten."""
    undescribed = gather_input.find_undescribed(run.bond).filter(pk=described.entity_id)
    if not undescribed.exists():
        return f"entity {described.entity_id} does not want a description any more"
    by = Entity.Author.SLOW_TICK
    entity = Entity.objects.filter(pk=described.entity_id)
    entity.update(description=described.text, description_by=by, described_at=now)
    cards.absorb(described.entity_id, told_until=run.created_at, now=now)
    refs = {"entity": described.entity_id}
    events.record(bond_id=run.bond_id, type="memory.entity.description_updated", refs=refs, now=now)
    return ""
