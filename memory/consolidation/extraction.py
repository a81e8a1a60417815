import json
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

from django.db.models import Model, QuerySet

from echovessel.embeddings import embedding
from echovessel.llm.inputs import ExtractionInputs
from echovessel.prompts import escape, render
from memory import tombstones
from memory.answers import prune_answer, steps
from memory.answers.schemas import ExtractionAnswer
from memory.answers.steps import LinesChanged
from memory.consolidation import known_context, mood, nodes, parse_answer, transcript
from memory.consolidation.asking import Asked, Asker
from memory.consolidation.parse_answer import Offered, Reading
from memory.consolidation.transcript import Chunk
from memory.entities import lookup
from memory.leases.session_lease import Lease
from memory.models import ConceptNode, ConsolidationStep, Entity, Message, Session
from personas import blocks
from personas.models import CoreBlock

PROMPT = Path(__file__).parent.parent / "prompts" / "extract.md"


def extract(*, session: Session, lease: Lease, asker: Asker, now: datetime) -> bool:
    """Extract the session's next chunk past the watermark; whether there was one.

    The step with its answer, the events and the watermark are written in one transaction, so that a kill at any moment leaves
    either all of them or none. Raises LLMError, LeaseLost, LinesChanged.
    """
    lines = list(Message.objects.past_watermark(session))
    if not lines:
        return False
    chunk = transcript.next_chunk(
        lines, earlier=before(session), parts_read=steps.parts_read(session=session, message_id=lines[0].pk)
    )
    offered = offer(session=session, chunk=chunk)
    so_far = summary_so_far(session)
    asked = ask(asker, session=session, chunk=chunk, offered=offered, so_far=so_far)
    understood = parse_answer.read(asked.parsed, chunk=chunk, offered=offered)
    vectors = embedding.embed([found.event.description for found in understood.found])
    with lease.writing() as locked:
        check_unchanged(chunk=chunk, offered=offered)
        if summary_so_far(locked) != so_far:
            raise LinesChanged
        leave_out_forgotten(understood, vectors, answer=asked.parsed)
        for found, vector in zip(understood.found, vectors, strict=True):
            node = nodes.write(session=locked, found=found, vector=vector, now=now)
            if node.answer_key != found.key:
                understood.notes.append(f"event {found.index} says again what node {node.pk} holds")
        write_step(session=locked, understood=understood, asked=asked, now=now)
        if chunk.is_whole:
            locked.watermark = chunk.last_message_id
            locked.save(update_fields=["watermark"])
    return True


def leave_out_forgotten(understood: Reading, vectors: list[list[float] | None], *, answer: dict[str, Any]) -> None:
    """Drop what was forgotten and is not said anew from a reading, its vectors, and the answer that will be stored."""
    told = [(found.event.description, [line.pk for line in found.sources]) for found in understood.found]
    lines = understood.chunk.lines
    buried = tombstones.buried(bond=lines[0].message.bond, told=told)
    for at in reversed([at for at, is_buried in enumerate(buried) if is_buried]):
        found = understood.found.pop(at)
        vectors.pop(at)
        told_alone = not isinstance(answer["events"], list)
        answer["events"] = None if told_alone else without(answer["events"], found.index)
        understood.notes.append(f"event {found.index} dropped: it was forgotten, and is not said anew")
    if any(buried):
        # The rest may tell it too, in other words.
        answer["session_summary"] = answer["self_check_notes"] = None
        answer["mentioned_entities"] = prune_answer.entities(answer, said="\n".join(line.text for line in lines))


def without(parts: list[Any], at: int) -> list[Any]:
    """The parts in their places, without one of them."""
    return [*parts[:at], None, *parts[at + 1 :]]


def before(session: Session) -> list[Message]:
    lines = Message.objects.live().filter(bond=session.bond_id, session=session, id__lte=session.watermark)
    return list(reversed(lines.order_by("-id")[: transcript.OVERLAP_LINES]))


