"""Parses untrusted JSON: it counts the values first, and builds a list item by item."""

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from echovessel.materials.material import MaterialError
from echovessel.text import strip_unstorable

# Each value takes much more memory than its bytes. A large file of conversations has about two million values.
VALUES_MOST = 4_000_000
_SPACE = re.compile(r"[ \t\n\r]*")
_PARAGRAPH = object()


def check_size(text: str, *, most: int = VALUES_MOST) -> None:
    """Refuse a text with too many values, by counting commas and brackets."""
    if sum(map(text.count, ",[{")) > most:
        raise MaterialError("too_long", "This JSON has too many values.")


@contextmanager
def convert_errors() -> Iterator[None]:
    try:
        yield
    except RecursionError as error:
        raise MaterialError("invalid", "This JSON is nested too deeply.") from error
    except ValueError as error:
        raise MaterialError("invalid", "This file is broken: it is not JSON.") from error


def parse_json(text: str, *, most: int = VALUES_MOST) -> Any:
    check_size(text, most=most)
    with convert_errors():
        return json.loads(text)


def iterate_items(text: str) -> Iterator[Any]:
    """Yield the items of a list, each parsed when it is needed."""
    check_size(text)
    decoder = json.JSONDecoder()
    mark, at = "[", skip_space(text, 0)
    with convert_errors():
        while text[at : at + 1] == mark:
            at = skip_space(text, at + 1)
            if mark == "[" and text.startswith("]", at):
                break
            value, at = decoder.raw_decode(text, at)
            yield value
            mark, at = ",", skip_space(text, at)
    if text[at:].strip() != "]":
        raise MaterialError("invalid", "This file is broken: it is not JSON.")


def skip_space(text: str, at: int) -> int:
    space = _SPACE.match(text, at)
    return space.end() if space else at


def flatten(text: str) -> str:
    """Format any JSON as text: one line per named text or number, one paragraph per object."""
    values = iterate_items(text) if text.lstrip().startswith("[") else [parse_json(text)]
    return strip_unstorable("\n".join(line for value in values for line in format_lines(value)).strip())


def format_lines(value: Any) -> Iterator[str]:
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
