"""Following a bond: what is in its log, once and in order, and the text of a reply as it grows.

Tokens of a turn that runs in this process come through the mailbox; those of another process are read from the text it saves. Either
way a follower knows how many characters it has handed on, so nothing comes twice and a gap is filled from the whole text.
"""

import asyncio
import logging
import time
from collections.abc import AsyncGenerator
from contextlib import aclosing, suppress
from typing import Any
from uuid import UUID

from django.conf import settings
from django.db import InterfaceError, OperationalError
from django.utils import timezone

from chat.broadcast import frames as frame_shapes
from chat.broadcast import hub
from chat.broadcast.hub import Item, Mailbox
from chat.live.off_record import OffRecordReader
from chat.models import Turn
from echovessel import events
from echovessel.models import BondEvent
from echovessel.runtime.threads import run_in_database_thread
from memory.models import Message
from personas.models import Bond

Frame = dict[str, Any]

POLL_SECONDS = 5.0
HEARTBEAT_SECONDS = 30.0
# How long to wait before looking again where the database is away.
RETRY_SECONDS = 1.0
END_TYPES = ("chat.message.done", "chat.message.error")
logger = logging.getLogger("echovessel.follow")


class Follower:
    """One reader of a bond: where it is in the log, and in the reply that is being made."""

    def __init__(self, *, bond_id: int, mailbox: Mailbox) -> None:
        self.bond_id = bond_id
        self.mailbox = mailbox
        self.seq = 0
        self.turn_id = ""
        self.said = 0
        self.off_record = OffRecordReader(bond_id)

    async def start(self, after: int | None) -> Frame:
        """The first frame. What came after `after` follows by `look`, unless it is too long ago: then `reset` is true."""
        last_seq, has_all, running = await run_in_database_thread(self._read_state, after)
        is_reset = after is not None and not has_all
        self.seq = last_seq if after is None or is_reset else after
        running_turn = None
        if running is not None:
            self.turn_id, text = str(running.pk), self._get_text(running)
            self.said = len(text)
            running_turn = {"id": self.turn_id, "text": text}
        return self._build_frame("chat.connection.ready", last_seq=last_seq, reset=is_reset, running_turn=running_turn)

    def _read_state(self, after: int | None) -> tuple[int, bool, Turn | None]:
        has_all = after is not None and events.has_all_since(self.bond_id, after)
        self.off_record.reset()
        if not has_all:
            # Who begins now, or loads anew, has them from the page.
            self.off_record.read_new_frames()
        return events.get_last_seq(self.bond_id), has_all, self._get_running_turn()

    def _get_running_turn(self) -> Turn | None:
        return Turn.objects.filter(bond=self.bond_id, status=Turn.Status.RUNNING).only("id", "text").first()

    def _get_text(self, turn: Turn) -> str:
        """The whole text so far: exact where the turn runs here, else as of its last save."""
        live = hub.get_current().live.get(self.bond_id)
        return live.text if live is not None and live.turn_id == turn.pk else turn.text

    async def next_frames(self, *, timeout_seconds: float = POLL_SECONDS) -> list[Frame]:
        """What is new, after waiting for it for a while, or what the follower itself asked for through its mailbox."""
        item = await self.mailbox.get(timeout_seconds=timeout_seconds)
        try:
            return await self._handle_item(item)
        except (OperationalError, InterfaceError) as error:
            logger.warning("a follower of bond %s could not look and will again: %s", self.bond_id, error)
            await asyncio.sleep(RETRY_SECONDS)
            self.mailbox.put(item)
            return []

    async def _handle_item(self, item: Item) -> list[Frame]:
        if item is None:
            return await self.read_new_frames()
        match item["type"]:
            case "resume":
                return await self._resume(item["after"])
            case "snapshot":
                self.said = 0
                return await self.build_snapshot()
        made = self._trim_frame(item)
        return await self.build_snapshot() if made is None else made

    async def _resume(self, after: int) -> list[Frame]:
        if not await run_in_database_thread(events.has_all_since, self.bond_id, after):
            return [await self.start(None) | {"reset": True}]
        self.seq = after
        self.off_record.reset()
        return await self.read_new_frames()

    async def read_new_frames(self) -> list[Frame]:
        """What the database has above what was handed on."""
        rows, logged, running = await run_in_database_thread(
            self._read_log, hub.get_current().live.get(self.bond_id) is None
        )
        if rows:
            # Also when the text of the last ones is gone.
            self.seq = rows[-1].seq
        if len(rows) == events.READ_MOST:
            self.mailbox.put(None)
        made: list[Frame] = []
        for frame in logged:
            if frame["type"] in END_TYPES:
                made += self._drain_turn(frame["turn"])
            made.append(frame)
        return made if running is None else [*made, *self._advance_text(str(running.pk), running.text)]

    def _drain_turn(self, turn_id: str) -> list[Frame]:
        """What the mailbox still holds of a turn that has ended; tried again, the same turn begins anew."""
        made = []
        for item in self.mailbox.take_turn(turn_id):
            made += self._trim_frame(item) or []
        if turn_id == self.turn_id:
            self.turn_id, self.said = "", 0
        return made

    def _read_log(self, reads_text: bool) -> tuple[list[BondEvent], list[Frame], Turn | None]:  # noqa: FBT001 - called by a thread pool
        rows = events.load_since(self.bond_id, self.seq)
        # Also without rows: a bond that is erased takes its log with it.
        bond = Bond.objects.get(pk=self.bond_id)
        logged = frame_shapes.serialize_events(bond=bond, rows=rows, now=timezone.now()) if rows else []
        return rows, [*logged, *self.off_record.read_new_frames()], self._get_running_turn() if reads_text else None

    def _advance_text(self, turn_id: str, text: str) -> list[Frame]:
        """The text of a turn in another process, as far as it is new; frames from there may be ahead of what it saved."""
        made = []
        if turn_id != self.turn_id:
            self.turn_id, self.said = turn_id, 0
            made.append(self._build_frame("chat.message.typing", turn=turn_id))
        if delta := text[self.said :]:
            made.append(self._build_frame("chat.message.token", turn=turn_id, delta=delta, offset=self.said))
            self.said = len(text)
        return made

    def _trim_frame(self, frame: Frame) -> list[Frame] | None:
        """What is new in a frame of a turn as it runs, or None where something before it is missing."""
        is_new = frame["turn"] != self.turn_id
        if is_new:
            self.turn_id, self.said = frame["turn"], 0
        if frame["type"] == "chat.message.typing":
            return [frame] if is_new else []
        known = self.said - frame["offset"]
        if known < 0:
            return None
        delta = frame["delta"][known:]
        self.said += len(delta)
        return [frame | {"delta": delta, "offset": frame["offset"] + known}] if delta else []

    async def build_snapshot(self) -> list[Frame]:
        """The whole text so far as one token frame of offset 0, if a turn is running; with Redis its process sends what is missing."""
        live = hub.get_current().live.get(self.bond_id)
        if live is not None:
            self.turn_id, self.said = str(live.turn_id), len(live.text)
            return [live.build_token_frame()]
        if settings.REDIS_URL:
            await hub.get_current().request_snapshot(self.bond_id)
            return []
        running = await run_in_database_thread(self._get_running_turn)
        if running is None:
            return []
        self.turn_id, self.said = str(running.pk), len(running.text)
        return [self._build_frame("chat.message.token", turn=self.turn_id, delta=running.text, offset=0)]

    async def replay_turn(self) -> list[Frame]:
        """What is in the log, that the running turn is being answered, and all that was said so far."""
        # Of a turn in another process the look itself tells all three.
        self.turn_id, self.said = "", 0
        found = await self.read_new_frames()
        live = hub.get_current().live.get(self.bond_id)
        if live is None:
            return found
        self.turn_id = str(live.turn_id)
        typing = self._build_frame("chat.message.typing", turn=self.turn_id)
        return [*found, typing, *(await self.build_snapshot() if live.text else [])]

    def build_heartbeat(self) -> Frame:
        return self._build_frame("chat.connection.heartbeat")

    def _build_frame(self, type: str, **keys: Any) -> Frame:
        return frame_shapes.build_transient_frame(bond_id=self.bond_id, type=type, now=timezone.now(), **keys)


