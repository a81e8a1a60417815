"""Follow a bond: every event of its log once and in order, and the text of a reply as it grows.

Tokens of a turn in this process come through the mailbox; those of another process are read from the text that it
saves. A follower knows how many characters it has sent, so nothing is sent twice and a gap is filled from the whole
text.
"""

import asyncio
import logging
import time
from collections.abc import AsyncGenerator, Sequence
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
from echovessel.postgres.threads import run_in_database_thread
from memory.models import FactWrite, Message
from memory.serializers.facts import serialize_writes
from personas.accounts.credentials import SignedOut
from personas.models import Bond

Frame = dict[str, Any]

POLL_SECONDS = 5.0
HEARTBEAT_SECONDS = 30.0
# How long to wait before the next try while the database is away.
RETRY_SECONDS = 1.0
END_TYPES = ("chat.message.done", "chat.message.error")
logger = logging.getLogger("echovessel.follow")


class Follower:
    """One reader of a bond: its position in the log and in the text of the running turn."""

    def __init__(self, *, bond_id: int, mailbox: Mailbox) -> None:
        self.bond_id = bond_id
        self.mailbox = mailbox
        self.seq = 0
        self.turn_id = ""
        self.sent_length = 0
        # The text of a turn in another process as it was read last.
        self.saved_text = ""
        self.off_record = OffRecordReader(bond_id)

    async def start(self, after: int | None) -> Frame:
        """Return the first frame.

        `read_new_frames` returns what came after `after`, unless that is too long ago: then `reset` is true.
        """
        last_seq, has_all, running, writes = await run_in_database_thread(self._read_state, after)
        is_reset = after is not None and not has_all
        self.seq = last_seq if after is None or is_reset else after
        running_turn = None
        if running is not None:
            self.turn_id, text = str(running.pk), self._get_text(running)
            self.sent_length = len(text)
            running_turn = {"id": self.turn_id, "text": text, "writes": writes}
        return self._build_frame("chat.connection.ready", last_seq=last_seq, reset=is_reset, running_turn=running_turn)

    def _read_state(self, after: int | None) -> tuple[int, bool, Turn | None, Sequence[Frame]]:
        has_all = after is not None and events.has_all_since(self.bond_id, after)
        self.off_record.reset()
        if not has_all:
            # A client that starts now, or reloads, has these from the page.
            self.off_record.read_new_frames()
        running = self._get_running_turn()
        own = list(FactWrite.objects.filter(bond=self.bond_id, turn_id=running.pk).order_by("id")) if running else []
        writes = serialize_writes(bond_id=self.bond_id, writes=own, now=timezone.now())
        return events.get_last_seq(self.bond_id), has_all, running, writes

    def _get_running_turn(self) -> Turn | None:
        return Turn.objects.filter(bond=self.bond_id, status=Turn.Status.RUNNING).only("id", "text").first()

    def _get_text(self, turn: Turn) -> str:
        """Return the text so far: exact if the turn runs here, else as it was last saved."""
        live = hub.get_current().live.get(self.bond_id)
        return live.text if live is not None and live.turn_id == turn.pk else turn.text

    async def next_frames(self, *, timeout_seconds: float = POLL_SECONDS) -> list[Frame]:
        """Wait a while for news and return it, or the answer to what the follower asked for through its mailbox."""
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
                self.sent_length = 0
                return await self.build_snapshot()
            case "stored_before":
                return [*await self.read_new_frames(), item["frame"]]
        made = self._trim_frame(item)
        return await self.build_snapshot() if made is None else made

    async def _resume(self, after: int) -> list[Frame]:
        if not await run_in_database_thread(events.has_all_since, self.bond_id, after):
            return [await self.start(None) | {"reset": True}]
        self.seq = after
        self.off_record.reset()
        return await self.read_new_frames()

    async def read_new_frames(self) -> list[Frame]:
        """Return frames of what is new in the database."""
        rows, logged, running = await run_in_database_thread(
            self._read_log, hub.get_current().live.get(self.bond_id) is None
        )
        if rows:
            # Also if the last events have no row any more.
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
        """Return what the mailbox still holds of an ended turn. A retry starts the same turn from the beginning."""
        made = []
        for item in self.mailbox.take_turn(turn_id):
            made += self._trim_frame(item) or []
        if turn_id == self.turn_id:
            self.turn_id, self.sent_length = "", 0
        return made

    def _read_log(self, reads_text: bool) -> tuple[list[BondEvent], list[Frame], Turn | None]:  # noqa: FBT001 - called by a thread pool
        rows = events.load_since(self.bond_id, self.seq)
        # Also without new events: the log of an erased bond is gone with it.
        bond = Bond.objects.select_related("user").get(pk=self.bond_id)
        if not bond.user.is_active:
            raise SignedOut
        logged = frame_shapes.serialize_events(bond=bond, rows=rows, now=timezone.now()) if rows else []
        return rows, [*logged, *self.off_record.read_new_frames()], self._get_running_turn() if reads_text else None

    def _advance_text(self, turn_id: str, text: str) -> list[Frame]:
        """Return the new text of a turn in another process. Frames from there may be ahead of what it saved."""
        made, is_anew = list[Frame](), False
        if turn_id != self.turn_id:
            self.turn_id, self.sent_length = turn_id, 0
            made.append(self._build_frame("chat.message.typing", turn=turn_id))
        elif not text.startswith(self.saved_text):
            self.sent_length, is_anew = 0, True
        self.saved_text = text
        if (delta := text[self.sent_length :]) or is_anew:
            made.append(self._build_frame("chat.message.token", turn=turn_id, delta=delta, offset=self.sent_length))
            self.sent_length = len(text)
        return made

    def _trim_frame(self, frame: Frame) -> list[Frame] | None:
        """Return what is new in a frame of a running turn, or None if text before it is missing."""
        is_new = frame["turn"] != self.turn_id
        if is_new:
            self.turn_id, self.sent_length = frame["turn"], 0
        if frame["type"] == "chat.message.typing":
            return [frame] if is_new else []
        if frame.get("is_anew"):
            self.sent_length = len(frame["delta"])
            return [{key: value for key, value in frame.items() if key != "is_anew"}]
        known = self.sent_length - frame["offset"]
        if known < 0:
            return None
        delta = frame["delta"][known:]
        self.sent_length += len(delta)
        return [frame | {"delta": delta, "offset": frame["offset"] + known}] if delta else []

    async def build_snapshot(self) -> list[Frame]:
        """Return the whole text of the running turn as one token frame of offset 0.

        With Redis, the process that runs the turn sends it.
        """
        live = hub.get_current().live.get(self.bond_id)
        if live is not None:
            self.turn_id, self.sent_length = str(live.turn_id), len(live.text)
            return [live.build_token_frame()]
        if settings.REDIS_URL:
            await hub.get_current().request_snapshot(self.bond_id)
            return []
        running = await run_in_database_thread(self._get_running_turn)
        if running is None:
            return []
        self.turn_id, self.sent_length = str(running.pk), len(running.text)
        return [self._build_frame("chat.message.token", turn=self.turn_id, delta=running.text, offset=0)]

    async def replay_turn(self) -> list[Frame]:
        """Return new events, that the running turn is being answered, and its text so far."""
        # `read_new_frames` returns all three for a turn in another process.
        self.turn_id, self.sent_length = "", 0
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
    """Stream the bond's frames after `after`, beginning with `chat.connection.ready`.

    With `turn_id`, stream only that turn, until it ends.
    """
    if hub.get_current().is_crowded(bond_id):
        return
    # The stream ends if the bond is erased, or its user deactivated, meanwhile.
    with suppress(Bond.DoesNotExist, SignedOut):
        async with hub.get_current().follow(bond_id) as mailbox:
            follower = Follower(bond_id=bond_id, mailbox=mailbox)
            ready = await follower.start(after)
            if turn_id is None:
                stream = stream_bond_frames(follower, ready)
            else:
                stream = stream_turn_frames(follower, ready, str(turn_id))
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
    """Stream the frames of one turn until it ends; for a turn that ended before, only its end."""
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
    if frame["type"] == "memory.fact.written":
        return bool(frame["write"]["turn"] == turn_id)
    return frame.get("turn") == turn_id


def _is_erased(turn_id: str) -> bool:
    """Whether nothing is left of a turn: it was off the record and its session has ended, or it was forgotten."""
    return not Turn.objects.filter(pk=turn_id).exists() and not Message.objects.filter(turn_id=turn_id).exists()


def _load_turn_end(bond_id: int, turn_id: str) -> list[Frame]:
    if Turn.objects.active().filter(pk=turn_id).exists():
        return []
    rows = BondEvent.objects.filter(bond_id=bond_id, type__in=END_TYPES, refs__turn=turn_id).order_by("-seq")[:1]
    return frame_shapes.serialize_events(bond=Bond.objects.get(pk=bond_id), rows=rows, now=timezone.now())
