import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

from echovessel import embedding, events, texts
from echovessel.prompts import escape, render
from memory import entities, recall, scoring, secrets, text
from memory.consolidation import mood, steps, transcript
from memory.consolidation.asking import Asked, Asker
from memory.consolidation.lease import Lease
from memory.consolidation.transcript import Chunk
from memory.models import ConceptNode, ConsolidationStep, Entity, Message, NodeSource, Session
from memory.schemas import EVENTS_MOST, EventAnswer, ExtractionAnswer, read_list
from personas import blocks
from personas.models import Bond, CoreBlock

PROMPT = Path(__file__).parent.parent / "prompts" / "extract.md"
REMEMBERED_MOST = 12
EXTRACTION_CONFIDENCE = 0.8


class LinesChanged(Exception):
    """A line that was sent to the model has been deleted since; the answer is dropped and the phase runs again."""


@dataclass(frozen=True)
class Found:
    """An event of an answer that can be written: its place in the answer, its lines, and what it replaces."""

    index: int
    event: EventAnswer
    sources: list[Message]
    supersedes: list[ConceptNode]


@dataclass
class Reading:
    found: list[Found] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    # The uncertain pair that the model was told of.
    pair: Entity | None = None


def extract(*, session: Session, lease: Lease, asker: Asker, now: datetime) -> bool:
    """Extract the session's next chunk past the watermark; whether there was one.

    The step with its answer, the events and the watermark are written in one transaction, so that a kill at any moment leaves
    either all of them or none. Raises LLMError, LeaseLost, LinesChanged.
    """
    lines = list(Message.objects.past_watermark(session))
    if not lines:
        return False
    chunk = transcript.next_chunk(lines, earlier=before(session))
    near = remembered(bond=session.bond, chunk=chunk, now=now)
    known, pair = entities_near(session=session, chunk=chunk)
    prompt = written_prompt(session=session, chunk=chunk, near=near, known=known, pair=pair)
    asked = asker.ask(prompt, feature="extraction", schema=ExtractionAnswer)
    answer = masked(asked.parsed)
    reading = read(answer, chunk=chunk, near=near)
    reading.pair = pair
    vectors = embedding.embed([found.event.description for found in reading.found])
    with lease.writing() as locked:
        check_unchanged(chunk)
        write_step(session=locked, chunk=chunk, asked=asked, answer=answer, reading=reading, now=now)
        for found, vector in zip(reading.found, vectors, strict=True):
            write(
                session=locked,
                found=found,
                vector=vector,
                key=answer_key(locked.pk, chunk.last_message_id, found.index),
                now=now,
            )
        locked.watermark = chunk.last_message_id
        locked.save(update_fields=["watermark"])
    return True


def before(session: Session) -> list[Message]:
    lines = Message.objects.live().filter(bond=session.bond_id, session=session, id__lte=session.watermark)
    return list(reversed(lines.order_by("-id")[: transcript.OVERLAP_LINES]))


def remembered(*, bond: Bond, chunk: Chunk, now: datetime) -> list[ConceptNode]:
    """Live events near to what the user said: what a new event may supersede."""
    said = "\n".join(message.content for message in chunk.user_messages)
    vector = embedding.embed([said])[0] if said else None
    found = recall.search(bond=bond, query=said, vector=vector, now=now, k=REMEMBERED_MOST)
    near = [item for item in found.items if item.node.type == ConceptNode.Type.EVENT]
    return [item.node for item in near if item.anchored_by or item.terms.relevance >= scoring.RELEVANCE_FLOOR][
        :REMEMBERED_MOST
    ]


def entities_near(*, session: Session, chunk: Chunk) -> tuple[list[Entity], Entity | None]:
    """Those that the talk names, and the uncertain pair that it may clear up."""
    talk = "\n".join(line.text for line in chunk.lines)
    known = [entity for entity, _ in entities.named_in(bond=session.bond, said=talk)]
    among = [entity.pk for entity in known]
    return known, entities.uncertain_pair(bond=session.bond, among=among, session_id=session.pk)


def written_prompt(
    *, session: Session, chunk: Chunk, near: Sequence[ConceptNode], known: Sequence[Entity], pair: Entity | None
) -> str:
    bond = session.bond
    zone = bond.user.zone
    began = session.started_at.astimezone(zone)
    return render(
        PROMPT,
        persona_name=escape(bond.persona.name),
        began=f"{began:%Y-%m-%d %H:%M}",
        weekday=f"{began:%A}",
        zone=str(zone),
        user_block=block_text(blocks.of(bond, CoreBlock.Label.USER)),
        persona_block=block_text(blocks.of(bond.persona, CoreBlock.Label.PERSONA)),
        summary=escape(summary_so_far(session)) or "(none)",
        known_entities=known_names(known) or "(none)",
        remembered="\n".join(f"[{at}] {escape(node.description)}" for at, node in enumerate(near, start=1))
        or "(nothing)",
        uncertain_pair=pair_names(pair) or "(none)",
        earlier=transcript.written(chunk.earlier, zone=zone) or "(none)",
        transcript=transcript.written(chunk.lines, zone=zone),
    )


