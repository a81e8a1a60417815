"""Coerce values of a model's answer: keep what can be understood within its bounds, drop the rest."""

import math
import re
from collections.abc import Callable
from datetime import date
from functools import partial
from typing import Annotated, Any, Literal, get_args

from pydantic import BeforeValidator, Field, ValidationInfo

from echovessel.text import strip_unstorable

RelationalTag = Literal["identity-bearing", "unresolved", "vulnerability", "turning-point", "correction", "commitment"]
RELATIONAL_TAGS = get_args(RelationalTag)
DESCRIPTION_MOST = 2000
NAME_MOST = 120
ABOUT_MOST = 500
ALIASES_MOST = 20
MOOD_MOST = 60
TAG_MOST = 40
READ_MOST = 2000
# The length of a value in a note.
SHORT_MOST = 40
_WHOLE = re.compile(r"-?[0-9]{1,18}")
# A number with a unit or a word behind it: "6/10", "-7 (grief)".
_LEADING = re.compile(r"\s*([-+]?[0-9]{1,18}(?:\.[0-9]{1,18})?)(?![0-9.])")
# Several numbers in one text.
_LISTED = re.compile(r"(?=.*[\[,])[\[\](),;\s#0-9]{1,200}")
# Clamp a whole number that is too long for a float like any other that is too large.
_FAR = 1e9


def to_number(value: Any) -> float:
    if isinstance(value, int) and not isinstance(value, bool):
        return float(max(-_FAR, min(_FAR, value)))
    try:
        number = float(value) if isinstance(value, float | str) else math.nan
    except ValueError:
        begins = _LEADING.match(value)
        number = float(begins[1]) if begins else math.nan
    if not math.isfinite(number):
        raise ValueError("is no number")
    return number


def add_note(info: ValidationInfo, said: str) -> None:
    """Note what was dropped or changed, where the validation context has notes (see `parse_indexed_parts`)."""
    if info.context is not None:
        info.context.append(said)


def shorten(value: Any) -> str:
    return one_line(value)[:SHORT_MOST] if isinstance(value, str) else f"a {type(value).__name__}"


def clamp(value: Any, info: ValidationInfo, *, low: int, high: int) -> int:
    number = round(to_number(value))
    kept = max(low, min(high, number))
    if kept != number:
        add_note(info, f"{info.field_name} out of range, read as {kept}")
    return kept


def to_list(value: Any, info: ValidationInfo) -> list[Any]:
    if isinstance(value, list):
        return value
    if value is not None:
        add_note(info, f"{info.field_name} left out: it is no list")
    return []


def parse_emotion_tags(value: Any, info: ValidationInfo) -> list[str]:
    given = to_list(value, info)
    tags = [one_line(tag).lower()[:TAG_MOST] for tag in given if isinstance(tag, str)]
    return limit([tag for tag in tags if tag], 4, info)


def parse_relational_tags(value: Any, info: ValidationInfo) -> list[str]:
    given = to_list(value, info)
    unknown = [tag for tag in given if tag not in RELATIONAL_TAGS]
    if unknown:
        add_note(info, f"unknown {info.field_name} left out: {', '.join(map(shorten, unknown[:3]))}")
    return limit([tag for tag in given if tag in RELATIONAL_TAGS], 3, info)


def limit(values: list[str], most: int, info: ValidationInfo) -> list[str]:
    kept = list(dict.fromkeys(values))
    if len(kept) > most:
        add_note(info, f"{len(kept) - most} {info.field_name} over {most} left out")
    return kept[:most]


def parse_whole_numbers(value: Any, info: ValidationInfo) -> list[int]:
    """Parse whole numbers, also from "3", 3.0, "[3]" or "[3], 4", and one alone."""
    if isinstance(value, str) and _LISTED.fullmatch(value):
        value = re.findall("[0-9]+", value)
    elif parse_whole_number(value) is not None:
        value = [value]
    read = [parse_whole_number(number) for number in to_list(value, info)]
    if None in read:
        add_note(info, f"{info.field_name}: {read.count(None)} left out that are no whole numbers")
    return list(dict.fromkeys(number for number in read if number is not None))


