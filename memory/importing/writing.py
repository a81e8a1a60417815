"""Write the memories of a chunk in one transaction on the locked bond: each with its quote, and once."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.db.models import QuerySet, prefetch_related_objects

from memory.answers.import_schemas import EVENTS_MOST, FACTS_MOST, ImportedEvent
from memory.answers.schemas import THOUGHTS_MOST, EventAnswer
from memory.consolidation import entities
from memory.consolidation.entities import MentionedEntity
from memory.consolidation.events import deduplication
from memory.consolidation.parse_answer import ExtractedEvent
from memory.facts.checks import forgotten
from memory.facts.drafts import FactError, PreparedFact
from memory.importing.facts import ChunkFactWriter
from memory.importing.parse_answer import ParsedChunk
from memory.messages import tombstones
from memory.models import ConceptNode, Entity, FactWrite, Import, ImportChunk, Proposal
from memory.nodes import creation
from personas.models import Bond

CONFIDENCE = 0.7
# The proposals of one import; nobody reads more.
PROPOSALS_MOST = 20


@dataclass(frozen=True)
class ChunkMemories:
    """The parsed memories of a chunk, with the vectors of their descriptions in order, and its facts by their places."""

    reading: ParsedChunk
    vectors: Sequence[list[float] | None]
    met: Sequence[MentionedEntity]
    facts: Mapping[int, PreparedFact] = field(default_factory=dict)


def write(*, imported: Import, chunk: ImportChunk, understood: ChunkMemories, now: datetime) -> None:
    """Write all memories, and count the new ones in the chunk, which is not saved."""
    written = ChunkWriter(imported=imported, chunk=chunk, understood=understood, now=now)
    written.write_events()
    written.write_entities()
    written.write_facts()
    written.write_thoughts()
    written.propose()
    chunk.dropped_count = understood.reading.dropped_count


class ChunkWriter:
    """Writes the parts of one answer in order; `placed` are the nodes of its events, by their places in it."""

    def __init__(self, *, imported: Import, chunk: ImportChunk, understood: ChunkMemories, now: datetime) -> None:
        self.imported = imported
        self.bond = imported.bond
        self.chunk = chunk
        self.reading = understood.reading
        self.met = understood.met
        self.facts = understood.facts
        self.now = now
        self.vector_of = dict(zip(self.reading.descriptions, understood.vectors, strict=True))
        said = [*self.vector_of, *(line.content for line in self.reading.lines)]
        said += [fact.draft.content for fact in self.facts.values()]
        buried = forgotten.are_forgotten(bond=self.bond, told=[(one, ()) for one in said])
        self.forgotten = {one for one, is_buried in zip(said, buried, strict=True) if is_buried}
        self.placed: dict[int, ConceptNode] = {}

    def write_events(self) -> None:
        for at, event in self.reading.events.items():
            if event.description in self.forgotten:
                self.reading.drop(f"event {at}", "it was forgotten before")
            else:
                self.placed[at] = self.find_or_create_node(at, event)

    def find_or_create_node(self, at: int, event: ImportedEvent) -> ConceptNode:
        vector = self.vector_of[event.description]
        known = self.find_duplicate(at, event, vector=vector)
        if known is not None:
            deduplication.count_repetition(known, sources=[], now=self.now)
            self.reading.notes.append(f"event {at} says again what node {known.pk} holds")
            return known
        self.chunk.events_count += 1
        return creation.create(self.build_node(event, key=f"e{at}"), vector=vector, now=self.now)

    def find_duplicate(self, at: int, event: ImportedEvent, *, vector: Sequence[float] | None) -> ConceptNode | None:
        found = ExtractedEvent(
            index=at,
            key=self.build_answer_key(f"e{at}"),
            event=EventAnswer.model_validate(event.model_dump(mode="json")),
            sources=[],
            supersedes=[],
            named=self.reading.entities,
        )
        return self.find_identical(event) or deduplication.find_duplicate(
            bond=self.bond, found=found, vector=vector, now=self.now
        )

    def write_entities(self) -> None:
        names = {name for one in self.met for name in one.names.values()}
        gone = tombstones.find_forgotten_names(bond=self.bond, names=names, lines=())
        before = Entity.objects.for_bond(self.bond).count()
        told = list(self.placed.values())
        prefetch_related_objects(told, "source_messages")
        met = []
        for one in self.met:
            kept = {folded: name for folded, name in one.names.items() if name not in gone}
            if kept:
                met.append(MentionedEntity(kind=one.kind, names=kept, vector=one.vector))
            else:
                self.reading.drop("entity", "it was forgotten before")
        entities.write(met, bond=self.bond, nodes=told, by=FactWrite.By.IMPORT, now=self.now)
        self.chunk.entities_count = Entity.objects.for_bond(self.bond).count() - before

    def write_facts(self) -> None:
        writer = ChunkFactWriter(chunk=self.chunk, reading=self.reading, placed=self.placed, now=self.now)
        for at, fact in self.facts.items():
            if fact.draft.content in self.forgotten:
                self.reading.drop(f"fact {at}", "it was forgotten before")
                continue
            try:
                self.chunk.facts_count += writer.write(at, fact, answer_key=self.build_answer_key(f"f{at}"))
            except FactError as error:
                self.reading.drop(f"fact {at}", error.detail)

    def write_thoughts(self) -> None:
        for at, thought in self.reading.thoughts.items():
            filling = list(dict.fromkeys(self.placed[place].pk for place in thought.filling if place in self.placed))
            if thought.description in self.forgotten:
                self.reading.drop(f"thought {at}", "it was forgotten before")
            elif not filling:
                self.reading.drop(f"thought {at}", "it cites no event that is kept")
            elif self.find_identical(thought) is None:
                node = self.build_node(thought, key=f"t{at}")
                creation.create_with_evidence(
                    node, filling=filling, vector=self.vector_of[thought.description], now=self.now
                )
                self.chunk.thoughts_count += 1

    def build_node(self, told: Any, *, key: str) -> ConceptNode:
        """Build the node of an event or a thought; do not save it."""
        is_event = isinstance(told, ImportedEvent)
        window = told.event_time if is_event else None
        return ConceptNode(
            bond=self.bond,
            type=ConceptNode.Type.EVENT if is_event else ConceptNode.Type.THOUGHT,
            subject=told.subject if is_event else ConceptNode.Subject.USER,
            description=told.description,
            emotional_impact=told.emotional_impact,
            emotion_tags=told.emotion_tags,
            relational_tags=told.relational_tags,
            event_time_start=window.start if window else None,
            event_time_end=window.end if window else None,
            origin=ConceptNode.Origin.IMPORT,
            confidence=CONFIDENCE,
            answer_key=self.build_answer_key(key),
            source_quote=told.source_quote,
        )

    def build_answer_key(self, part: str) -> str:
        return f"import:{self.chunk.digest}:{part}"

    def find_identical(self, told: Any) -> ConceptNode | None:
        """Find a memory with the same words and days: chunks of a long paragraph overlap."""
        node = self.build_node(told, key="")
        same = {name: getattr(node, name) for name in ("type", "description", "event_time_start", "event_time_end")}
        return ConceptNode.objects.for_bond(self.bond).current().filter(**same).defer("embedding").first()

    def propose(self) -> None:
        room = PROPOSALS_MOST - Proposal.objects.filter(of=self.imported).count()
        Proposal.objects.bulk_create(
            [
                Proposal(
                    bond=self.bond,
                    of=self.imported,
                    chunk=self.chunk,
                    content=line.content,
                    source_quote=line.source_quote,
                    created_at=self.now,
                )
                for line in self.reading.lines[: max(0, room)]
                if line.content not in self.forgotten
            ],
            ignore_conflicts=True,
        )


def find_drawn_from_chunks(bond: Bond, chunks: Iterable[ImportChunk]) -> QuerySet[ConceptNode]:
    most = {"e": EVENTS_MOST, "f": FACTS_MOST, "t": THOUGHTS_MOST}
    parts = [f"{kind}{at}" for kind, count in most.items() for at in range(count)]
    keys = [f"import:{chunk.digest}:{part}" for chunk in chunks for part in parts]
    nodes = ConceptNode.objects.for_bond(bond).not_deleted().filter(answer_key__in=keys)
    return nodes.without_heavy_columns("terms").order_by("id")
