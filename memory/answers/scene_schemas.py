"""The shapes of the answers that end a scene, that recap one, and that recap messages one by one."""

from typing import Annotated, TypeVar

from pydantic import BaseModel, BeforeValidator, Field

from memory.answers.coercion import Kind, LooseText, Names, Number, Numbers, Text, parse_whole_number

Answer = TypeVar("Answer", bound=BaseModel)


class SceneBreakAnswer(BaseModel):
    """The number of the line behind which the first clear scene ends, with a quote of what shows it; null for none."""

    break_after: Annotated[int | None, BeforeValidator(parse_whole_number)] = None
    quote: LooseText = ""
    reason: LooseText = ""


class CitingAnswer(BaseModel):
    text: Text
    lines: Numbers = []


class ToldAnswer(CitingAnswer):
    """A sentence, and the numbers of the lines it is told in."""


class StateAnswer(CitingAnswer):
    label: Text


class QuoteAnswer(BaseModel):
    line: Number
    text: Text


class RemarkAnswer(BaseModel):
    label: LooseText = ""
    text: Text
    line: Number


class NamedAnswer(BaseModel):
    name: Text
    kind: Kind = "other"
    aliases: Names = []
    remarks: list[RemarkAnswer] = []


class SceneRecapAnswer(BaseModel):
    """What is asked of the model; what comes back is read part by part, see `memory.story.recaps.content`."""

    title: str
    outcomes: list[ToldAnswer] = Field(min_length=1)
    open: list[ToldAnswer] = []
    state: list[StateAnswer] = []
    quotes: list[QuoteAnswer] = []
    entities: list[NamedAnswer] = []


class LineRecapAnswer(BaseModel):
    """What one message says, in short, by its number."""

    line: Number
    text: Text


class LineRecapsAnswer(BaseModel):
    recaps: list[LineRecapAnswer] = []
