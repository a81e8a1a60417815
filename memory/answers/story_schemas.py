"""The shapes of the answers that add scenes to a story, and that shorten one."""

from typing import Literal

from pydantic import BaseModel

from memory.answers.coercion import LooseText, Number, Numbers, Text


class PointAddition(BaseModel):
    part: Literal["happened", "open", "state"]
    label: LooseText = ""
    text: Text
    scenes: Numbers = []


class PointChange(BaseModel):
    point: Number
    text: Text
    scenes: Numbers = []


class PointDrop(BaseModel):
    point: Number
    reason: LooseText = ""


class PointJoin(BaseModel):
    points: Numbers = []
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
