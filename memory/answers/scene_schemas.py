"""The shapes of the answers that end a scene, and that recap one."""

from typing import Annotated, Any, TypeVar

from pydantic import BaseModel, BeforeValidator, Field

from memory.answers.coercion import Kind, Names, Numbers, one_line, parse_whole_number

Answer = TypeVar("Answer", bound=BaseModel)
# Longer values are cut, not refused.
READ_MOST = 2_000


def parse_text(value: Any) -> Any:
    return one_line(value[:READ_MOST]) if isinstance(value, str) else value


Text = Annotated[str, BeforeValidator(parse_text), Field(min_length=1)]
Loose = Annotated[str, BeforeValidator(lambda value: parse_text(value) if isinstance(value, str) else "")]
Line = Annotated[int, BeforeValidator(parse_whole_number)]


class SceneBreakAnswer(BaseModel):
    """The number of the line behind which the first clear scene ends, with a quote of what shows it; null for none."""

    break_after: Annotated[int | None, BeforeValidator(parse_whole_number)] = None
    quote: Loose = ""
    reason: Loose = ""


class CitingAnswer(BaseModel):
    text: Text
    lines: Numbers = []


class ToldAnswer(CitingAnswer):
    """A sentence, and the numbers of the lines it is told in."""


class StateAnswer(CitingAnswer):
    label: Text


class QuoteAnswer(BaseModel):
    line: Line
    text: Text


class RemarkAnswer(BaseModel):
    label: Loose = ""
    text: Text
    line: Line


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
