"""Values of a model's answer, read leniently: what can be understood is kept within its bounds, the rest is dropped."""

import math
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field

from echovessel.texts import storable

RELATIONAL_TAGS = ("identity-bearing", "unresolved", "vulnerability", "turning-point", "correction", "commitment")
DESCRIPTION_MOST = 2000
NAME_MOST = 120
ALIASES_MOST = 20
MOOD_MOST = 60
# A whole number too long for a float is cut like any that is too large.
_FAR = 1e9


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


def one_line(text: str) -> str:
    return " ".join(storable(text).split())


def description(value: Any) -> Any:
    return storable(value)[:DESCRIPTION_MOST].strip() if isinstance(value, str) else value


def name(value: Any) -> Any:
    return one_line(value) if isinstance(value, str) else value


def names(value: Any) -> list[str]:
    found = [one_line(one) for one in value if isinstance(one, str)] if isinstance(value, list) else []
    return [one for one in found if 0 < len(one) <= NAME_MOST][:ALIASES_MOST]


def mood(value: Any) -> Any:
    return one_line(value)[:MOOD_MOST] if isinstance(value, str) else value


def energy(value: Any) -> int:
    return max(0, min(10, round(as_number(value))))


def one_of(*known: str, otherwise: str | None) -> BeforeValidator:
    """One of the known words; any other value is read as `otherwise`."""
    return BeforeValidator(lambda value: value if value in known else otherwise)


Description = Annotated[str, BeforeValidator(description), Field(min_length=1)]
Impact = Annotated[int, BeforeValidator(impact), Field(ge=-10, le=10)]
EmotionTags = Annotated[list[str], BeforeValidator(emotion_tags), Field(max_length=4)]
RelationalTag = Literal["identity-bearing", "unresolved", "vulnerability", "turning-point", "correction", "commitment"]
RelationalTags = Annotated[list[RelationalTag], BeforeValidator(relational_tags), Field(max_length=3)]
Numbers = Annotated[list[int], BeforeValidator(whole_numbers)]
Name = Annotated[str, BeforeValidator(name), Field(min_length=1, max_length=NAME_MOST)]
Names = Annotated[list[str], BeforeValidator(names)]
Mood = Annotated[str, BeforeValidator(mood), Field(min_length=1)]
Energy = Annotated[int, BeforeValidator(energy), Field(ge=0, le=10)]
Subject = Annotated[Literal["user", "persona", "shared"], one_of("user", "persona", "shared", otherwise="user")]
Kind = Annotated[
    Literal["person", "place", "org", "pet", "other"], one_of("person", "place", "org", "pet", otherwise="other")
]
Signal = Annotated[
    Literal["warm", "cool", "tired", "frustrated"] | None,
    one_of("warm", "cool", "tired", "frustrated", otherwise=None),
]
