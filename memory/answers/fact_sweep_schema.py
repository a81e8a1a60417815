"""The shapes of the answers that put facts in order, and that draw the first ones from events."""

from typing import Annotated, Literal

from pydantic import BaseModel, BeforeValidator, Field

from memory.answers.coercion import on_text, one_line, to_list
from memory.models.fact_columns import CONTENT_MOST, DETAIL_MOST

OPS_MOST = 50
TARGETS_MOST = 50
FACTS_MOST = 20


class SweepOp(BaseModel):
    op: Literal["merge", "supersede", "reshape", "refacet"]
    targets: Annotated[list[int], BeforeValidator(to_list), Field(min_length=1, max_length=TARGETS_MOST)]
    content: Annotated[str, on_text(one_line), Field(max_length=CONTENT_MOST)] = ""
    detail: Annotated[str, Field(max_length=DETAIL_MOST)] = ""
    facet: Literal["about_you", "how_to_talk", "about_us", ""] = ""


class FactSweepAnswer(BaseModel):
    ops: list[SweepOp] = Field(default=[], max_length=OPS_MOST)


class DrawnFact(BaseModel):
    content: Annotated[str, on_text(one_line), Field(min_length=1, max_length=CONTENT_MOST)]
    facet: Literal["about_you", "how_to_talk", "about_us"] = "about_you"
    confidence: float = 0.5
    events: Annotated[list[int], BeforeValidator(to_list), Field(min_length=1)]


class FactBackfillAnswer(BaseModel):
    facts: list[DrawnFact] = Field(default=[], max_length=FACTS_MOST)
