from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from django.conf import settings

from echovessel.embeddings import embedding
from echovessel.llm.inputs import ReflectedEvent, ReflectionInputs
from echovessel.prompts import escape, render
from memory.answers import steps
from memory.answers.coercion import one_line
from memory.answers.schemas import THOUGHTS_MOST, ReflectionAnswer, ThoughtAnswer, parse_indexed_parts
from memory.answers.steps import Done, InputChanged
from memory.consolidation import asking
from memory.consolidation.asking import Asker, StructuredAnswer
from memory.consolidation.extraction import format_block
from memory.consolidation.slow_tick.gather_input import format_days, format_weight
from memory.entities.names import name_user
from memory.jobs.lease import Lease
from memory.messages import tombstones
from memory.models import ConceptNode, ConsolidationStep, NodeSource, ReflectionRun, Session
from memory.nodes import creation, evidence, staleness
from personas import blocks
from personas.models import Bond, CoreBlock

PROMPT = Path(__file__).parent.parent / "prompts" / "reflect.md"
Phase = ConsolidationStep.Phase.REFLECTION
SHOCK_IMPACT = 8
PERIOD = timedelta(hours=24)
LOOKS_BACK = timedelta(days=7)
EVENTS_READ = 10
THOUGHTS_READ = 5
RECOMMENDED_IMPACT = 8
RECOMMENDED_CHARACTERS = 500
REFLECTION_CONFIDENCE = 0.6


@dataclass(frozen=True)
class ReflectionDecision:
    """The trigger of a reflection, or none with the reason."""

    trigger: str
    reason: str


def decide(*, fresh_impacts: Sequence[int], runs_in_period: int, has_rested: bool) -> ReflectionDecision:
    """Apply the gate in order: nothing fresh, too many runs in 24 hours, shock, timer (over 24 hours without a run)."""
    if not fresh_impacts:
        return ReflectionDecision("", "no fresh events")
    if runs_in_period >= settings.REFLECTION_HARD_GATE_24H:
        return ReflectionDecision("", f"{runs_in_period} reflections in the last 24 hours")
    if any(abs(impact) >= SHOCK_IMPACT for impact in fresh_impacts):
        return ReflectionDecision(ReflectionRun.Trigger.SHOCK, "an event of strong impact")
    if has_rested:
        return ReflectionDecision(ReflectionRun.Trigger.TIMER, "no reflection for 24 hours")
    return ReflectionDecision("", "a reflection in the last 24 hours and no event of strong impact")


def reflect(*, session: Session, done: Done, lease: Lease[Session], asker: Asker, now: datetime) -> None:
    """Apply the gate, then reflect on the fresh events, last week's, and the newest facts. Raises LLMError, LeaseLost, InputChanged."""
    if steps.find_step(done, last_message_id=session.watermark, phase=Phase):
        return
    fresh = load_fresh_events(session, done)
    decision = evaluate_gate(session.bond, fresh=fresh, now=now)
    if not decision.trigger:
        with lease.transaction() as locked:
            record(session=locked, outcome=ConsolidationStep.Outcome.SKIPPED, reason=decision.reason, now=now)
        return
    read = [*evidence.load_newest_facts(session.bond), *select_events(bond=session.bond, fresh=fresh, now=now)]
    lately = load_newest_thoughts(session.bond)
    asked = ask(asker, bond=session.bond, read=read, lately=lately)
    thoughts, notes = parse_thoughts(asked, known={node.pk for node in read})
    asked, thoughts = drop_forgotten(asked, thoughts, bond=session.bond, notes=notes)
    vectors = embedding.embed([thought.description for thought in thoughts])
    with lease.transaction() as locked:
        shown = [node.pk for node in (*read, *lately)]
        if ConceptNode.objects.for_bond(locked.bond).current().filter(pk__in=shown).count() != len(shown):
            raise InputChanged
        decision = evaluate_gate(locked.bond, fresh=fresh, now=now)
        if not decision.trigger:
            # Another session of the bond was reflected on meanwhile, so the gate is shut now.
            record(session=locked, outcome=ConsolidationStep.Outcome.SKIPPED, reason=decision.reason, now=now)
            return
        ReflectionRun.objects.create(
            bond=locked.bond, session=locked, trigger=decision.trigger, thoughts_count=len(thoughts), created_at=now
        )
        for index, (thought, vector) in enumerate(zip(thoughts, vectors, strict=True)):
            write_thought(session=locked, thought=thought, vector=vector, index=index, now=now)
        record(
            session=locked,
            outcome=ConsolidationStep.Outcome.DONE if thoughts else ConsolidationStep.Outcome.EMPTY,
            reason=decision.reason,
            now=now,
            asked=asked,
            notes=notes,
        )


