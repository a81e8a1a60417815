"""Pydantic types of a turn's JSON columns, to validate imported values."""

from typing import Any, NotRequired

from pydantic import TypeAdapter
from typing_extensions import TypedDict

from memory.transfer.shapes import Number, Period, Whole


class ScoreTerms(TypedDict):
    recency: Number
    relevance: Number
    impact: Number
    relational: Number
    anchor: Number
    graph: Number


class TraceItem(TypedDict):
    """A memory that was recalled."""

    node: Whole
    score: Number
    terms: ScoreTerms
    anchored_by: list[Whole | Period]
    kept: bool
    reason: str | None


class TraceQuote(TypedDict):
    message: Whole
    score: Number


class Trace(TypedDict):
    items: NotRequired[list[TraceItem]]
    words: NotRequired[list[TraceQuote]]
    cut: NotRequired[dict[str, Whole]]
    prompt_tokens: NotRequired[Whole]


TRACE_ADAPTER: TypeAdapter[Any] = TypeAdapter(Trace)
TIMINGS_ADAPTER: TypeAdapter[Any] = TypeAdapter(dict[str, Number | None])
