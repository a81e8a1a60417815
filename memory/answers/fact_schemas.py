"""The shape of the facts in an extraction's answer, read like those of `memory.answers.schemas`."""

from typing import Annotated, Any, Literal, get_args

from pydantic import BaseModel, BeforeValidator, ValidationInfo, WithJsonSchema

from echovessel.text import strip_unstorable
from memory.answers.coercion import (
    KnownDay,
    Number,
    Numbers,
    add_note,
    on_text,
    one_line,
    one_of,
    parse_whole_number,
    shorten,
    to_number,
)
from memory.models.fact_columns import Slot

FACTS_MOST = 6
CLARIFIED_MOST = 3
Op = Literal["add", "update", "skip"]
Way = Literal["extends", "refines", "contradicts"]
Facet = Literal["about_you", "how_to_talk", "about_us", "persona_canon"]
# What small models call an act.
_ACTS = {
    "add": "save",
    "note": "save",
    "replace": "update",
    "change": "update",
    "delete": "forget",
    "remove": "forget",
    "保存": "save",
    "更新": "update",
    "结束": "end",
    "忘记": "forget",
    "确认": "confirm",
}
# What these are of a noted fact: none of them writes it anew.
_AS_OP = {"update": "update", "end": "skip", "forget": "skip", "confirm": "skip"}
SlotWord = Annotated[str | None, one_of(*Slot.values, otherwise=None), WithJsonSchema({"enum": [*Slot.values, None]})]
Line = Annotated[str, on_text(one_line, is_loose=True)]


def parse_certainty(value: Any, info: ValidationInfo) -> float | None:
    """Parse a certainty from 0 to 1; one out of range is clamped, an unreadable one is None."""
    if value is None:
        return None
    try:
        return min(1.0, max(0.0, to_number(value)))
    except ValueError:
        add_note(info, f"{info.field_name} is no number")
        return None


def name_act(value: Any) -> Any:
    """Return what an act is called here: "delete" is to forget."""
    return _ACTS.get(value, value) if isinstance(value, str) else value


def parse_op(value: Any, info: ValidationInfo) -> Any:
    """Parse what is done with a fact. One to take away is not added."""
    op = _AS_OP.get(name_act(value), value) if isinstance(value, str) else value
    if op != value:
        add_note(info, f"{info.field_name} ({shorten(value)}) read as {op}")
    return op


class FactAnswer(BaseModel):
    op: Annotated[Op, one_of(*get_args(Op), otherwise="add"), BeforeValidator(parse_op)] = "add"
    how: Annotated[Way | None, one_of(*get_args(Way), otherwise=None)] = None
    # The number of the fact it is about, as the prompt has it.
    target: Annotated[int | None, BeforeValidator(parse_whole_number)] = None
    facet: Annotated[Facet, one_of(*get_args(Facet), otherwise="about_you")] = "about_you"
    content: Line = ""
    detail: Annotated[str, on_text(lambda text: strip_unstorable(text).strip(), is_loose=True)] = ""
    slot: SlotWord = None
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
