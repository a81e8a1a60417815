"""JSON from outside: what it holds is counted before it is built, and a list is built member by member."""

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from echovessel.materials.material import MaterialError
from echovessel.texts import storable

# Each value takes memory far beyond its bytes. A full file of somebody's talks has some two million.
VALUES_MOST = 4_000_000
_SPACE = re.compile(r"[ \t\n\r]*")
_PARAGRAPH = object()


def bound(text: str, *, most: int = VALUES_MOST) -> None:
    """Refuse a text with more values, each of which has a comma or a bracket, than can be held."""
    if sum(map(text.count, ",[{")) > most:
        raise MaterialError("too_long", "This JSON holds too many values.")


@contextmanager
def reading() -> Iterator[None]:
    try:
        yield
    except RecursionError as error:
        raise MaterialError("invalid", "This JSON is nested too deeply.") from error
    except ValueError as error:
        raise MaterialError("invalid", "This file is broken: it is no JSON.") from error


def parsed(text: str, *, most: int = VALUES_MOST) -> Any:
    bound(text, most=most)
    with reading():
        return json.loads(text)


def members(text: str) -> Iterator[Any]:
    """The members of a list, each built when its turn comes."""
    bound(text)
    decoder = json.JSONDecoder()
    mark, at = "[", after_space(text, 0)
    with reading():
        while text[at : at + 1] == mark:
            at = after_space(text, at + 1)
            if mark == "[" and text.startswith("]", at):
                break
            value, at = decoder.raw_decode(text, at)
            yield value
            mark, at = ",", after_space(text, at)
    if text[at:].strip() != "]":
        raise MaterialError("invalid", "This file is broken: it is no JSON.")


def after_space(text: str, at: int) -> int:
    space = _SPACE.match(text, at)
    return space.end() if space else at


def flattened(text: str) -> str:
    """The texts and numbers of any JSON, one a line with its name, each object a paragraph of its own."""
    values = members(text) if text.lstrip().startswith("[") else [parsed(text)]
    return storable("\n".join(line for value in values for line in lines(value)).strip())


def lines(value: Any) -> Iterator[str]:
    left = [("", value)]
    while left:
        name, at = left.pop()
        if at is _PARAGRAPH:
            yield ""
        elif isinstance(at, dict):
            left.append(("", _PARAGRAPH))
            left += reversed([(f"{key}: ", inner) for key, inner in at.items()])
        elif isinstance(at, list):
            left += [(name, inner) for inner in reversed(at)]
        elif at not in ("", None) and not isinstance(at, bool):
            yield f"{name}{at}"
