"""Reads structured answers of models: fenced, wrapped, with prose around, nearly JSON, or none at all."""

import json
import re
from typing import Any, get_args

import json_repair
from pydantic import BaseModel, ValidationError

from echovessel.llm.errors import BadAnswerError

FENCE = "```"
WRAPPED_MOST = 2
# What ends a thought.
_BEFORE = ("</think>", "<|message|>")
# The characters of an answer that are read though they are no JSON: what the library needs grows with their square, to a second here.
REPAIRED_MOST = 20_000
_BEGINS = re.compile(r"\[\s*\{|\{")
# What is asked for alone, as a line without JSON: a title.
_LINE = re.compile(r"[^{}\[\]\"<>\n]{1,80}")
# What opens and closes, and strings, also one that breaks off.
_BRACKET = re.compile(r'[\[\]{}]|"(?:[^"\\]|\\.)*(?:"|\\?\Z)', re.DOTALL)
# How many brackets are open around a part of an answer: its object and a list.
_AROUND_PART = 2
_WIDE_COLON = re.compile(r'(?<=["”])\s*：')


def read(answer: str, shape: type[BaseModel]) -> dict[str, Any]:
    """Return the JSON object of an answer of this shape. Raises BadAnswerError."""
    fields = shape.model_fields
    if [field.annotation for field in fields.values()] == [str] and _LINE.fullmatch(answer.strip()):
        return {next(iter(fields)): answer.strip()}
    parsed = decode(answer)
    if isinstance(parsed, list) and parsed and all(isinstance(one, dict) for one in parsed):
        is_answer = len(parsed) == 1 and not fields.keys().isdisjoint(parsed[0])
        # Its list alone.
        parsed = parsed[0] if is_answer else {next(iter(fields)): parsed}
    if not isinstance(parsed, dict):
        raise BadAnswerError("The model answered with JSON that is not an object.")
    return unwrap(parsed, shape)


def find_fault(parsed: dict[str, Any], shape: type[BaseModel]) -> str:
    """Say what is wrong with an answer that has nothing of what was asked for, such as the schema sent back; else ""."""
    required = {name for name, field in shape.model_fields.items() if field.is_required()}
    if required and required.isdisjoint(parsed):
        return f"Your answer has no {', '.join(sorted(required))}."
    if parsed and shape.model_fields.keys().isdisjoint(parsed):
        return f"Your answer has none of {', '.join(shape.model_fields)}."
    name, field = next(iter(shape.model_fields.items()))
    [part, *_] = [*get_args(field.annotation), None]
    given = parsed.get(name)
    if not (isinstance(given, list) and given and isinstance(part, type) and issubclass(part, BaseModel)):
        return ""
    for one in given:
        try:
            part.model_validate(one)
        except ValidationError as error:
            wrong = error.errors()[0]
        else:
            return ""
    at = ".".join(map(str, (name, *wrong["loc"])))
    return f"Your answer is not what was asked for. {at}: {wrong['msg']}."


def decode(answer: str) -> Any:
    """Return the JSON of an answer, without what is around it. Raises BadAnswerError."""
    try:
        return json.loads(strip_fence(answer), strict=False)
    except (ValueError, RecursionError) as error:
        begins = _BEGINS.search(answer, max(0, *map(answer.rfind, _BEFORE)))
        if begins is None:
            raise BadAnswerError("The model answered with something other than JSON.") from error
        return decode_part(answer[begins.start() :][:REPAIRED_MOST])


def close(answer: str) -> str:
    """Return an answer that breaks off up to its last whole part, with its brackets closed; "" where it is whole, or has no such part."""
    begins = _BEGINS.search(answer)
    text = answer[begins.start() :][:REPAIRED_MOST] if begins else ""
    closers, kept = "", ""
    for match in _BRACKET.finditer(text):
        if match[0] in "[{":
            closers = ("]" if match[0] == "[" else "}") + closers
        elif match[0] in "]}":
            closers = closers[1:]
            if not closers:
                return ""
            if len(closers) <= _AROUND_PART:
                kept = text[: match.end()] + closers
    return kept


def decode_part(text: str) -> Any:
    """Return the value with which a text begins: JSON, also with comments, a comma too much, quotes inside a string or wide marks, or as
    Python writes it.

    Raises BadAnswerError where it breaks off: half a sentence is no memory.
    """
    try:
        return json.JSONDecoder(strict=False).raw_decode(text)[0]
    except (ValueError, RecursionError):
        whole = text[: find_end(text)]
    try:
        # A model that writes Markdown escapes what would be a mark there.
        repaired = json_repair.loads(_WIDE_COLON.sub(":", whole).replace("\\_", "_"), skip_json_loads=True)
    except RecursionError:
        repaired = ""
    if not repaired:
        raise BadAnswerError("The model answered with something other than JSON.")
    return repaired


def find_end(text: str) -> int:
    """Return where the value with which a text begins ends: its last bracket; 0 where it breaks off."""
    open_brackets, match = 0, None
    for match in _BRACKET.finditer(text):
        open_brackets += {"[": 1, "{": 1, "]": -1, "}": -1}.get(match[0], 0)
        if not open_brackets:
            return match.end()
    # A quote inside a string turns round what counts as one: the last then holds the brackets that end the value.
    ended = text.rstrip("`\n ")
    return len(ended) if match and match[0][0] == '"' and ended.endswith(("]", "}")) else 0


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
