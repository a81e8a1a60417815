"""Parse the answer about a chunk: keep what the chunk itself says, with a quote; drop the rest."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any

from echovessel.prompts import unescape
from echovessel.text import contains_name, fold
from memory.answers.import_schemas import EVENTS_MOST, LINES_MOST, ImportedEvent, ImportedThought, LineAnswer
from memory.answers.schemas import (
    ENTITIES_MOST,
    THOUGHTS_MOST,
    EntityAnswer,
    EventTime,
    parse_indexed_parts,
    parse_parts,
)
from memory.facts.drafts import FactDraft

# A shorter quote occurs anywhere.
QUOTE_LEAST = 3
# What a quote may leave out, and how it says so.
LEFT_OUT_MOST = 200
_LEFT_OUT = re.compile(r"\.{3,}|…+")


@dataclass(frozen=True)
class ChunkSource:
    """A chunk as it was sent: its text, the user's part of it, the day, and the folded names of its known entities."""

    text: str
    of_user: str
    said_on: date | None
    today: date
    known_names: frozenset[str] = frozenset()


@dataclass
class ParsedChunk:
    """Events, thoughts and facts by their places in the answer; each part has its quote as the chunk has it."""

    events: dict[int, ImportedEvent] = field(default_factory=dict)
    thoughts: dict[int, ImportedThought] = field(default_factory=dict)
    facts: dict[int, tuple[str, FactDraft]] = field(default_factory=dict)
    entities: list[EntityAnswer] = field(default_factory=list)
    lines: list[LineAnswer] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    dropped_count: int = 0

    def drop(self, what: str, because: str) -> None:
        self.notes.append(f"{what} dropped: {because}")
        self.dropped_count += 1

    @property
    def descriptions(self) -> list[str]:
        events = [event.description for event in self.events.values()]
        return events + [thought.description for thought in self.thoughts.values()]


def extract_user_text(text: str, *, is_chat: bool) -> str:
    paragraphs = (part for part in text.split("\n\n") if not is_chat or part.startswith("User: "))
    return "\n\n".join(paragraphs)


def parse(answer: dict[str, Any], *, source: ChunkSource) -> ParsedChunk:
    reading = ParsedChunk()
    parse_events(reading, answer.get("events"), source=source)
    parse_thoughts(reading, answer.get("thoughts"), source=source)
    named, notes = parse_parts(answer.get("mentioned_entities"), EntityAnswer, what="entity", most=ENTITIES_MOST)
    reading.notes += notes
    for at, entity in enumerate(named):
        if named_here := filter_names(entity, source=source):
            reading.entities.append(named_here)
        else:
            reading.drop(f"entity {at}", "the piece does not name it")
    lines, notes = parse_parts(answer.get("about_user"), LineAnswer, what="line", most=LINES_MOST)
    reading.notes += notes
    for at, line in enumerate(lines):
        if quote := find_quote(line.source_quote, source.of_user):
            reading.lines.append(line.model_copy(update={"source_quote": quote}))
        else:
            reading.drop(f"line {at}", "its quote is not in what the user says here")
    return reading


def parse_events(reading: ParsedChunk, value: Any, *, source: ChunkSource) -> None:
    events, notes = parse_indexed_parts(value, ImportedEvent, what="event", most=EVENTS_MOST)
    count_lost(reading, value, kept=events, notes=notes)
    for at, event in events.items():
        quote = find_quote(event.source_quote, source.of_user)
        if quote:
            time = choose_event_time(event.event_time, source=source)
            reading.events[at] = event.model_copy(update={"source_quote": quote, "event_time": time})
        else:
            reading.drop(f"event {at}", "its quote is not in what the user says here")


def parse_thoughts(reading: ParsedChunk, value: Any, *, source: ChunkSource) -> None:
    thoughts, notes = parse_indexed_parts(value, ImportedThought, what="thought", most=THOUGHTS_MOST)
    count_lost(reading, value, kept=thoughts, notes=notes)
    for at, thought in thoughts.items():
        quote = find_quote(thought.source_quote, source.of_user)
        filling = [place for place in thought.filling if place in reading.events]
        if not quote:
            reading.drop(f"thought {at}", "its quote is not in what the user says here")
        elif not filling:
            reading.drop(f"thought {at}", "it cites no event that is kept")
        else:
            reading.thoughts[at] = thought.model_copy(update={"source_quote": quote, "filling": filling})


def count_lost(reading: ParsedChunk, value: Any, *, kept: dict[int, Any], notes: Iterable[str]) -> None:
    """Count parts that could not be parsed, with the parser's notes."""
    reading.notes += notes
    given = len(value) if isinstance(value, list) else len(kept)
    reading.dropped_count += given - len(kept)


def choose_event_time(window: EventTime | None, *, source: ChunkSource) -> EventTime | None:
    """Choose the days an event names, where they are plausible; else the day it was told."""
    told_on = source.said_on or source.today
    if window is not None and window.is_plausible(told_on):
        return window
    return EventTime.model_construct(start=source.said_on, end=source.said_on) if source.said_on else None


def find_quote(quote: str, text: str) -> str:
    """Find the quoted words in the text, or an empty string; only spaces and line breaks may differ, and what "..." leaves out."""
    for said in dict.fromkeys((quote, unescape(quote))):
        parts = [r"\s+".join(map(re.escape, part.split())) for part in _LEFT_OUT.split(said) if part.strip()]
        if parts and len("".join(said.split())) >= QUOTE_LEAST and (found := find_parts(parts, text)):
            return found
    return ""


def find_parts(parts: Sequence[str], text: str) -> str:
    """Find the shortest text from where the first pattern matches to where the last one does, each soon behind the one before."""
    for begins in re.finditer(parts[0], text):
        end = begins.end()
        for part in parts[1:]:
            found = re.compile(part).search(text, end, end + LEFT_OUT_MOST + len(part))
            if found is None:
                break
            end = found.end()
        else:
            return text[begins.start() : end]
    return ""


def filter_names(entity: EntityAnswer, *, source: ChunkSource) -> EntityAnswer | None:
    """Keep the names of an entity that the chunk holds, and the one by which it is known; None where there is no such
    name.
    """
    folded = fold(source.text)
    here = [name for name in (entity.canonical_name, *entity.aliases) if contains_name(folded, fold(name))]
    if not here:
        return None
    is_known = fold(entity.canonical_name) in source.known_names
    return entity.model_copy(update={"canonical_name": entity.canonical_name if is_known else here[0], "aliases": here})
