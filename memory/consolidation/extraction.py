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
from memory.answers.steps import InputChanged
from memory.consolidation import known_context, mood, nodes, parse_answer, transcript
from memory.consolidation.asking import Asker, StructuredAnswer
from memory.consolidation.parse_answer import KnownContext, ParsedExtraction
from memory.consolidation.transcript import Chunk
from memory.entities import lookup
from memory.leases.lease import Lease
from memory.models import ConceptNode, ConsolidationStep, Entity, Message, Session
from personas import blocks
from personas.models import CoreBlock

PROMPT = Path(__file__).parent.parent / "prompts" / "extract.md"


def extract(*, session: Session, lease: Lease[Session], asker: Asker, now: datetime) -> bool:
    """Extract the session's next chunk past the watermark. Returns whether there was one.

    One transaction writes the step with its answer, the events and the watermark, so a kill at any moment leaves all of
    them or none. Raises LLMError, LeaseLost, InputChanged.
    """
    messages = list(Message.objects.past_watermark(session))
    if not messages:
        return False
    chunk = transcript.build_next_chunk(
        messages,
        earlier=load_overlap(session),
        parts_read=steps.count_parts_read(session=session, message_id=messages[0].pk),
    )
    offered = gather_known_context(session=session, chunk=chunk)
    so_far = get_summary_so_far(session)
    asked = ask(asker, session=session, chunk=chunk, offered=offered, so_far=so_far)
    understood = parse_answer.parse(asked.parsed, chunk=chunk, offered=offered)
    vectors = embedding.embed([found.event.description for found in understood.found])
    with lease.transaction() as locked:
        check_unchanged(chunk=chunk, offered=offered)
        if get_summary_so_far(locked) != so_far:
            raise InputChanged
        drop_forgotten(understood, vectors, answer=asked.parsed)
        for found, vector in zip(understood.found, vectors, strict=True):
            node = nodes.create_or_count(session=locked, found=found, vector=vector, now=now)
            if node.answer_key != found.key:
                understood.notes.append(f"event {found.index} says again what node {node.pk} holds")
        write_step(session=locked, understood=understood, asked=asked, now=now)
        if chunk.is_whole:
            locked.watermark = chunk.last_message_id
            locked.save(update_fields=["watermark"])
    return True


def drop_forgotten(understood: ParsedExtraction, vectors: list[list[float] | None], *, answer: dict[str, Any]) -> None:
    """Drop forgotten events that are not said anew: from the parsed answer, its vectors, and the answer to be stored."""
    told = [(found.event.description, [message.pk for message in found.sources]) for found in understood.found]
    messages = understood.chunk.lines
    buried = tombstones.are_forgotten(bond=messages[0].message.bond, told=told)
    for at in reversed([at for at, is_buried in enumerate(buried) if is_buried]):
        found = understood.found.pop(at)
        vectors.pop(at)
        told_alone = not isinstance(answer["events"], list)
        answer["events"] = None if told_alone else blank_part(answer["events"], found.index)
        understood.notes.append(f"event {found.index} dropped: it was forgotten, and is not said anew")
    if any(buried):
        # The rest of the answer may tell it in other words.
        answer["session_summary"] = answer["self_check_notes"] = None
        answer["mentioned_entities"] = prune_answer.prune_entities(
            answer, said="\n".join(message.text for message in messages)
        )


def blank_part(parts: list[Any], at: int) -> list[Any]:
    """Replace one part by None, so that the others keep their places."""
    return [*parts[:at], None, *parts[at + 1 :]]


def load_overlap(session: Session) -> list[Message]:
    messages = Message.objects.visible().filter(bond=session.bond_id, session=session, id__lte=session.watermark)
    return list(reversed(messages.order_by("-id")[: transcript.OVERLAP_MESSAGES]))


def gather_known_context(*, session: Session, chunk: Chunk) -> KnownContext:
    bond = session.bond
    talk = "\n".join(message.text for message in chunk.lines)
    known = [entity for entity, _ in lookup.find_named(bond=bond, said=talk)]
    among = [entity.pk for entity in known]
    return KnownContext(
        events=known_context.find_events(bond=bond, lines=chunk.lines, known=known),
        known=known,
        pair=lookup.find_uncertain_pair(bond=bond, among=among, session_id=session.pk),
    )


