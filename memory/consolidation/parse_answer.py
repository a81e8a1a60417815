"""Parse an extraction's answer: keep each event with its source messages, drop the rest with a note."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from typing import Any

from echovessel.llm.offline import event_dates
from memory.answers.schemas import (
    ENTITIES_MOST,
    EVENTS_MOST,
    EntityAnswer,
    EventAnswer,
    parse_indexed_parts,
    parse_parts,
    shift_years,
)
from memory.consolidation.facts.parse_facts import ExtractedFact
from memory.consolidation.transcript import Chunk
from memory.facts.checks import left_open, wording
from memory.models import ConceptNode, Doubt, Entity, Message

# An event felt less than this may be told by a fact alone.
FELT_FROM = 3
# The characters of a line in which days are looked for.
READ_MOST = 4_000
# What a small model dates so long ago is of the next year, where that is so soon.
LONG_AGO, SOON = timedelta(300), timedelta(65)
# A model names the weightiest event where it stands in the talk: so many beyond those that are kept are read.
ALSO_READ, PROMISE_WEIGHT = 5, 5
# The share of the words of the shorter of two events that makes them one, and how many it has at least.
REPEATED_SHARE, REPEATED_LEAST = 0.75, 2


@dataclass(frozen=True)
class KnownContext:
    """What the prompt offers beside the chunk: events it may supersede, entities, the uncertain pair, noted facts and doubts."""

    events: Sequence[ConceptNode]
    known: Sequence[Entity]
    pair: Entity | None
    facts: Sequence[ConceptNode] = ()
    doubts: Sequence[Doubt] = ()

    @property
    def entities(self) -> list[Entity]:
        pair = [self.pair, self.pair.merge_target] if self.pair else []
        return [*self.known, *(entity for entity in pair if entity)]


@dataclass(frozen=True)
class ExtractedEvent:
    """A parsed event: its place in the answer, its messages, what it supersedes, and the entities its answer names."""

    index: int
    # The node's unique key: writing an answer twice writes the node once.
    key: str
    event: EventAnswer
    sources: list[Message]
    supersedes: list[ConceptNode]
    named: Sequence[EntityAnswer]

    @property
    def user_lines(self) -> set[int]:
        return {message.pk for message in self.sources if message.role == Message.Role.USER}

    @property
    def only_holds(self) -> bool:
        """Whether it tells nothing that a fact of its lines does not: no feeling, no time, no thread, and no change."""
        event = self.event
        return (
            self.type == ConceptNode.Type.EVENT
            and abs(event.emotional_impact) < FELT_FROM
            and event.event_time is None
            and set(event.relational_tags) <= {"identity-bearing"}
            and not self.supersedes
        )

    @property
    def type(self) -> str:
        return ConceptNode.Type.INTENTION if self.event.subject == "persona" else ConceptNode.Type.EVENT


@dataclass
class ParsedExtraction:
    chunk: Chunk
    offered: KnownContext
    found: list[ExtractedEvent] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    facts: list[ExtractedFact] = field(default_factory=list)


def parse(
    answer: dict[str, Any], *, chunk: Chunk, offered: KnownContext, events_most: int = EVENTS_MOST
) -> ParsedExtraction:
    """Parse the weightiest events of an answer, with notes on the dropped ones."""
    events, notes = parse_indexed_parts(answer.get("events"), EventAnswer, what="event", most=events_most + ALSO_READ)
    named, _ = parse_parts(answer.get("mentioned_entities"), EntityAnswer, what="entity", most=ENTITIES_MOST)
    reading = ParsedExtraction(chunk=chunk, offered=offered, notes=notes)
    for index, event in events.items():
        sources = find_sources(event, chunk=chunk, index=index, notes=notes)
        if dropped := find_drop_reason(event, sources) or find_repeated(event, sources, among=reading.found):
            notes.append(f"event {index} dropped: {dropped}")
            continue
        reading.found.append(
            ExtractedEvent(
                index=index,
                key=f"extraction:{chunk.session_id}:{chunk.last_message_id}:{chunk.part}:{index}",
                event=drop_implausible_time(set_year(event, sources), told_on=chunk.last_day, index=index, notes=notes),
                sources=sources,
                supersedes=resolve_superseded(event, offered=offered.events, index=index, notes=notes),
                named=named,
            )
        )
    for light in sorted(reading.found, key=weigh)[: max(0, len(reading.found) - events_most)]:
        reading.found.remove(light)
        notes.append(f"event {light.index} dropped: {events_most} others weigh more")
    return reading


def weigh(found: ExtractedEvent) -> tuple[int, int]:
    """Weigh an event by what was felt, a promise as what matters; of two alike the first weighs more."""
    felt = abs(found.event.emotional_impact)
    return max(felt, PROMISE_WEIGHT) if found.type == ConceptNode.Type.INTENTION else felt, -found.index


def find_sources(event: EventAnswer, *, chunk: Chunk, index: int, notes: list[str]) -> list[Message]:
    """Return the sent messages that an event cites; without any, all of the user's."""
    sources = chunk.find_messages(event.source_lines)
    unknown = sorted(set(event.source_lines) - {message.number for message in chunk.lines})
    if unknown:
        notes.append(f"event {index}: there are no lines {format_numbers(unknown)} to cite")
    return sources or chunk.user_messages


