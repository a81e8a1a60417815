"""Writing what a piece of a file says, within one transaction on the locked bond: each thing with its quote, and once."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import QuerySet, prefetch_related_objects

from memory import tombstones
from memory.answers.import_schemas import EVENTS_MOST, ImportedEvent
from memory.answers.schemas import THOUGHTS_MOST, EventAnswer
from memory.consolidation import deduplication, entities
from memory.consolidation.entities import Met
from memory.consolidation.parse_answer import Found
from memory.importing.parse_answer import Reading
from memory.models import ConceptNode, Entity, Import, ImportChunk, Proposal
from memory.nodes import creation
from personas.models import Bond

CONFIDENCE = 0.7
# Of one import; who is proposed more reads none of it.
PROPOSALS_MOST = 20


@dataclass(frozen=True)
class Understood:
    """What is to be written of a piece, with the vectors of its descriptions in their order."""

    reading: Reading
    vectors: Sequence[list[float] | None]
    met: Sequence[Met]


def write(*, imported: Import, chunk: ImportChunk, understood: Understood, now: datetime) -> None:
    """Write all of it, and the counts of what was new into the chunk, which is not saved."""
    written = Written(imported=imported, chunk=chunk, understood=understood, now=now)
    written.write_events()
    written.write_entities()
    written.write_thoughts()
    written.propose()
    chunk.dropped_count = understood.reading.dropped_count


class Written:
    """The parts of one answer in their order; `placed` are the nodes of its events, by their places in it."""

    def __init__(self, *, imported: Import, chunk: ImportChunk, understood: Understood, now: datetime) -> None:
        self.imported = imported
        self.bond = imported.bond
        self.chunk = chunk
        self.reading = understood.reading
        self.met = understood.met
        self.now = now
        self.vector_of = dict(zip(self.reading.descriptions, understood.vectors, strict=True))
        said = [*self.vector_of, *(line.content for line in self.reading.lines)]
        buried = tombstones.buried(bond=self.bond, told=[(one, ()) for one in said])
        self.forgotten = {one for one, is_buried in zip(said, buried, strict=True) if is_buried}
        self.placed: dict[int, ConceptNode] = {}

    def write_events(self) -> None:
        for at, event in self.reading.events.items():
            if event.description in self.forgotten:
                self.reading.drop(f"event {at}", "it was forgotten before")
            else:
                self.placed[at] = self.node_of(at, event)

    def node_of(self, at: int, event: ImportedEvent) -> ConceptNode:
        """The node of an event: that which holds it already, or a new one."""
        vector = self.vector_of[event.description]
        known = self.said_before(at, event, vector=vector)
        if known is not None:
            deduplication.count(known, sources=[], now=self.now)
            self.reading.notes.append(f"event {at} says again what node {known.pk} holds")
            return known
        self.chunk.events_count += 1
        return creation.write(self.node(event, key=f"e{at}"), vector=vector, now=self.now)

    def said_before(self, at: int, event: ImportedEvent, *, vector: Sequence[float] | None) -> ConceptNode | None:
        """The event that this one says again."""
        found = Found(
            index=at,
            key=self.key(f"e{at}"),
            event=EventAnswer.model_validate(event.model_dump(mode="json")),
            sources=[],
            supersedes=[],
            named=self.reading.entities,
        )
        return self.word_for_word(event) or deduplication.said_before(
            bond=self.bond, found=found, vector=vector, now=self.now
        )

    def write_entities(self) -> None:
        names = {name for one in self.met for name in one.names.values()}
        gone = tombstones.buried_names(bond=self.bond, names=names, lines=())
        before = Entity.objects.of(self.bond).count()
        told = list(self.placed.values())
        prefetch_related_objects(told, "source_messages")
        for one in self.met:
            kept = {folded: name for folded, name in one.names.items() if name not in gone}
            if kept:
                met = Met(kind=one.kind, names=kept, vector=one.vector)
                entities.write(bond=self.bond, met=met, nodes=told, now=self.now)
            else:
                self.reading.drop("entity", "it was forgotten before")
        self.chunk.entities_count = Entity.objects.of(self.bond).count() - before

    def write_thoughts(self) -> None:
        for at, thought in self.reading.thoughts.items():
            filling = list(dict.fromkeys(self.placed[place].pk for place in thought.filling if place in self.placed))
            if thought.description in self.forgotten:
                self.reading.drop(f"thought {at}", "it was forgotten before")
            elif not filling:
                self.reading.drop(f"thought {at}", "it cites no event that is kept")
            elif self.word_for_word(thought) is None:
                node = self.node(thought, key=f"t{at}")
                creation.conclude(node, filling=filling, vector=self.vector_of[thought.description], now=self.now)
                self.chunk.thoughts_count += 1

    def node(self, told: Any, *, key: str) -> ConceptNode:
        """A node of an event or a thought, not saved."""
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
            answer_key=self.key(key),
            source_quote=told.source_quote,
        )

    def key(self, part: str) -> str:
        return f"import:{self.chunk.digest}:{part}"

    def word_for_word(self, told: Any) -> ConceptNode | None:
        """What is remembered in the same words, and of the same days: pieces of a long paragraph overlap."""
        node = self.node(told, key="")
        same = {name: getattr(node, name) for name in ("type", "description", "event_time_start", "event_time_end")}
        return ConceptNode.objects.of(self.bond).live().filter(**same).defer("embedding").first()

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


def drawn_from(bond: Bond, chunks: Iterable[ImportChunk]) -> QuerySet[ConceptNode]:
    """The memories of chunks that were read, found by the keys that they can have."""
    parts = [f"e{at}" for at in range(EVENTS_MOST)] + [f"t{at}" for at in range(THOUGHTS_MOST)]
    keys = [f"import:{chunk.digest}:{part}" for chunk in chunks for part in parts]
    nodes = ConceptNode.objects.of(bond).filter(answer_key__in=keys, deleted_at=None)
    return nodes.defer("embedding", "terms").order_by("id")
