"""The shapes of structured answers, and how an imperfect answer is read: what is good is kept, the rest is dropped and noted."""

import json
import re
from datetime import date
from typing import Annotated, Any, TypeVar

from pydantic import BaseModel, BeforeValidator, Field, ValidationError

from echovessel.llm.errors import BadAnswer
from memory.lenient import (
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
)

Part = TypeVar("Part", bound=BaseModel)

EVENTS_MOST = 3
THOUGHTS_MOST = 2
SUMMARY_MOST = 200
_FENCE = re.compile(r"^\s*```[a-z]*\s*\n(.*?)\n?\s*```\s*$", re.DOTALL | re.IGNORECASE)


class EventTime(BaseModel):
    start: date
    end: date


def readable_time(value: Any) -> EventTime | None:
    """A window of days that exists and is in order; anything else is no window."""
    if not isinstance(value, dict):
        return None
    try:
        window = EventTime.model_validate(value)
    except ValidationError:
        return None
    return window if window.start <= window.end else None


class EventAnswer(BaseModel):
    description: Description
    emotional_impact: Impact
    emotion_tags: EmotionTags = []
    relational_tags: RelationalTags = []
    subject: Subject = "user"
    event_time: Annotated[EventTime | None, BeforeValidator(readable_time)] = None
    source_lines: Numbers = []
    supersedes: Numbers = []


class EntityAnswer(BaseModel):
    canonical_name: Name
    kind: Kind = "other"
    aliases: Names = []
    in_events: Numbers = []
    description: str | None = None


class PossibleSame(BaseModel):
    a: str
    b: str
    stated_in: int | None = None


class Clarification(BaseModel):
    canonical_a: str
    canonical_b: str
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
    self_check_notes: str = ""


class ThoughtAnswer(BaseModel):
    description: Description
    emotional_impact: Impact = 0
    emotion_tags: EmotionTags = []
    relational_tags: RelationalTags = []
    filling: Annotated[Numbers, Field(min_length=1)]


class ReflectionAnswer(BaseModel):
    thoughts: list[ThoughtAnswer] = Field(min_length=1, max_length=THOUGHTS_MOST)


def parse(answer: str) -> dict[str, Any]:
    """The JSON object of an answer, out of its code fence if it is in one. Raises BadAnswer."""
    fenced = _FENCE.match(answer)
    try:
        parsed = json.loads(fenced.group(1) if fenced else answer)
    except (ValueError, RecursionError) as error:
        raise BadAnswer("The model answered with something other than JSON.") from error
    if not isinstance(parsed, dict):
        raise BadAnswer("The model answered with JSON that is no object.")
    return parsed


def read_list(value: Any, shape: type[Part], *, what: str, most: int) -> tuple[list[Part], list[str]]:
    """The parts of a list that fit `shape`, at most `most`, and a note for each that was dropped."""
    if not isinstance(value, list):
        return [], [] if value is None else [f"{what} is no list"]
    parts: list[Part] = []
    notes: list[str] = []
    for at, raw in enumerate(value[:most]):
        try:
            parts.append(shape.model_validate(raw))
        except ValidationError as error:
            notes.append(f"{what} {at} dropped: {'; '.join(problem['msg'] for problem in error.errors())}")
    if len(value) > most:
        notes.append(f"{len(value) - most} of {what} over {most} dropped")
    return parts, notes


def read_part(value: Any, shape: type[Part], *, what: str) -> tuple[Part | None, list[str]]:
    parts, notes = read_list(None if value is None else [value], shape, what=what, most=1)
    return (parts[0] if parts else None), notes