def evaluate_gate(bond: Bond, *, fresh: Sequence[ConceptNode], now: datetime) -> ReflectionDecision:
    # After the clock was set back, ignore runs of the future.
    runs = ReflectionRun.objects.filter(bond=bond, created_at__range=(now - PERIOD, now + PERIOD))
    times = list(runs.values_list("created_at", flat=True))
    return decide(
        fresh_impacts=[node.emotional_impact for node in fresh],
        runs_in_period=sum(at > now - PERIOD for at in times),
        has_rested=not times,
    )


def load_fresh_events(session: Session, done: Done) -> list[ConceptNode]:
    """Load the session's events that no reflection has read, in this or an earlier repetition."""
    last = max((step.last_message_id for step in done if step.phase == Phase), default=0)
    drawn = ConceptNode.objects.for_bond(session.bond).current().events().filter(session=session)
    told_before = NodeSource.objects.filter(bond=session.bond_id, message__lte=last)
    fresh = drawn.filter(source_messages__id__gt=last).exclude(pk__in=told_before.values("node"))
    return list(fresh.distinct().without_heavy_columns().with_told_at().order_by("id"))


def select_events(*, bond: Bond, fresh: Sequence[ConceptNode], now: datetime) -> list[ConceptNode]:
    """Select all fresh events and the newest others of the last seven days, at most ten, oldest first."""
    others = ConceptNode.objects.for_bond(bond).current().events().filter(created_at__gt=now - LOOKS_BACK)
    others = (
        others.exclude(pk__in=[node.pk for node in fresh])
        .without_heavy_columns()
        .with_told_at()
        .order_by("-created_at", "-id")
    )
    read = [*fresh, *others[: max(0, EVENTS_READ - len(fresh))]]
    return sorted(read, key=lambda node: (node.created_at, node.pk))[-EVENTS_READ:]


def load_newest_thoughts(bond: Bond) -> list[ConceptNode]:
    """Load the newest thoughts about the user, oldest first, so that a model says none of them again."""
    thoughts = ConceptNode.objects.for_bond(bond).current().thoughts().filter(subject=ConceptNode.Subject.USER)
    return list(reversed(thoughts.without_heavy_columns("terms").order_by("-created_at", "-id")[:THOUGHTS_READ]))


def ask(asker: Asker, *, bond: Bond, read: Sequence[ConceptNode], lately: Sequence[ConceptNode]) -> StructuredAnswer:
    events = (ReflectedEvent(node.pk, node.emotional_impact, one_line(node.description)) for node in read)
    return asker.ask(
        render_prompt(bond=bond, read=read, lately=lately),
        feature="reflection",
        schema=ReflectionAnswer,
        inputs=ReflectionInputs(tuple(events)),
    )


def render_prompt(*, bond: Bond, read: Sequence[ConceptNode], lately: Sequence[ConceptNode]) -> str:
    return render(
        PROMPT,
        persona_name=escape(bond.persona.name),
        user_name=escape(name_user(bond)),
        user_block=format_block(blocks.find(bond, CoreBlock.Label.USER)),
        events="\n".join(format_event(node, zone=bond.user.zone) for node in read),
        thoughts="\n".join(f"- {escape(one_line(node.description))}" for node in lately) or "(none)",
    )


def format_event(node: Any, *, zone: ZoneInfo) -> str:
    days = format_days(node, zone=zone)
    return f"[{node.pk}] ({days}) {format_weight(node)}: {escape(one_line(node.description))}"


