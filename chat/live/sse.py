"""Server-sent events: the frames of a bond, or of one turn, as they happen."""

import time
from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import Any

from asgiref.sync import async_to_sync
from django.http import StreamingHttpResponse
from django.utils import timezone
from django.utils.translation import gettext

from chat.broadcast import hub
from chat.broadcast.frames import Frame, encode
from chat.live import followers
from echovessel.postgres.threads import release_connection, run_in_database_thread
from personas.accounts.credentials import Credential
from personas.rest.api_errors import APIError

# How often a stream checks whether its reader is still signed in.
CHECK_SECONDS = 5.0


def require_room(bond_id: int) -> None:
    """Raise APIError if the bond has as many followers as it may. A stream whose reader has left ends with its next heartbeat."""
    if async_to_sync(_is_crowded)(bond_id):
        raise APIError(
            "rate_limited",
            gettext("At most %(most)s sockets and streams of a companion are open at a time. Close one of them.")
            % {"most": hub.FOLLOWERS_MOST},
            wait_seconds=int(followers.HEARTBEAT_SECONDS),
        )


async def _is_crowded(bond_id: int) -> bool:
    return hub.get_current().is_crowded(bond_id)


def build_response(frames: AsyncGenerator[Frame, None]) -> StreamingHttpResponse:
    """A response that lasts as long as its frames do, and holds no database connection: the whole process has twelve."""
    release_connection()
    response = StreamingHttpResponse(encode_frames(frames), content_type="text/event-stream; charset=utf-8")
    response["Cache-Control"] = "no-store"
    # Buffering proxies would hold back every token.
    response["X-Accel-Buffering"] = "no"
    return response


async def encode_frames(frames: AsyncGenerator[Frame, None]) -> AsyncGenerator[bytes, None]:
    async with aclosing(frames):
        async for frame in frames:
            yield encode_frame(frame)


def encode_frame(frame: Frame) -> bytes:
    number = "" if frame["seq"] is None else f"id: {frame['seq']}\n"
    return f"{number}data: {encode(frame)}\n\n".encode("utf-8", "replace")


def stream_bond(bond_id: int, *, after: int | None, credential: Credential) -> StreamingHttpResponse:
    require_room(bond_id)
    return build_response(stop_when_signed_out(followers.stream_frames(bond_id, after=after), credential))


async def stop_when_signed_out(
    frames: AsyncGenerator[Frame, None], credential: Credential
) -> AsyncGenerator[Frame, None]:
    """Stream frames until the reader has signed out; heartbeats make sure that this is noticed."""
    checked_at = time.monotonic()
    async with aclosing(frames):
        async for frame in frames:
            if time.monotonic() - checked_at >= CHECK_SECONDS:
                checked_at = time.monotonic()
                if await run_in_database_thread(credential.find_holder, timezone.now()) is None:
                    return
            yield frame


def stream_turn(bond_id: int, *, turn_id: Any, after: int) -> StreamingHttpResponse:
    """Stream the events of one turn after `after`, until it ends."""
    return build_response(followers.stream_frames(bond_id, after=after, turn_id=turn_id))
