"""The shape of the facts in an extraction's answer, read like those of `memory.answers.schemas`."""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ValidationInfo

from echovessel.texts import strip_unstorable
from memory.answers.coercion import (
    KnownDay,
    Number,
    Numbers,
    add_note,
    one_line,
    one_of,
    parse_whole_number,
    to_number,
)

FACTS_MOST = 6
CLARIFIED_MOST = 3
OPS = ("add", "update", "skip")
WAYS = ("extends", "refines", "contradicts")
FACETS = ("about_you", "how_to_talk", "about_us", "persona_canon")
SLOTS = (
    "preferred_name",
    "full_name",
    "pronouns",
    "birthday",
    "home",
    "work",
    "partner",
    "diet",
    "language",
)


def parse_line(value: Any) -> str:
    """Parse a text of one line; anything but text becomes an empty string."""
    return one_line(value) if isinstance(value, str) else ""


def parse_text(value: Any) -> str:
    return strip_unstorable(value).strip() if isinstance(value, str) else ""


def parse_certainty(value: Any, info: ValidationInfo) -> float | None:
    """Parse a certainty from 0 to 1; one out of range is clamped, an unreadable one is None."""
    if value is None:
        return None
    try:
        return min(1.0, max(0.0, to_number(value)))
    except ValueError:
        add_note(info, f"{info.field_name} is no number")
        return None


Line = Annotated[str, BeforeValidator(parse_line)]


class FactAnswer(BaseModel):
    op: Annotated[Literal["add", "update", "skip"], one_of(*OPS, otherwise="add")] = "add"
    how: Annotated[Literal["extends", "refines", "contradicts"] | None, one_of(*WAYS, otherwise=None)] = None
    # The number of the fact it is about, as the prompt has it.
    target: Annotated[int | None, BeforeValidator(parse_whole_number)] = None
    facet: Annotated[
        Literal["about_you", "how_to_talk", "about_us", "persona_canon"], one_of(*FACETS, otherwise="about_you")
    ] = "about_you"
    content: Line = ""
    detail: Annotated[str, BeforeValidator(parse_text)] = ""
    slot: Annotated[str | None, one_of(*SLOTS, otherwise=None)] = None
    value: Line = ""
    certainty: Annotated[float | None, BeforeValidator(parse_certainty)] = None
    since: KnownDay = None
    until: KnownDay = None
    source_lines: Numbers = []


class Clarified(BaseModel):
    """What the user said of a doubt that was sent by number."""

    doubt: Number
    holds: Literal["this", "that", "both", "neither", "same", "different"]
    source_lines: Numbers = []