async def stream_frames(
    bond_id: int, after: int | None = None, turn_id: UUID | None = None
) -> AsyncGenerator[Frame, None]:
    """The bond's frames from `after` on, `chat.connection.ready` first; with `turn_id` that turn's alone, until it ends."""
    # A bond that is erased meanwhile has nothing more to tell.
    with suppress(Bond.DoesNotExist):
        async with hub.get_current().follow(bond_id) as mailbox:
            follower = Follower(bond_id=bond_id, mailbox=mailbox)
            ready = await follower.start(after)
            stream = (
                stream_bond_frames(follower, ready)
                if turn_id is None
                else stream_turn_frames(follower, ready, str(turn_id))
            )
            async with aclosing(stream):
                async for frame in stream:
                    yield frame


async def stream_bond_frames(follower: Follower, ready: Frame) -> AsyncGenerator[Frame, None]:
    yield ready
    beat_at = time.monotonic() + HEARTBEAT_SECONDS
    pending = await follower.read_new_frames()
    while True:
        for frame in pending:
            yield frame
        if time.monotonic() >= beat_at:
            beat_at = time.monotonic() + HEARTBEAT_SECONDS
            yield follower.build_heartbeat()
        pending = await follower.next_frames()


async def stream_turn_frames(follower: Follower, ready: Frame, turn_id: str) -> AsyncGenerator[Frame, None]:
    """The frames of one turn until its end; of a turn that ended before, its end alone."""
    running = ready["running_turn"]
    if running and running["id"] == turn_id:
        pending = await follower.replay_turn()
    else:
        pending = await follower.read_new_frames()
        if not any(is_about_turn(frame, turn_id) for frame in pending):
            pending += await run_in_database_thread(_load_turn_end, follower.bond_id, turn_id)
    while True:
        for frame in pending:
            if is_about_turn(frame, turn_id):
                yield frame
                if frame["type"] in END_TYPES:
                    return
        pending = await follower.next_frames()
        if not pending and await run_in_database_thread(_is_erased, turn_id):
            return


def is_about_turn(frame: Frame, turn_id: str) -> bool:
    if frame["type"] == "chat.message.user_appended":
        return bool(frame["message"]["turn"] == turn_id)
    return frame.get("turn") == turn_id


def _is_erased(turn_id: str) -> bool:
    """Whether nothing is left of a turn: its talk was off the record and has ended, or was forgotten."""
    return not Turn.objects.filter(pk=turn_id).exists() and not Message.objects.filter(turn_id=turn_id).exists()


def _load_turn_end(bond_id: int, turn_id: str) -> list[Frame]:
    """The end of a turn that has ended, from the log."""
    if Turn.objects.active().filter(pk=turn_id).exists():
        return []
    rows = BondEvent.objects.filter(bond_id=bond_id, type__in=END_TYPES, refs__turn=turn_id).order_by("-seq")[:1]
    return frame_shapes.serialize_events(bond=Bond.objects.get(pk=bond_id), rows=rows, now=timezone.now())