def offer(*, session: Session, chunk: Chunk) -> Offered:
    bond = session.bond
    talk = "\n".join(line.text for line in chunk.lines)
    known = [entity for entity, _ in lookup.named_in(bond=bond, said=talk)]
    among = [entity.pk for entity in known]
    return Offered(
        events=known_context.events(bond=bond, lines=chunk.lines, known=known),
        known=known,
        pair=lookup.uncertain_pair(bond=bond, among=among, session_id=session.pk),
    )


def ask(asker: Asker, *, session: Session, chunk: Chunk, offered: Offered, so_far: str) -> Asked:
    zone = session.bond.user.zone
    inputs = ExtractionInputs(
        lines=transcript.localise(chunk.lines, zone=zone),
        known=known_context.list_names(offered.known),
        remembered=known_context.number_events(offered.events, zone=zone),
        pair=known_context.name_pair(offered.pair),
    )
    earlier = transcript.written(transcript.localise(chunk.earlier, zone=zone))
    prompt = written_prompt(inputs, session=session, earlier=earlier, so_far=so_far)
    return asker.ask(prompt, feature="extraction", schema=ExtractionAnswer, inputs=inputs)


def written_prompt(inputs: ExtractionInputs, *, session: Session, earlier: str, so_far: str) -> str:
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
        summary=escape(so_far) or "(none)",
        known_entities=known_context.written_names(inputs.known) or "(none)",
        remembered=known_context.written_events(inputs.remembered) or "(nothing)",
        uncertain_pair=known_context.written_pair(inputs.pair) or "(none)",
        earlier=earlier or "(none)",
        transcript=transcript.written(inputs.lines),
    )


def summary_so_far(session: Session) -> str:
    """Of what was read already: of this talk's earlier chunks, or of the session before it was resumed."""
    return (
        mood.last_summary(steps.waiting_for(session=session, phase=ConsolidationStep.Phase.SUMMARY)) or session.summary
    )


def block_text(block: CoreBlock | None) -> str:
    return escape(block.content) if block and block.content else "(nothing written)"


def check_unchanged(*, chunk: Chunk, offered: Offered) -> None:
    """Raise LinesChanged where a line, an event or a name that was sent is no longer there."""
    bond = chunk.lines[0].message.bond_id
    lines = Message.objects.live().filter(bond=bond)
    if (
        is_any_gone(lines, [line.message for line in (*chunk.earlier, *chunk.lines)])
        or is_any_gone(ConceptNode.objects.filter(bond=bond, deleted_at=None), offered.events)
        or is_any_gone(Entity.objects.filter(bond=bond, deleted_at=None), offered.entities)
    ):
        raise LinesChanged


def is_any_gone(rows: QuerySet[Any], sent: Sequence[Model]) -> bool:
    ids = {row.pk for row in sent}
    return bool(ids) and rows.filter(pk__in=ids).count() != len(ids)


def write_step(*, session: Session, understood: Reading, asked: Asked, now: datetime) -> None:
    chunk = understood.chunk
    notes = [asked.note, *understood.notes, str(asked.parsed.get("self_check_notes") or "")]
    steps.record(
        session=session,
        last_message_id=chunk.last_message_id,
        part=chunk.part,
        phase=ConsolidationStep.Phase.EXTRACTION,
        outcome=ConsolidationStep.Outcome.DONE if understood.found else ConsolidationStep.Outcome.EMPTY,
        now=now,
        lines={line.number: line.message.pk for line in chunk.lines},
        pair=understood.offered.pair,
        answer=json.dumps(asked.parsed, ensure_ascii=False),
        notes="\n".join(note for note in notes if note),
        offline=asked.offline,
        tokens_in=asked.tokens_in,
        tokens_out=asked.tokens_out,
        duration_ms=asked.duration_ms,
    )


def leave_deleted_behind(*, session: Session, lease: Lease) -> None:
    """Move the watermark past a long line that was deleted when some of its parts had been read. Raises LeaseLost."""
    last = steps.extractions(session).last()
    if last is None or last.last_message_id <= session.watermark:
        return
    if Message.objects.live().filter(bond=session.bond_id, pk=last.last_message_id).exists():
        return
    with lease.writing() as locked:
        locked.watermark = last.last_message_id
        locked.save(update_fields=["watermark"])