def ask(asker: Asker, *, session: Session, chunk: Chunk, offered: KnownContext, so_far: str) -> StructuredAnswer:
    zone = session.bond.user.zone
    inputs = ExtractionInputs(
        lines=transcript.localise(chunk.lines, zone=zone),
        known=known_context.list_names(offered.known),
        remembered=known_context.number_events(offered.events, zone=zone),
        pair=known_context.name_pair(offered.pair),
    )
    earlier = transcript.format_messages(transcript.localise(chunk.earlier, zone=zone))
    prompt = render_prompt(inputs, session=session, earlier=earlier, so_far=so_far)
    return asker.ask(prompt, feature="extraction", schema=ExtractionAnswer, inputs=inputs)


def render_prompt(inputs: ExtractionInputs, *, session: Session, earlier: str, so_far: str) -> str:
    bond = session.bond
    zone = bond.user.zone
    began = session.started_at.astimezone(zone)
    return render(
        PROMPT,
        persona_name=escape(bond.persona.name),
        began=f"{began:%Y-%m-%d %H:%M}",
        weekday=f"{began:%A}",
        zone=str(zone),
        user_block=format_block(blocks.find(bond, CoreBlock.Label.USER)),
        persona_block=format_block(blocks.find(bond.persona, CoreBlock.Label.PERSONA)),
        summary=escape(so_far) or "(none)",
        known_entities=known_context.format_entities(inputs.known) or "(none)",
        remembered=known_context.format_events(inputs.remembered) or "(nothing)",
        uncertain_pair=known_context.format_pair(inputs.pair) or "(none)",
        earlier=earlier or "(none)",
        transcript=transcript.format_messages(inputs.lines),
    )


def get_summary_so_far(session: Session) -> str:
    """Return the summary of the chunks already extracted, or of the session before it was resumed."""
    return (
        mood.find_last_summary(steps.load_unused_extractions(session=session, phase=ConsolidationStep.Phase.SUMMARY))
        or session.summary
    )


def format_block(block: CoreBlock | None) -> str:
    return escape(block.content) if block and block.content else "(nothing written)"


def check_unchanged(*, chunk: Chunk, offered: KnownContext) -> None:
    """Raise InputChanged where a message, an event or an entity of the prompt is gone."""
    bond = chunk.lines[0].message.bond_id
    messages = Message.objects.visible().filter(bond=bond)
    if (
        is_any_gone(messages, [numbered.message for numbered in (*chunk.earlier, *chunk.lines)])
        or is_any_gone(ConceptNode.objects.not_deleted().filter(bond=bond), offered.events)
        or is_any_gone(Entity.objects.not_deleted().filter(bond=bond), offered.entities)
    ):
        raise InputChanged


def is_any_gone(rows: QuerySet[Any], sent: Sequence[Model]) -> bool:
    ids = {row.pk for row in sent}
    return bool(ids) and rows.filter(pk__in=ids).count() != len(ids)


def write_step(*, session: Session, understood: ParsedExtraction, asked: StructuredAnswer, now: datetime) -> None:
    chunk = understood.chunk
    notes = [asked.note, *understood.notes, str(asked.parsed.get("self_check_notes") or "")]
    steps.record(
        session=session,
        last_message_id=chunk.last_message_id,
        part=chunk.part,
        phase=ConsolidationStep.Phase.EXTRACTION,
        outcome=ConsolidationStep.Outcome.DONE if understood.found else ConsolidationStep.Outcome.EMPTY,
        now=now,
        lines={numbered.number: numbered.message.pk for numbered in chunk.lines},
        pair=understood.offered.pair,
        answer=json.dumps(asked.parsed, ensure_ascii=False),
        notes="\n".join(note for note in notes if note),
        offline=asked.offline,
        tokens_in=asked.tokens_in,
        tokens_out=asked.tokens_out,
        duration_ms=asked.duration_ms,
    )


def skip_deleted_message(*, session: Session, lease: Lease[Session]) -> None:
    """Move the watermark past a long message that was deleted after some of its parts were read. Raises LeaseLost."""
    last = steps.load_extractions(session).last()
    if last is None or last.last_message_id <= session.watermark:
        return
    if Message.objects.visible().filter(bond=session.bond_id, pk=last.last_message_id).exists():
        return
    with lease.transaction() as locked:
        locked.watermark = last.last_message_id
        locked.save(update_fields=["watermark"])
