"""The shape of the answer that draws facts from events."""

from typing import Annotated, Literal

from pydantic import BaseModel, BeforeValidator, Field

from memory.answers.coercion import to_list
from memory.answers.fact_sweep_schema import parse_content
from memory.models.fact_columns import CONTENT_MOST

FACTS_MOST = 20


class DrawnFact(BaseModel):
    content: Annotated[str, BeforeValidator(parse_content), Field(min_length=1, max_length=CONTENT_MOST)]
    facet: Literal["about_you", "how_to_talk", "about_us"] = "about_you"
    confidence: float = 0.5
    events: Annotated[list[int], BeforeValidator(to_list), Field(min_length=1)]


class FactBackfillAnswer(BaseModel):
    facts: list[DrawnFact] = Field(default=[], max_length=FACTS_MOST)
