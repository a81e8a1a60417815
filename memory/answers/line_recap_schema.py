"""The shape of the answer that recaps messages one by one."""

from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, Field

from memory.answers.coercion import one_line, parse_whole_number

# Longer texts are cut, not refused.
READ_MOST = 2_000


def parse_text(value: Any) -> Any:
    return one_line(value[:READ_MOST]) if isinstance(value, str) else value


class LineRecapAnswer(BaseModel):
    """What one message says, in short, by its number."""

    line: Annotated[int, BeforeValidator(parse_whole_number)]
    text: Annotated[str, BeforeValidator(parse_text), Field(min_length=1)]


class LineRecapsAnswer(BaseModel):
    recaps: list[LineRecapAnswer] = []
