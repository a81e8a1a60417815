"""The shape of the answer that puts facts in order."""

from typing import Annotated, Literal

from pydantic import BaseModel, BeforeValidator, Field

from memory.answers.coercion import one_line, to_list
from memory.models.fact_columns import CONTENT_MOST, DETAIL_MOST

OPS_MOST = 50
TARGETS_MOST = 50


def parse_content(value: object) -> object:
    return one_line(value) if isinstance(value, str) else value


class SweepOp(BaseModel):
    op: Literal["merge", "supersede", "reshape", "refacet"]
    targets: Annotated[list[int], BeforeValidator(to_list), Field(min_length=1, max_length=TARGETS_MOST)]
    content: Annotated[str, BeforeValidator(parse_content), Field(max_length=CONTENT_MOST)] = ""
    detail: Annotated[str, Field(max_length=DETAIL_MOST)] = ""
    facet: Literal["about_you", "how_to_talk", "about_us", ""] = ""


class FactSweepAnswer(BaseModel):
    ops: list[SweepOp] = Field(default=[], max_length=OPS_MOST)