def parse_whole_number(value: Any) -> int | None:
    if isinstance(value, bool):
        return None
    if isinstance(value, float):
        return int(value) if value.is_integer() else None
    if isinstance(value, str):
        return int(value.strip(" []#")) if _WHOLE.fullmatch(value.strip(" []#")) else None
    return value if isinstance(value, int) else None


def one_line(text: str) -> str:
    return " ".join(strip_unstorable(text).split())


def on_text(parse: Callable[[str], str], *, is_loose: bool = False) -> BeforeValidator:
    """Parse a text. Anything else is left for pydantic to refuse; where that is loose, it becomes an empty text."""

    def read(value: Any) -> Any:
        if isinstance(value, str):
            return parse(value)
        return "" if is_loose else value

    return BeforeValidator(read)


def parse_description(value: Any, info: ValidationInfo) -> Any:
    if not isinstance(value, str):
        return value
    text = strip_unstorable(value).strip()
    if len(text) > DESCRIPTION_MOST:
        add_note(info, f"{info.field_name} cut at {DESCRIPTION_MOST} characters")
    return text[:DESCRIPTION_MOST].strip()


def parse_names(value: Any, info: ValidationInfo) -> list[str]:
    given = to_list(value, info)
    found = [one_line(one) for one in given if isinstance(one, str)]
    kept = [one for one in found if 0 < len(one) <= NAME_MOST][:ALIASES_MOST]
    if len(kept) < len(given):
        add_note(info, f"{len(given) - len(kept)} of {info.field_name} left out")
    return kept


def parse_day(value: Any) -> date:
    """Parse a written day; pydantic would take a bare number for seconds since 1970."""
    return date.fromisoformat(value.strip()[:10] if isinstance(value, str) else "")


def parse_known_day(value: Any, info: ValidationInfo) -> date | None:
    if value is None:
        return None
    try:
        return parse_day(value)
    except ValueError:
        add_note(info, f"{info.field_name} left out: it is no day that exists")
        return None


def one_of(*known: str, otherwise: str | None) -> BeforeValidator:
    """Return a known word; replace any other value by `otherwise`."""

    def read(value: Any, info: ValidationInfo) -> Any:
        if value in known:
            return value
        if value is not None:
            add_note(info, f"unknown {info.field_name} ({shorten(value)}) read as {otherwise or 'none'}")
        return otherwise

    return BeforeValidator(read)


Day = Annotated[date, BeforeValidator(parse_day)]
KnownDay = Annotated[date | None, BeforeValidator(parse_known_day)]
# A line; one that is too long is cut, not refused.
Text = Annotated[str, on_text(lambda text: one_line(text[:READ_MOST])), Field(min_length=1)]
LooseText = Annotated[str, on_text(lambda text: one_line(text[:READ_MOST]), is_loose=True)]
# A description of a sentence or two.
About = Annotated[str, on_text(lambda text: one_line(text)[:ABOUT_MOST].rstrip(), is_loose=True)]
Description = Annotated[str, BeforeValidator(parse_description), Field(min_length=1)]
Impact = Annotated[int, Field(ge=-10, le=10), BeforeValidator(partial(clamp, low=-10, high=10))]
EmotionTags = Annotated[list[str], BeforeValidator(parse_emotion_tags), Field(max_length=4)]
RelationalTags = Annotated[list[RelationalTag], BeforeValidator(parse_relational_tags), Field(max_length=3)]
Number = Annotated[int, BeforeValidator(parse_whole_number)]
Numbers = Annotated[list[int], BeforeValidator(parse_whole_numbers)]
Name = Annotated[str, on_text(one_line), Field(min_length=1, max_length=NAME_MOST)]
Names = Annotated[list[str], BeforeValidator(parse_names)]
Mood = Annotated[str, on_text(lambda text: one_line(text)[:MOOD_MOST]), Field(min_length=1)]
Energy = Annotated[int, Field(ge=0, le=10), BeforeValidator(partial(clamp, low=0, high=10))]
Subject = Annotated[Literal["user", "persona", "shared"], one_of("user", "persona", "shared", otherwise="user")]
Kind = Annotated[
    Literal["person", "place", "org", "pet", "other"],
    one_of("person", "place", "org", "pet", "other", otherwise="other"),
]
Signal = Annotated[
    Literal["warm", "cool", "tired", "frustrated"] | None, one_of("warm", "cool", "tired", "frustrated", otherwise=None)
]