def parse_thoughts(asked: StructuredAnswer, *, known: set[int]) -> tuple[list[ThoughtAnswer], list[str]]:
    """Parse the thoughts that cite evidence: drop unknown ids, and thoughts without any evidence left."""
    thoughts, notes = parse_indexed_parts(
        asked.parsed.get("thoughts"), ThoughtAnswer, what="thought", most=THOUGHTS_MOST
    )
    kept: list[ThoughtAnswer] = []
    for at, thought in thoughts.items():
        if asking.is_copied(thought.description, PROMPT):
            notes.append(f"thought {at} rejected: it is the prompt's example")
            continue
        given = [node_id for node_id in thought.filling if node_id in known]
        if len(given) < len(thought.filling):
            notes.append(f"thought {at}: {len(thought.filling) - len(given)} cited that were not given")
        if not given:
            notes.append(f"thought {at} rejected: it cites no event that was given")
            continue
        if abs(thought.emotional_impact) > RECOMMENDED_IMPACT:
            notes.append(f"thought {at} has impact {thought.emotional_impact:+d}, beyond what impressions usually have")
        if len(thought.description) > RECOMMENDED_CHARACTERS:
            notes.append(f"thought {at} has {len(thought.description)} characters, more than an impression needs")
        kept.append(thought.model_copy(update={"filling": given}))
    return kept, [note for note in [asked.note, *notes] if note]


def drop_forgotten(
    asked: StructuredAnswer, thoughts: list[ThoughtAnswer], *, bond: Bond, notes: list[str]
) -> tuple[StructuredAnswer, list[ThoughtAnswer]]:
    """Drop forgotten thoughts that cite nothing new. Returns the answer to be stored and the thoughts that are left."""
    left = [
        thought
        for thought in thoughts
        if not tombstones.is_forgotten_thought(bond=bond, said=thought.description, filling=thought.filling)
    ]
    if len(left) == len(thoughts):
        return asked, thoughts
    notes.append(f"{len(thoughts) - len(left)} dropped: forgotten, and resting on nothing new")
    return replace(asked, parsed={}), left


def write_thought(
    *, session: Session, thought: ThoughtAnswer, vector: list[float] | None, index: int, now: datetime
) -> None:
    """Write a thought, or add its evidence to the one that says the same."""
    node = ConceptNode(
        bond=session.bond,
        type=ConceptNode.Type.THOUGHT,
        subject=ConceptNode.Subject.USER,
        description=thought.description,
        emotional_impact=thought.emotional_impact,
        emotion_tags=thought.emotion_tags,
        relational_tags=thought.relational_tags,
        origin=ConceptNode.Origin.REFLECTION,
        confidence=REFLECTION_CONFIDENCE,
        session=session,
        answer_key=f"reflection:{session.pk}:{session.watermark}:{index}",
    )
    node = creation.create_with_evidence(node, filling=thought.filling, vector=vector, now=now)
    supersede_turned(node, filling=thought.filling, now=now)


def supersede_turned(node: ConceptNode, *, filling: Sequence[int], now: datetime) -> None:
    """Supersede the earlier thoughts that rest on nothing else than this one and feel otherwise about it: their matter has turned."""
    earlier = ConceptNode.objects.for_bond(node.bond).current().thoughts().filter(subject=node.subject)
    written = earlier.filter(origin=node.origin, filling_edges__child__in=filling).exclude(pk=node.pk)
    # What one answer says together holds together.
    for old in written.exclude(session=node.session).without_heavy_columns("terms").distinct():
        cited = set(old.filling_edges.filter(orphaned=False).values_list("child", flat=True))
        if cited <= set(filling) and old.emotional_impact * node.emotional_impact < 0:
            old.supersede(by=node, now=now)
            old.announce_update("state", "superseded_by", now=now)
            staleness.refresh(bond=node.bond, nodes=[old.pk], now=now)


def record(
    *,
    session: Session,
    outcome: str,
    reason: str,
    now: datetime,
    asked: StructuredAnswer | None = None,
    notes: Sequence[str] = (),
) -> None:
    step = ConsolidationStep(
        session=session,
        last_message_id=session.watermark,
        phase=Phase,
        outcome=outcome,
        created_at=now,
        reason=reason,
        notes="\n".join(notes),
        **(asked.build_columns() if asked else {}),
    )
    steps.record(step)
