from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

from django.db.models import Model, QuerySet

from echovessel.embeddings import embedding
from echovessel.embeddings.embedding import MessageReading
from echovessel.llm.inputs import ExtractionInputs
from echovessel.llm.offline.extraction import session as rules
from echovessel.prompts import escape, render
from memory.answers import steps
from memory.answers.schemas import EVENTS_MOST, ExtractionAnswer
from memory.answers.steps import Done, InputChanged
from memory.consolidation import known_context, mood, parse_answer, transcript
from memory.consolidation.asking import Asker, StructuredAnswer
from memory.consolidation.events import forgotten, nodes
from memory.consolidation.facts import clarifying, fact_writing, known_facts, parse_facts, said_anew, told_again
from memory.consolidation.facts.noted_facts import NotedFacts
from memory.consolidation.parse_answer import KnownContext, ParsedExtraction
from memory.consolidation.transcript import Chunk
from memory.entities import lookup
from memory.entities.names import name_user
from memory.jobs.lease import Lease
from memory.models import ConceptNode, ConsolidationStep, Entity, Message, Session
from personas import blocks
from personas.authored import placeholders
from personas.models import Bond, CoreBlock

PROMPT = Path(__file__).parent.parent / "prompts" / "extract.md"
# A death, a breakup: nobody is asked whether that is so.
GRAVE = -7


def extract(
    messages: Sequence[Message],
    *,
    session: Session,
    done: Done,
    lease: Lease[Session],
    asker: Asker,
    now: datetime,
) -> tuple[Session, ConsolidationStep] | None:
    """Extract the first chunk of the messages past the watermark. Returns the session and the step as written, None without messages.

    One transaction writes the step with its answer, the facts, the events and the watermark, so a kill at any moment leaves all of
    them or none. Raises LLMError, LeaseLost, InputChanged.
    """
    if not messages:
        return None
    chunk = transcript.build_next_chunk(
        messages,
        earlier=load_overlap(session, before=messages[0]),
        parts_read=steps.count_parts_read(done, message_id=messages[0].pk),
    )
    chunk = forgotten.leave_out(chunk, bond=session.bond)
    offered = gather_known_context(session=session, chunk=chunk)
    unused = steps.list_unused_extractions(done)
    so_far = mood.find_last_summary(unused) or session.summary
    asked = ask(asker, session=session, chunk=chunk, offered=offered, so_far=so_far)
    # Rules write one of each message.
    events_most = rules.MAX_EVENTS + rules.STATED_MOST if asked.offline else EVENTS_MOST
    understood = parse_answer.parse(asked.parsed, chunk=chunk, offered=offered, events_most=events_most)
    understood.facts = parse_facts.parse(asked.parsed, chunk=chunk, offered=offered.facts, notes=understood.notes)
    said_again = said_anew.find(chunk, bond=session.bond, besides=understood.facts)
    vectors = embedding.embed([found.event.description for found in understood.found])
    with lease.transaction() as locked:
        check_unchanged(chunk=chunk, offered=offered)
        steps.check_unchanged(*unused)
        if locked.summary != session.summary:
            raise InputChanged
        forgotten.drop(understood, vectors, bond=locked.bond, answer=asked.parsed)
        understood.facts += said_again
        understood.notes += clarifying.settle(asked.parsed, session=locked, understood=understood, now=now)
        count = write_memories(understood, vectors, session=locked, by_rules=asked.offline, now=now)
        told_again.count(chunk, offered=offered.facts, session=locked, now=now)
        step = build_step(session=locked, understood=understood, asked=asked, count=count, now=now)
        steps.record(step)
        if chunk.is_whole:
            locked.watermark = chunk.last_message_id
            locked.save(update_fields=["watermark"])
    return locked, step


def write_memories(
    understood: ParsedExtraction,
    vectors: Sequence[list[float] | None],
    *,
    session: Session,
    by_rules: bool,
    now: datetime,
) -> int:
    """Write the facts and events of an answer; what only holds and is a fact is no event. Returns how many were written."""
    notes = understood.notes
    # Writing facts undoes none.
    noted = NotedFacts.load(session)
    grave = {line for found in understood.found if found.event.emotional_impact <= GRAVE for line in found.user_lines}
    facts = fact_writing.write_facts(
        understood.facts, session=session, noted=noted, notes=notes, by_rules=by_rules, grave_lines=grave, now=now
    )
    told = fact_writing.find_told_by_facts(session) if any(found.only_holds for found in understood.found) else {}
    noted = NotedFacts.load(session) if noted.undone else noted
    events: list[tuple[set[int], ConceptNode]] = []
    for found, vector in zip(understood.found, vectors, strict=True):
        if found.only_holds and fact_writing.is_told(found, told):
            notes.append(f"event {found.index} dropped: its lines are noted as facts")
            continue
        if noted.is_undone(found.event.description, user_lines=found.user_lines):
            notes.append(f"event {found.index} dropped: it was noted as a fact and undone")
            continue
        node = nodes.create_or_count(session=session, found=found, vector=vector, by_rules=by_rules, now=now)
        if node.answer_key != found.key:
            notes.append(f"event {found.index} says again what node {node.pk} holds")
        if node.type == ConceptNode.Type.EVENT:
            events.append((found.user_lines, node))
    fact_writing.cite_events(facts, events)
    return len(understood.found) + len(facts)


def load_overlap(session: Session, *, before: Message) -> list[Message]:
    """Load the last messages before this one: what was extracted already, and a greeting, which is shown but not extracted."""
    messages = session.bond.messages.visible().filter(session=session, id__lt=before.pk, left_out=False)
    return list(reversed(messages.without_heavy_columns().order_by("-id")[: transcript.OVERLAP_MESSAGES]))


