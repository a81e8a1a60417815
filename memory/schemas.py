"""The shapes of structured answers, and how an imperfect answer is read: what is good is kept, the rest is dropped and noted."""

import json
import math
import re
from datetime import date
from typing import Any, Literal, TypeVar

from pydantic import BaseModel, Field, ValidationError, field_validator

from echovessel.llm.errors import BadAnswer
from echovessel.texts import storable

Part = TypeVar("Part", bound=BaseModel)

RELATIONAL_TAGS = ("identity-bearing", "unresolved", "vulnerability", "turning-point", "correction", "commitment")
EVENTS_MOST = 3
THOUGHTS_MOST = 2
DESCRIPTION_MOST = 2000
SUMMARY_MOST = 200
NAME_MOST = 120
# A whole number too long for a float is cut like any that is too large.
_FAR = 1e9
_FENCE = re.compile(r"^\s*```[a-z]*\s*\n(.*?)\n?\s*```\s*$", re.DOTALL | re.IGNORECASE)


class EventTime(BaseModel):
    start: date
    end: date


class EventAnswer(BaseModel):
    description: str = Field(min_length=1)
    emotional_impact: int
    emotion_tags: list[str] = []
    relational_tags: list[str] = []
    subject: Literal["user", "persona", "shared"] = "user"
    event_time: EventTime | None = None
    source_lines: list[int] = []
    supersedes: list[int] = []

    @field_validator("description", mode="before")
    @classmethod
    def _text(cls, value: Any) -> Any:
        return storable(value)[:DESCRIPTION_MOST].strip() if isinstance(value, str) else value

    @field_validator("emotional_impact", mode="before")
    @classmethod
    def _impact(cls, value: Any) -> int:
        return impact(value)

    @field_validator("emotion_tags", mode="before")
    @classmethod
    def _emotion_tags(cls, value: Any) -> list[str]:
        return emotion_tags(value)

    @field_validator("relational_tags", mode="before")
    @classmethod
    def _relational_tags(cls, value: Any) -> list[str]:
        return relational_tags(value)

    @field_validator("subject", mode="before")
    @classmethod
    def _subject(cls, value: Any) -> Any:
        return value if value in ("user", "persona", "shared") else "user"

    @field_validator("event_time", mode="before")
    @classmethod
    def _event_time(cls, value: Any) -> Any:
        return readable_time(value)

    @field_validator("source_lines", "supersedes", mode="before")
    @classmethod
    def _numbers(cls, value: Any) -> list[int]:
        return whole_numbers(value)


class EntityAnswer(BaseModel):
    canonical_name: str = Field(min_length=1, max_length=NAME_MOST)
    kind: Literal["person", "place", "org", "pet", "other"] = "other"
    aliases: list[str] = []
    in_events: list[int] = []
    description: str | None = None

    @field_validator("canonical_name", mode="before")
    @classmethod
    def _name(cls, value: Any) -> Any:
        return one_line(value) if isinstance(value, str) else value

    @field_validator("kind", mode="before")
    @classmethod
    def _kind(cls, value: Any) -> Any:
        return value if value in ("person", "place", "org", "pet", "other") else "other"

    @field_validator("aliases", mode="before")
    @classmethod
    def _aliases(cls, value: Any) -> list[str]:
        names = [one_line(name) for name in value if isinstance(name, str)] if isinstance(value, list) else []
        return [name for name in names if 0 < len(name) <= NAME_MOST][:20]

    @field_validator("in_events", mode="before")
    @classmethod
    def _numbers(cls, value: Any) -> list[int]:
        return whole_numbers(value)


class PossibleSame(BaseModel):
    a: str
    b: str
    stated_in: int | None = None


class Clarification(BaseModel):
    canonical_a: str
    canonical_b: str
    same: bool


class MoodSignal(BaseModel):
    mood: str = Field(min_length=1)
    energy: int
    last_user_signal: Literal["warm", "cool", "tired", "frustrated"] | None = None

    @field_validator("mood", mode="before")
    @classmethod
    def _mood(cls, value: Any) -> Any:
        return one_line(value)[:60] if isinstance(value, str) else value

    @field_validator("energy", mode="before")
    @classmethod
    def _energy(cls, value: Any) -> int:
        return max(0, min(10, round(as_number(value))))

    @field_validator("last_user_signal", mode="before")
    @classmethod
    def _signal(cls, value: Any) -> Any:
        return value if value in ("warm", "cool", "tired", "frustrated") else None


class ExtractionAnswer(BaseModel):
    """What is asked of the model; what comes back is read part by part, see `read_extraction`."""

    events: list[EventAnswer] = Field(max_length=EVENTS_MOST)
    session_summary: str = ""
    mentioned_entities: list[EntityAnswer] = []
    possible_same: list[PossibleSame] = []
    entity_clarification: Clarification | None = None
    session_mood_signal: MoodSignal | None = None
    self_check_notes: str = ""


class ThoughtAnswer(BaseModel):
    description: str = Field(min_length=1)
    emotional_impact: int = 0
    emotion_tags: list[str] = []
    relational_tags: list[str] = []
    filling: list[int] = Field(min_length=1)

    @field_validator("description", mode="before")
    @classmethod
    def _text(cls, value: Any) -> Any:
        return storable(value)[:DESCRIPTION_MOST].strip() if isinstance(value, str) else value

    @field_validator("emotional_impact", mode="before")
    @classmethod
    def _impact(cls, value: Any) -> int:
        return impact(value)

    @field_validator("emotion_tags", mode="before")
    @classmethod
    def _emotion_tags(cls, value: Any) -> list[str]:
        return emotion_tags(value)

    @field_validator("relational_tags", mode="before")
    @classmethod
    def _relational_tags(cls, value: Any) -> list[str]:
        return relational_tags(value)

    @field_validator("filling", mode="before")
    @classmethod
    def _numbers(cls, value: Any) -> list[int]:
        return whole_numbers(value)


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


def as_number(value: Any) -> float:
    if isinstance(value, int) and not isinstance(value, bool):
        return float(max(-_FAR, min(_FAR, value)))
    try:
        number = float(value) if isinstance(value, float | str) else math.nan
    except ValueError:
        number = math.nan
    if not math.isfinite(number):
        raise ValueError("is no number")
    return number


def impact(value: Any) -> int:
    return max(-10, min(10, round(as_number(value))))


def emotion_tags(value: Any) -> list[str]:
    tags = [one_line(tag).lower()[:40] for tag in value if isinstance(tag, str)] if isinstance(value, list) else []
    return list(dict.fromkeys(tag for tag in tags if tag))[:4]


def relational_tags(value: Any) -> list[str]:
    known = [tag for tag in value if tag in RELATIONAL_TAGS] if isinstance(value, list) else []
    return list(dict.fromkeys(known))[:3]


def whole_numbers(value: Any) -> list[int]:
    numbers = [n for n in value if isinstance(n, int) and not isinstance(n, bool)] if isinstance(value, list) else []
    return list(dict.fromkeys(numbers))


def readable_time(value: Any) -> EventTime | None:
    """A window of days that exists and is in order; anything else is no window."""
    if not isinstance(value, dict):
        return None
    try:
        window = EventTime.model_validate(value)
    except ValidationError:
        return None
    return window if window.start <= window.end else None


def one_line(text: str) -> str:
    return " ".join(storable(text).split())
