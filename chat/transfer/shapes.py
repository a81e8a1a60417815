"""The shapes of a turn's JSON columns, by which what comes from outside is checked before it is written."""

from typing import Any, NotRequired

from pydantic import TypeAdapter
from typing_extensions import TypedDict

from memory.transfer.shapes import Number, Period, Whole


class Terms(TypedDict):
    recency: Number
    relevance: Number
    impact: Number
    relational: Number
    anchor: Number
    graph: Number


class Item(TypedDict):
    """A memory that came to mind."""

    node: Whole
    score: Number
    terms: Terms
    anchored_by: list[Whole | Period]
    kept: bool
    reason: str | None


class Quoted(TypedDict):
    message: Whole
    score: Number


class Trace(TypedDict):
    items: NotRequired[list[Item]]
    words: NotRequired[list[Quoted]]
    cut: NotRequired[dict[str, Whole]]
    prompt_tokens: NotRequired[Whole]


TRACE: TypeAdapter[Any] = TypeAdapter(Trace)
TIMINGS: TypeAdapter[Any] = TypeAdapter(dict[str, Number | None])