def gather_known_context(*, session: Session, chunk: Chunk) -> KnownContext:
    bond = session.bond
    talk = "\n".join(message.text for message in chunk.lines)
    known = [entity for entity, _ in lookup.find_named(bond=bond, said=talk)]
    among = [entity.pk for entity in known]
    return KnownContext(
        events=known_context.find_events(bond=bond, lines=chunk.lines, known=known),
        known=known,
        pair=lookup.find_uncertain_pair(bond=bond, among=among, session_id=session.pk),
        facts=known_facts.find_facts(session=session, lines=chunk.lines),
        doubts=clarifying.find_doubts(session),
    )


def ask(asker: Asker, *, session: Session, chunk: Chunk, offered: KnownContext, so_far: str) -> StructuredAnswer:
    zone = session.bond.user.zone
    readings = read_by_vectors(chunk) if asker.llm.offline else {}
    inputs = ExtractionInputs(
        lines=transcript.localise(chunk.lines, zone=zone, readings=readings),
        known=known_context.list_names(offered.known),
        remembered=known_context.number_events(offered.events, zone=zone),
        pair=known_context.name_pair(offered.pair),
        facts=known_facts.number_facts(offered.facts),
        doubts=clarifying.number_doubts(offered.doubts),
    )
    earlier = transcript.format_messages(transcript.localise(chunk.earlier, zone=zone))
    prompt = render_prompt(inputs, session=session, earlier=earlier, so_far=so_far)
    return asker.ask(prompt, feature="extraction", schema=ExtractionAnswer, inputs=inputs)


def read_by_vectors(chunk: Chunk) -> dict[int, MessageReading]:
    """Read what the vector of each message of the user tells, by its id."""
    said = chunk.user_messages
    readings = embedding.read_messages([message.content for message in said])
    return {message.pk: one for message, one in zip(said, readings, strict=True)}


def render_prompt(inputs: ExtractionInputs, *, session: Session, earlier: str, so_far: str) -> str:
    bond = session.bond
    user = name_user(bond)
    zone = bond.user.zone
    began = session.started_at.astimezone(zone)
    return render(
        PROMPT,
        persona_name=escape(bond.persona.name),
        user_name=escape(user),
        began=f"{began:%Y-%m-%d %H:%M}",
        weekday=f"{began:%A}",
        zone=str(zone),
        user_block=format_block(blocks.find(bond, CoreBlock.Label.USER)),
        persona_block=format_persona_block(bond, user=user),
        summary=escape(so_far) or "(none)",
        known_entities=known_context.format_entities(inputs.known) or "(none)",
        remembered=known_context.format_events(inputs.remembered) or "(nothing)",
        uncertain_pair=known_context.format_pair(inputs.pair) or "(none)",
        facts=known_facts.format_facts(inputs.facts) or "(nothing)",
        doubts=clarifying.format_doubts(inputs.doubts) or "(none)",
        earlier=earlier or "(none)",
        transcript=transcript.format_messages(inputs.lines),
    )


def format_persona_block(bond: Bond, *, user: str) -> str:
    block = blocks.find(bond.persona, CoreBlock.Label.PERSONA)
    text = block.content if block else ""
    filled = placeholders.fill(text, character=bond.persona.called, user=user)
    return escape(filled) or "(nothing written)"


def format_block(block: CoreBlock | None) -> str:
    return escape(block.content) if block and block.content else "(nothing written)"


def check_unchanged(*, chunk: Chunk, offered: KnownContext) -> None:
    """Raise InputChanged where a message of the prompt is gone or left out of memory, or an event or an entity is gone."""
    bond = chunk.lines[0].message.bond_id
    messages = Message.objects.visible().filter(bond=bond, left_out=False)
    if (
        is_any_gone(messages, [numbered.message for numbered in (*chunk.earlier, *chunk.lines)])
        or is_any_gone(ConceptNode.objects.not_deleted().filter(bond=bond), [*offered.events, *offered.facts])
        or is_any_gone(Entity.objects.not_deleted().filter(bond=bond), offered.entities)
    ):
        raise InputChanged


def is_any_gone(rows: QuerySet[Any], sent: Sequence[Model]) -> bool:
    ids = {row.pk for row in sent}
    return bool(ids) and rows.filter(pk__in=ids).count() != len(ids)


def build_step(
    *, session: Session, understood: ParsedExtraction, asked: StructuredAnswer, count: int, now: datetime
) -> ConsolidationStep:
    chunk = understood.chunk
    notes = [asked.note, *understood.notes, str(asked.parsed.get("self_check_notes") or "")]
    pair = understood.offered.pair
    return ConsolidationStep(
        session=session,
        last_message_id=chunk.last_message_id,
        part=chunk.part,
        phase=ConsolidationStep.Phase.EXTRACTION,
        outcome=ConsolidationStep.Outcome.DONE if count else ConsolidationStep.Outcome.EMPTY,
        created_at=now,
        lines={str(numbered.number): numbered.message.pk for numbered in chunk.lines},
        # By its id: whoever uses the answer reads the pair as it is then.
        pair_id=pair.pk if pair else None,
        notes="\n".join(note for note in notes if note),
        **asked.build_columns(),
    )


def skip_deleted_message(session: Session, *, done: Done, lease: Lease[Session]) -> Session:
    """Move the watermark past a long message that was deleted after some of its parts were read. Raises LeaseLost.

    Returns the session as it is then.
    """
    last = max((step.last_message_id for step in steps.list_extractions(done)), default=0)
    if last <= session.watermark or Message.objects.visible().filter(bond=session.bond_id, pk=last).exists():
        return session
    with lease.transaction() as locked:
        locked.watermark = last
        locked.save(update_fields=["watermark"])
    return locked
