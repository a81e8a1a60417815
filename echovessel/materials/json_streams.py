"""JSON of any size, event by event, so that what a file says of depth and number is noticed before it is held."""

from collections.abc import Iterator
from io import BytesIO
from typing import Any

import ijson

from echovessel.materials.material import MaterialError

DEPTH_MOST = 64
EVENTS_MOST = 5_000_000
BEGINS = ("start_map", "start_array")
ENDS = ("end_map", "end_array")

Event = tuple[int, str, Any]


def events(content: bytes) -> Iterator[Event]:
    """Each event of ijson with the depth it is at. Raises MaterialError where it is no JSON, too deep or too much."""
    depth = 0
    try:
        for count, (event, value) in enumerate(ijson.basic_parse(BytesIO(content))):
            depth -= event in ENDS
            yield depth, event, value
            depth += event in BEGINS
            if depth > DEPTH_MOST:
                raise MaterialError("invalid", "This JSON is nested too deeply.")
            if count > EVENTS_MOST:
                raise MaterialError("too_long", "This JSON holds too many values.")
    except (ijson.JSONError, ArithmeticError, ValueError) as error:
        raise MaterialError("invalid", "This file is broken: it is no JSON in UTF-8.") from error


def items(content: bytes) -> Iterator[Any]:
    """The members of a list one after the other, each built by itself."""
    builder = None
    for depth, event, value in events(content):
        if depth == 0:
            continue
        builder = builder or ijson.ObjectBuilder()
        builder.event(event, value)
        if depth == 1 and event not in BEGINS:
            yield builder.value
            builder = None
