"""The shapes of the layers' JSON columns, to check what comes from outside."""

from datetime import date
from typing import Annotated, Any, Literal, NotRequired

from django.utils import timezone
from django.utils.dateparse import parse_datetime
from pydantic import AfterValidator, ConfigDict, Field, TypeAdapter
from typing_extensions import TypedDict

from echovessel.times import FIRST_DAY, LAST_DAY
from memory.story.recaps.content import RecapContent

# The largest id of the database.
Whole = Annotated[int, Field(ge=-(2**63), lt=2**63)]
Number = Annotated[float, Field(ge=-1e12, le=1e12, allow_inf_nan=False)]


def require_moment(value: str) -> str:
    at = parse_datetime(value)
    if at is None or timezone.is_naive(at) or not FIRST_DAY <= at.date() <= LAST_DAY:
        raise ValueError("no time with a zone")
    return value


def require_period(value: str) -> str:
    """Require two days, such as `2026-03-01/2026-03-31`."""
    first, last = value.split("/")
    date.fromisoformat(first)
    date.fromisoformat(last)
    return value


Moment = Annotated[str, AfterValidator(require_moment)]
Period = Annotated[str, AfterValidator(require_period)]
# An entity and its former target; for a settled pair also whether it was confirmed before.
Pair = Annotated[list[Whole | bool], Field(min_length=2, max_length=3)]


class Moved(TypedDict):
    """The record of a merge, to undo it: see `memory.entities.merging`."""

    aliases: list[Whole]
    mentions: list[Whole]
    separations: list[Whole]
    # Not in exports of before the story.
    remarks: NotRequired[list[Whole]]
    pairs_moved: list[Pair]
    pairs_settled: list[Pair]
    # The hash of the description that was taken, and the model of a vector.
    description: str | None
    vector: Annotated[str, Field(max_length=80)] | None
    last_mentioned_at: Moment


class Before(TypedDict, total=False):
    """What an undo of a write on facts sets back, and no text: see `memory.facts.undoing`."""

    __pydantic_config__ = ConfigDict(extra="forbid")  # type: ignore[misc]  # how pydantic configures a TypedDict

    tier: Literal["stated", "extracted", "inferred"]
    confidence: Annotated[float, Field(ge=0, le=1, allow_inf_nan=False)]
    mention_count: Annotated[int, Field(ge=0, lt=2**31)]
    last_confirmed_at: Moment | None
    link: Whole
    # Of a fact that was saved as history.
    state: Literal["superseded"]
    moved: list[Annotated[list[Whole | Literal["a", "b"]], Field(min_length=3, max_length=3)]]
    doubt: Whole
    # Why the fact was past.
    restored: Literal["", "replaced", "ended", "wrong", "merged", "settled"]
    stale: bool
    # The slot that a fact gave up, and where its text has the value.
    slot: Literal["preferred_name", "full_name", "pronouns", "birthday", "home", "work", "partner", "diet", "language"]
    value_at: Annotated[list[Annotated[int, Field(ge=0, le=600)]], Field(max_length=2)]
    states: dict[Annotated[str, Field(pattern="^[0-9]{1,18}$")], Literal["live", "uncertain", "superseded"]]


class StoryPoint(TypedDict):
    """A line of the story: see `memory.story.versions.points`."""

    __pydantic_config__ = ConfigDict(extra="forbid")  # type: ignore[misc]  # how pydantic configures a TypedDict

    id: Annotated[str, Field(max_length=32)]
    part: Literal["happened", "open", "state"]
    label: Annotated[str, Field(max_length=120)]
    text: Annotated[str, Field(max_length=2000)]
    scenes: list[Whole]
    by: Literal["model", "rules", "person", "import"]
    weight: NotRequired[Annotated[int, Field(ge=0, le=10)]]


BEFORE: TypeAdapter[Any] = TypeAdapter(Before)
QUESTIONS: TypeAdapter[Any] = TypeAdapter(list[str])
MOVED: TypeAdapter[Any] = TypeAdapter(Moved)
POINTS: TypeAdapter[Any] = TypeAdapter(list[StoryPoint])
# The recap that a version was made from, by scene.
RECAP_IDS: TypeAdapter[Any] = TypeAdapter(dict[Annotated[str, Field(pattern="^[0-9]{1,18}$")], Whole])
RECAP: TypeAdapter[Any] = TypeAdapter(RecapContent)
