"""Parses structured answers of models: fenced, wrapped, or no JSON at all."""

import json
from typing import Any

from pydantic import BaseModel

from echovessel.llm.errors import BadAnswerError

FENCE = "```"
WRAPPED_MOST = 2


def parse(answer: str) -> dict[str, Any]:
    """Return the JSON object of an answer, without a code fence. Raises BadAnswerError."""
    try:
        parsed = json.loads(strip_fence(answer))
    except (ValueError, RecursionError) as error:
        raise BadAnswerError("The model answered with something other than JSON.") from error
    if isinstance(parsed, list) and len(parsed) == 1:
        parsed = parsed[0]
    if not isinstance(parsed, dict):
        raise BadAnswerError("The model answered with JSON that is not an object.")
    return parsed


def unwrap(parsed: dict[str, Any], shape: type[BaseModel]) -> dict[str, Any]:
    """Return the answer inside one or two wrapping objects: `{"extraction": {"events": …}}`."""
    inner: Any = parsed
    for _ in range(WRAPPED_MOST):
        inner = next(iter(inner.values())) if len(inner) == 1 else None
        if not isinstance(inner, dict):
            break
        if next(iter(shape.model_fields)) in inner:
            return inner
    return parsed


def strip_fence(answer: str) -> str:
    text = answer.strip()
    opening, _, rest = text.partition("\n")
    is_fenced = opening.startswith(FENCE) and rest.endswith(FENCE)
    return rest.removesuffix(FENCE) if is_fenced else text