def summary_so_far(session: Session) -> str:
    """Of what was read already: of this talk's earlier chunks, or of the session before it was resumed."""
    return (
        mood.last_summary(steps.waiting_for(session=session, phase=ConsolidationStep.Phase.SUMMARY)) or session.summary
    )


def block_text(block: CoreBlock | None) -> str:
    return escape(block.content) if block and block.content else "(nothing written)"


def known_names(known: Sequence[Entity]) -> str:
    return "\n".join(f"- {escape(entity.canonical_name)} ({entity.kind})" for entity in known)


def pair_names(pair: Entity | None) -> str:
    if pair is None or pair.merge_target is None:
        return ""
    return f"{escape(pair.canonical_name)} / {escape(pair.merge_target.canonical_name)}"


def masked(value: Any) -> Any:
    """An answer with the secrets in its texts replaced, and without the characters that cannot be stored."""
    if isinstance(value, str):
        return secrets.mask(texts.storable(value))
    if isinstance(value, list):
        return [masked(part) for part in value]
    if isinstance(value, dict):
        return {masked(key): masked(part) for key, part in value.items()}
    return value


def read(answer: dict[str, Any], *, chunk: Chunk, near: Sequence[ConceptNode]) -> Reading:
    """The events that can be written. An event without valid lines gets the chunk's user lines."""
    parts, notes = read_list(answer.get("events"), EventAnswer, what="event", most=EVENTS_MOST)
    reading = Reading(notes=notes)
    for index, event in enumerate(parts):
        sources = chunk.messages(event.source_lines) or chunk.user_messages
        by_persona = any(message.role == Message.Role.PERSONA for message in sources)
        if not sources:
            reading.notes.append(f"event {index} dropped: no line of the user to rest on")
        elif event.subject == "persona" and not by_persona:
            reading.notes.append(f"event {index} dropped: a promise of the companion that no line of it holds")
        else:
            replaced = [near[number - 1] for number in event.supersedes if 1 <= number <= len(near)]
            reading.found.append(Found(index=index, event=event, sources=sources, supersedes=replaced))
    return reading


def check_unchanged(chunk: Chunk) -> None:
    """Raise LinesChanged where a line that was sent is no longer there."""
    sent = {line.message.pk for line in (*chunk.earlier, *chunk.lines)}
    if Message.objects.live().filter(bond=chunk.lines[0].message.bond_id, pk__in=sent).count() != len(sent):
        raise LinesChanged


def write_step(
    *, session: Session, chunk: Chunk, asked: Asked, answer: dict[str, Any], reading: Reading, now: datetime
) -> None:
    notes = [asked.note, *reading.notes, str(answer.get("self_check_notes") or "")]
    steps.record(
        session=session,
        last_message_id=chunk.last_message_id,
        phase=ConsolidationStep.Phase.EXTRACTION,
        outcome=ConsolidationStep.Outcome.DONE if reading.found else ConsolidationStep.Outcome.EMPTY,
        now=now,
        lines={line.number: line.message.pk for line in chunk.lines},
        pair=reading.pair,
        answer=json.dumps(answer, ensure_ascii=False),
        notes="\n".join(note for note in notes if note),
        offline=asked.offline,
        tokens_in=asked.tokens_in,
        tokens_out=asked.tokens_out,
    )


def write(*, session: Session, found: Found, vector: list[float] | None, key: str, now: datetime) -> ConceptNode:
    event = found.event
    is_promise = event.subject == "persona"
    days = event.event_time
    node = ConceptNode.objects.create(
        bond=session.bond,
        type=ConceptNode.Type.INTENTION if is_promise else ConceptNode.Type.EVENT,
        state=ConceptNode.State.OPEN if is_promise else ConceptNode.State.LIVE,
        subject=event.subject,
        description=event.description,
        emotional_impact=event.emotional_impact,
        emotion_tags=event.emotion_tags,
        relational_tags=event.relational_tags,
        event_time_start=days.start if days else None,
        event_time_end=days.end if days else None,
        origin=ConceptNode.Origin.EXTRACTION,
        confidence=EXTRACTION_CONFIDENCE,
        session=session,
        answer_key=key,
        valid_from=now,
        created_at=now,
        terms=sorted(set(text.terms(event.description))),
        embedding=vector,
        embedding_model=embedding.model_name(),
    )
    NodeSource.objects.bulk_create(
        NodeSource(bond=session.bond, node=node, message=message) for message in found.sources
    )
    for old in found.supersedes:
        replace(old, by=node, now=now)
    created = "memory.thought.created" if is_promise else "memory.event.created"
    events.record(bond_id=session.bond_id, type=created, refs={"node": node.pk}, now=now)
    return node


def replace(old: ConceptNode, *, by: ConceptNode, now: datetime) -> None:
    """Supersede an event; one that a person stated or edited stays, and the new one says that it conflicts."""
    if old.origin == ConceptNode.Origin.USER:
        by.conflicts_with = old
        by.save(update_fields=["conflicts_with"])
        return
    old.supersede(by=by, now=now)
    events.record(
        bond_id=old.bond_id,
        type="memory.node.updated",
        refs={"node": old.pk, "changed": ["state", "superseded_by"]},
        now=now,
    )


def answer_key(session_id: int, last_message_id: int, index: int) -> str:
    return f"extraction:{session_id}:{last_message_id}:{index}"
