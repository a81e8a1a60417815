"""The shape of the answer about a piece of a file, read like those of `memory.answers.schemas`."""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, Field

from memory.answers.coercion import KnownDay, one_of, parse_line
from memory.answers.fact_schemas import SLOTS, Line
from memory.answers.schemas import EntityAnswer, ThoughtAnswer, ToldEvent

EVENTS_MOST = 5
LINES_MOST = 2
FACTS_MOST = 6
# What a file tells of itself is no fact about the companion.
FACETS = ("about_you", "how_to_talk", "about_us")
LINE_CHARACTERS = 300


def parse_quote(value: Any) -> Any:
    return value.strip() if isinstance(value, str) else value


Quote = Annotated[str, BeforeValidator(parse_quote), Field(min_length=1)]
Whose = Annotated[Literal["user", "shared"], one_of("user", "shared", otherwise="user")]


class ImportedEvent(ToldEvent):
    subject: Whose = "user"
    source_quote: Quote


class ImportedThought(ThoughtAnswer):
    source_quote: Quote


class ImportedFact(BaseModel):
    facet: Annotated[Literal["about_you", "how_to_talk", "about_us"], one_of(*FACETS, otherwise="about_you")] = (
        "about_you"
    )
    content: Line
    slot: Annotated[str | None, one_of(*SLOTS, otherwise=None)] = None
    value: Line = ""
    since: KnownDay = None
    until: KnownDay = None
    source_quote: Quote


class LineAnswer(BaseModel):
    """A line for the text about the user."""

    content: Annotated[str, BeforeValidator(parse_line), Field(min_length=1, max_length=LINE_CHARACTERS)]
    source_quote: Quote


class ImportAnswer(BaseModel):
    """What is asked of the model; what comes back is read part by part."""

    events: list[ImportedEvent] = Field(max_length=EVENTS_MOST)
    thoughts: list[ImportedThought] = []
    facts: list[ImportedFact] = Field(default=[], max_length=FACTS_MOST)
    mentioned_entities: list[EntityAnswer] = []
    about_user: list[LineAnswer] = []
