"""The schemas of structured answers. Parsing keeps the good parts of an imperfect answer and notes the dropped ones."""

import re
from calendar import monthrange
from datetime import date
from typing import Annotated, Any, TypeVar

from pydantic import AliasChoices, BaseModel, BeforeValidator, Field, ValidationError, ValidationInfo

from memory.answers.coercion import (
    About,
    Day,
    Description,
    EmotionTags,
    Energy,
    Impact,
    Kind,
    Mood,
    Name,
    Names,
    Numbers,
    RelationalTags,
    Signal,
    Subject,
    add_note,
    parse_whole_number,
)
from memory.answers.fact_schemas import Clarified, FactAnswer

Part = TypeVar("Part", bound=BaseModel)

EVENTS_MOST = 3
THOUGHTS_MOST = 2
ENTITIES_MOST = 40
SUMMARY_MOST = 200
# The limits of an event's time: its distance from the day it is told, and its length.
PAST_YEARS = 130
FUTURE_YEARS = 50
LONGEST_YEARS = 20
_MONTH_OR_YEAR = re.compile(r"([1-9]\d{3})(?:-(\d{2}))?", re.ASCII)


class EventTime(BaseModel):
    start: Day
    end: Day

    def is_plausible(self, told_on: date) -> bool:
        """Whether the days of an event are plausible for the day it was told: within a life, a few plans ahead."""
        return (
            self.start >= shift_years(told_on, -PAST_YEARS)
            and self.end <= shift_years(told_on, FUTURE_YEARS)
            and self.end <= shift_years(self.start, LONGEST_YEARS)
        )


def shift_years(day: date, years: int) -> date:
    """Return the same day of another year; 28 February for a 29th that does not exist."""
    year = max(date.min.year, min(date.max.year, day.year + years))
    try:
        return day.replace(year=year)
    except ValueError:
        return day.replace(year=year, day=28)


def widen(day: Any, *, to_end: bool) -> Any:
    """Return the first or the last day of a month or a year: small models write "2026-03". Anything else is returned as it is."""
    match = _MONTH_OR_YEAR.fullmatch(day.strip()) if isinstance(day, str) else None
    if match is None:
        return day
    year, month = int(match[1]), int(match[2] or (12 if to_end else 1))
    return f"{year}-{month:02}-{monthrange(year, month)[1] if to_end else 1:02}" if 1 <= month <= 12 else day


def parse_event_time(value: Any, info: ValidationInfo) -> EventTime | None:
    """Parse a window of days, or the one day or month that a small model gives; return None where it does not exist or is not in order."""
    if isinstance(value, str):
        value = {"start": value}
    if isinstance(value, dict):
        start, end = value.get("start"), value.get("end")
        edges = {"start": widen(start or end, to_end=False), "end": widen(end or start, to_end=True)}
        value = edges if start or end else None
    if value is None:
        return None
    try:
        window = EventTime.model_validate(value)
    except ValidationError:
        add_note(info, f"{info.field_name} left out: it is no window of days that exist")
        return None
    if window.start > window.end:
        add_note(info, f"{info.field_name} left out: it ends before it starts")
        return None
    return window


class ToldEvent(BaseModel):
    description: Description
    emotional_impact: Impact
    emotion_tags: EmotionTags = []
    relational_tags: RelationalTags = []
    subject: Subject = "user"
    event_time: Annotated[EventTime | None, BeforeValidator(parse_event_time)] = None


class EventAnswer(ToldEvent):
    source_lines: Numbers = []
    supersedes: Numbers = []


class EntityAnswer(BaseModel):
    # Small models say "name".
    canonical_name: Name = Field(validation_alias=AliasChoices("canonical_name", "name"))
    kind: Kind = "other"
    aliases: Names = []
    in_events: Numbers = []
    description: About = ""


class PossibleSame(BaseModel):
    a: Name
    b: Name
    stated_in: Annotated[int | None, BeforeValidator(parse_whole_number)] = None


class Clarification(BaseModel):
    canonical_a: Name
    canonical_b: Name
    same: bool


class MoodSignal(BaseModel):
    mood: Mood
    energy: Energy
    last_user_signal: Signal = None


class ExtractionAnswer(BaseModel):
    """What is asked of the model; what comes back is read part by part, see `read_list`."""

    events: list[EventAnswer] = Field(max_length=EVENTS_MOST)
    session_summary: str = ""
    mentioned_entities: list[EntityAnswer] = []
    possible_same: list[PossibleSame] = []
    entity_clarification: Clarification | None = None
    session_mood_signal: MoodSignal | None = None
    facts: list[FactAnswer] = []
    clarified: list[Clarified] = []
    self_check_notes: str = ""


class ThoughtAnswer(BaseModel):
    description: Description
    emotional_impact: Impact = 0
    emotion_tags: EmotionTags = []
    relational_tags: RelationalTags = []
    filling: Annotated[Numbers, Field(min_length=1)]


class ReflectionAnswer(BaseModel):
    thoughts: list[ThoughtAnswer] = Field(max_length=THOUGHTS_MOST)


def parse_indexed_parts(value: Any, shape: type[Part], *, what: str, most: int) -> tuple[dict[int, Part], list[str]]:
    """Parse the parts of a list that fit `shape`, at most `most`, by place, with notes on the dropped ones.

    A single part counts as a list of one.
    """
    if isinstance(value, dict):
        value = [value]
    if not isinstance(value, list):
        return {}, [] if value is None else [f"{what} is no list"]
    parts: dict[int, Part] = {}
    notes: list[str] = []
    for at, raw in enumerate(value[:most]):
        said: list[str] = []
        try:
            parts[at] = shape.model_validate(raw, context=said)
            notes += [f"{what} {at}: {sentence}" for sentence in said]
        except ValidationError as error:
            notes.append(f"{what} {at} dropped: {'; '.join(problem['msg'] for problem in error.errors())}")
    if len(value) > most:
        notes.append(f"{len(value) - most} of {what} over {most} dropped")
    return parts, notes


def parse_parts(value: Any, shape: type[Part], *, what: str, most: int) -> tuple[list[Part], list[str]]:
    parts, notes = parse_indexed_parts(value, shape, what=what, most=most)
    return list(parts.values()), notes


def parse_part(value: Any, shape: type[Part], *, what: str) -> tuple[Part | None, list[str]]:
    parts, notes = parse_parts(None if value is None else [value], shape, what=what, most=1)
    return (parts[0] if parts else None), notes
