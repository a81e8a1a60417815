"""Structured answers as models give them: fenced, wrapped, or no JSON at all."""

import json
from typing import Any

from pydantic import BaseModel

from echovessel.llm.errors import BadAnswer

FENCE = "```"
WRAPPED_MOST = 2


def parse(answer: str) -> dict[str, Any]:
    """The JSON object of an answer, out of its code fence if it is in one. Raises BadAnswer."""
    try:
        parsed = json.loads(unfenced(answer))
    except (ValueError, RecursionError) as error:
        raise BadAnswer("The model answered with something other than JSON.") from error
    if isinstance(parsed, list) and len(parsed) == 1:
        parsed = parsed[0]
    if not isinstance(parsed, dict):
        raise BadAnswer("The model answered with JSON that is no object.")
    return parsed


def unwrapped(parsed: dict[str, Any], shape: type[BaseModel]) -> dict[str, Any]:
    """The answer itself where it is alone inside another object, or two: `{"extraction": {"events": …}}`."""
    inner: Any = parsed
    for _ in range(WRAPPED_MOST):
        inner = next(iter(inner.values())) if len(inner) == 1 else None
        if not isinstance(inner, dict):
            break
        if next(iter(shape.model_fields)) in inner:
            return inner
    return parsed


def unfenced(answer: str) -> str:
    text = answer.strip()
    opening, _, rest = text.partition("\n")
    is_fenced = opening.startswith(FENCE) and rest.endswith(FENCE)
    return rest.removesuffix(FENCE) if is_fenced else text
