"""Extract one chunk of a file: one call, one transaction."""

from datetime import date, datetime
from pathlib import Path

from echovessel import events
from echovessel.embeddings import embedding
from echovessel.llm.errors import BadAnswerError, ModelRefusedError
from echovessel.llm.inputs import ImportInputs
from echovessel.materials import CHATS
from echovessel.prompts import escape, render
from memory.answers.import_schemas import ImportAnswer
from memory.consolidation import known_context
from memory.consolidation.asking import Asker, StructuredAnswer
from memory.consolidation.entities import collect_mentioned
from memory.consolidation.extraction import format_block
from memory.entities import lookup
from memory.importing import facts, parse_answer, writing
from memory.importing.parse_answer import ChunkSource
from memory.importing.writing import ChunkMemories
from memory.jobs.lease import Lease
from memory.messages import secrets
from memory.models import Entity, EntityAlias, Import, ImportChunk
from personas import blocks
from personas.models import CoreBlock

PROMPT = Path(__file__).parent.parent / "prompts" / "import.md"
State = ImportChunk.State


def extract(*, imported: Import, chunk: ImportChunk, lease: Lease[Import], asker: Asker, now: datetime) -> bool:
    """Extract a chunk. Returns whether the model could answer.

    A chunk whose text was extracted before in this bond is skipped. Raises LLMError where no model can be asked,
    EmbeddingError, LeaseLost.
    """
    if is_known(chunk):
        finish(chunk, lease=lease, state=State.KNOWN, now=now)
        return True
    chunk.bond = bond = imported.bond
    piece = secrets.mask(chunk.text)
    known = [entity for entity, _ in lookup.find_named(bond=bond, said=piece)]
    try:
        inputs = ImportInputs(
            text=piece, title=chunk.title, said_on=chunk.said_on, known=known_context.list_names(known)
        )
        asked = asker.ask(render_prompt(chunk, inputs), feature="import", schema=ImportAnswer, inputs=inputs)
    except (BadAnswerError, ModelRefusedError) as error:
        finish(chunk, lease=lease, state=State.FAILED, now=now, error=f"{error.code}: {error}"[:500])
        return False
    source = ChunkSource(
        text=piece,
        of_user=parse_answer.extract_user_text(piece, is_chat=imported.kind in CHATS),
        said_on=chunk.said_on,
        today=bond.user.get_day(now),
        known_names=load_folded_names(known),
    )
    save_answer(chunk, asked=asked, source=source, lease=lease, now=now)
    return True


def is_known(chunk: ImportChunk) -> bool:
    same = ImportChunk.objects.filter(bond=chunk.bond_id, digest=chunk.digest, state=State.DONE)
    return same.exclude(pk=chunk.pk).exists()


def load_folded_names(known: list[Entity]) -> frozenset[str]:
    aliases = EntityAlias.objects.not_deleted().filter(entity__in=known)
    return frozenset(aliases.values_list("folded", flat=True))


def render_prompt(chunk: ImportChunk, inputs: ImportInputs) -> str:
    bond = chunk.bond
    return render(
        PROMPT,
        persona_name=escape(bond.persona.name),
        user_block=format_block(blocks.find(bond, CoreBlock.Label.USER)),
        known_entities=known_context.format_entities(inputs.known) or "(none)",
        said_on=format_day(inputs.said_on),
        title=escape(inputs.title) or "(none)",
        material=escape(inputs.text),
    )


def format_day(day: date | None) -> str:
    return f"{day} ({day:%A})" if day else "(no day is known)"


def save_answer(
    chunk: ImportChunk, *, asked: StructuredAnswer, source: ChunkSource, lease: Lease[Import], now: datetime
) -> None:
    """Write an answer, its chunk and its import's counts in one transaction. Raises LeaseLost."""
    understood = parse_answer.parse(asked.parsed, source=source)
    facts.parse(understood, asked.parsed.get("facts"), source=source)
    prepared = facts.prepare(understood)
    vectors = embedding.embed(understood.descriptions)
    met = collect_mentioned(bond=chunk.bond, parts=understood.entities)
    with lease.transaction() as imported:
        writing.write(
            imported=imported, chunk=chunk, understood=ChunkMemories(understood, vectors, met, prepared), now=now
        )
        chunk.notes = "\n".join(note for note in [asked.note, *understood.notes] if note)
        chunk.offline = asked.offline
        chunk.tokens_in, chunk.tokens_out = asked.tokens_in, asked.tokens_out
        chunk.duration_ms = asked.duration_ms
        save_progress(imported, chunk, state=State.DONE, now=now)


def finish(
    chunk: ImportChunk, *, lease: Lease[Import], state: ImportChunk.State, now: datetime, error: str = ""
) -> None:
    """End a chunk without memories. Raises LeaseLost."""
    with lease.transaction() as imported:
        chunk.error = error
        save_progress(imported, chunk, state=state, now=now)


def save_progress(imported: Import, chunk: ImportChunk, *, state: ImportChunk.State, now: datetime) -> None:
    chunk.settle(state, now=now)
    chunk.save()
    imported.done += state != State.FAILED
    imported.events_count += chunk.events_count
    imported.facts_count += chunk.facts_count
    imported.thoughts_count += chunk.thoughts_count
    imported.entities_count += chunk.entities_count
    imported.dropped_count += chunk.dropped_count
    imported.attempt_count = 0
    imported.touched_at = now
    imported.save()
    announce(imported, now=now)


def announce(imported: Import, *, now: datetime) -> None:
    refs = {
        "import": imported.pk,
        "done": imported.done,
        "total": imported.total,
        "writes": imported.writes,
        "state": imported.state,
    }
    events.record(bond_id=imported.bond_id, type="memory.import.progress", refs=refs, now=now)
