"""The shape of the answer about a piece of a file, read like those of `memory.answers.schemas`."""

from typing import Annotated, Literal, get_args

from pydantic import BaseModel, Field

from memory.answers.coercion import KnownDay, on_text, one_line, one_of
from memory.answers.fact_schemas import Line, SlotWord
from memory.answers.schemas import EntityAnswer, ThoughtAnswer, ToldEvent

EVENTS_MOST = 5
LINES_MOST = 2
FACTS_MOST = 6
# What a file tells of itself is no fact about the companion.
Facet = Literal["about_you", "how_to_talk", "about_us"]
LINE_CHARACTERS = 300


Quote = Annotated[str, on_text(str.strip), Field(min_length=1)]
Whose = Annotated[Literal["user", "shared"], one_of("user", "shared", otherwise="user")]


class ImportedEvent(ToldEvent):
    subject: Whose = "user"
    source_quote: Quote


class ImportedThought(ThoughtAnswer):
    source_quote: Quote


class ImportedFact(BaseModel):
    facet: Annotated[Facet, one_of(*get_args(Facet), otherwise="about_you")] = "about_you"
    content: Line
    slot: SlotWord = None
    value: Line = ""
    since: KnownDay = None
    until: KnownDay = None
    source_quote: Quote


class LineAnswer(BaseModel):
    """A line for the text about the user."""

    content: Annotated[str, on_text(one_line), Field(min_length=1, max_length=LINE_CHARACTERS)]
    source_quote: Quote


class ImportAnswer(BaseModel):
    """What is asked of the model; what comes back is read part by part."""

    events: list[ImportedEvent] = Field(max_length=EVENTS_MOST)
    thoughts: list[ImportedThought] = []
    facts: list[ImportedFact] = Field(default=[], max_length=FACTS_MOST)
    mentioned_entities: list[EntityAnswer] = []
    about_user: list[LineAnswer] = []