def find_repeated(event: EventAnswer, sources: Sequence[Message], *, among: Sequence[ExtractedEvent]) -> str:
    """Say which event of the answer one repeats: of the same lines, in most of the same words."""
    words = wording.list_firm_words(event.description)
    for one in among:
        own = wording.list_firm_words(one.event.description)
        fewer, more = sorted((words, own), key=len)
        is_same = len(fewer) >= REPEATED_LEAST and left_open.count_words(" ".join(more), fewer) >= REPEATED_SHARE * len(
            fewer
        )
        if is_same and set(sources) <= set(one.sources) and event.subject == one.event.subject:
            return f"it says again what event {one.index} does"
    return ""


def find_drop_reason(event: EventAnswer, sources: Sequence[Message]) -> str:
    speakers = {message.role for message in sources}
    if event.subject == "persona":
        return "" if Message.Role.PERSONA in speakers else "a promise of the companion that no line of it holds"
    if Message.Role.USER not in speakers:
        return "no line of the user to rest on"
    lines = [message.content for message in sources if message.role == Message.Role.USER]
    if Message.Role.PERSONA in speakers and left_open.is_only_asked(event.description, lines, speakers=[]):
        return "the user only asked, and the companion told this"
    return "the user left this open" if left_open.is_only_open(event.description, lines) else ""


def set_year(event: EventAnswer, sources: Sequence[Message]) -> EventAnswer:
    """Return an event in the year of the day that its lines name: a small model knows the day and takes another year."""
    window = event.event_time
    if window is None:
        return event
    told = {one.start for line in sources for one in event_dates.list_days(line.content[:READ_MOST], said_on=line.day)}
    # 12月20号, said in November, is the next one, though a day without its year may be the last one, unless it is told as past.
    next_one = shift_years(window.start, 1)
    today = sources[-1].day
    is_next = next_one in told and window.start < today - LONG_AGO and next_one < today + SOON
    years = {day.year for day in told if (day.month, day.day) == (window.start.month, window.start.day)}
    if not is_next and (window.start in told or len(years) != 1):
        return event
    by = 1 if is_next else years.pop() - window.start.year
    moved = window.model_copy(update={"start": shift_years(window.start, by), "end": shift_years(window.end, by)})
    return event.model_copy(update={"event_time": moved})


def drop_implausible_time(event: EventAnswer, *, told_on: date, index: int, notes: list[str]) -> EventAnswer:
    window = event.event_time
    if window is None or window.is_plausible(told_on):
        return event
    notes.append(f"event {index}: its time, {window.start} to {window.end}, is not plausible and was left out")
    return event.model_copy(update={"event_time": None})


def resolve_superseded(
    event: EventAnswer, *, offered: Sequence[ConceptNode], index: int, notes: list[str]
) -> list[ConceptNode]:
    unknown = [number for number in event.supersedes if not 1 <= number <= len(offered)]
    if unknown:
        notes.append(f"event {index}: nothing was remembered under {format_numbers(unknown)}")
    return [offered[number - 1] for number in event.supersedes if number not in unknown]


def format_numbers(numbers: Sequence[int]) -> str:
    return ", ".join(str(number)[:12] for number in numbers[:5])
