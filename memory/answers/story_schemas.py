"""The shapes of the answers that add scenes to a story, and that shorten one."""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, Field

from memory.answers.coercion import Numbers, one_line, parse_whole_number

# Longer texts are cut, not refused.
READ_MOST = 2_000


def parse_text(value: Any) -> Any:
    return one_line(value[:READ_MOST]) if isinstance(value, str) else value


def parse_loose_text(value: Any) -> str:
    return str(parse_text(value)) if isinstance(value, str) else ""


def parse_numbers(value: Any) -> Any:
    """Read a number alone as a list of one."""
    return [value] if isinstance(value, int | str) else value


Text = Annotated[str, BeforeValidator(parse_text), Field(min_length=1)]
Loose = Annotated[str, BeforeValidator(parse_loose_text)]
Number = Annotated[int, BeforeValidator(parse_whole_number)]
LooseNumbers = Annotated[Numbers, BeforeValidator(parse_numbers)]


class PointAddition(BaseModel):
    part: Literal["happened", "open", "state"]
    label: Loose = ""
    text: Text
    scenes: LooseNumbers = []


class PointChange(BaseModel):
    point: Number
    text: Text
    scenes: LooseNumbers = []


class PointDrop(BaseModel):
    point: Number
    reason: Loose = ""


class PointJoin(BaseModel):
    points: LooseNumbers = []
    text: Text


class StoryMergeAnswer(BaseModel):
    """The changes of a story, by the numbers of its points and of the scenes."""

    add: list[PointAddition] = []
    change: list[PointChange] = []
    drop: list[PointDrop] = []


class StoryCompactAnswer(BaseModel):
    """How a story becomes shorter: points joined to one, and points dropped."""

    join: list[PointJoin] = []
    drop: list[PointDrop] = []
