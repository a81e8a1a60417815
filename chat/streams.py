"""Server-sent events: a bond's frames, or those of one turn, as they happen."""

import json
from collections.abc import AsyncGenerator
from contextlib import aclosing
from datetime import datetime
from typing import Any

from django.http import StreamingHttpResponse

from chat import follow
from chat.frames import Frame, stamp


def answer(frames: AsyncGenerator[Frame, None]) -> StreamingHttpResponse:
    """A response that lasts as long as the frames do."""
    response = StreamingHttpResponse(written(frames), content_type="text/event-stream; charset=utf-8")
    response["Cache-Control"] = "no-store"
    # Proxies that gather answers before they pass them on would hold every word back.
    response["X-Accel-Buffering"] = "no"
    return response


async def written(frames: AsyncGenerator[Frame, None]) -> AsyncGenerator[bytes, None]:
    async with aclosing(frames):
        async for frame in frames:
            yield event(frame)


def event(frame: Frame) -> bytes:
    number = "" if frame["seq"] is None else f"id: {frame['seq']}\n"
    text = json.dumps(frame, ensure_ascii=False, default=plain)
    return f"{number}data: {text}\n\n".encode("utf-8", "replace")


def plain(value: object) -> str:
    return stamp(value) if isinstance(value, datetime) else str(value)


def of_bond(bond_id: int, *, after: int | None) -> StreamingHttpResponse:
    return answer(follow.frames(bond_id, after=after))


def of_turn(bond_id: int, *, turn_id: Any, after: int) -> StreamingHttpResponse:
    """Only one turn's events, from those above `after` on, until it is over."""
    return answer(follow.frames(bond_id, after=after, turn_id=turn_id))
