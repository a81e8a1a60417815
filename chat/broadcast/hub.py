"""Deliver what happens in a bond to its followers: in memory within this process, by wake-ups between processes.

Everything here runs on one event loop. A slow follower never delays a reply: frames that do not fit into its queue
are dropped, and it reads them from the database.
"""

import asyncio
import logging
from collections import defaultdict, deque
from collections.abc import AsyncGenerator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from typing import Any
from uuid import UUID, uuid4
from weakref import WeakKeyDictionary

import psycopg
from django.conf import settings
from django.utils import timezone
from redis.exceptions import RedisError

from chat.broadcast import frames
from echovessel import events
from echovessel.postgres.channel_layer import get_current_layer

QUEUE_LENGTH = 2000
# Of a bond, in one process: each reads every event from the database, and a few hundred keep all turns waiting.
FOLLOWERS_MOST = 50
logger = logging.getLogger("echovessel.hub")

Frame = dict[str, Any]
Item = Frame | None


class Mailbox:
    """A follower's queue. None means that there is something new in the database.

    Consecutive token frames are merged while nobody reads them, so a slow follower gets fewer and longer ones.
    """

    def __init__(self) -> None:
        self._items: deque[Item] = deque()
        self._news = asyncio.Event()

    def put(self, item: Item) -> None:
        if self._items and (joined := merge_tokens(self._items[-1], item)):
            self._items[-1] = joined
        # Nothing is lost if the queue is full: the follower notices the gap and reads the whole text.
        elif len(self._items) < QUEUE_LENGTH:
            self._items.append(item)
        self._news.set()

    def take_turn(self, turn_id: str) -> list[Frame]:
        """Remove and return the frames of one turn."""
        taken = [item for item in self._items if item is not None and item.get("turn") == turn_id]
        self._items = deque(item for item in self._items if item is None or item.get("turn") != turn_id)
        return taken

    async def get(self, *, timeout_seconds: float) -> Item:
        """Return the next item, or None after the timeout: then the follower looks at the database as well."""
        # Not `wait_for`: in Python 3.11 it swallows a cancellation that arrives together with an item.
        with suppress(TimeoutError):
            async with asyncio.timeout(timeout_seconds):
                while not self._items:
                    self._news.clear()
                    await self._news.wait()
        return self._items.popleft() if self._items else None


def merge_tokens(before: Item, item: Item) -> Frame | None:
    """Merge two token frames if the second continues the first in the same turn."""
    if before is None or item is None or before["type"] != "chat.message.token" or item["type"] != before["type"]:
        return None
    if item["turn"] != before["turn"] or item["offset"] != before["offset"] + len(before["delta"]):
        return None
    return before | {"delta": before["delta"] + item["delta"]}


@dataclass
class LiveTurn:
    """A turn that runs in this process, with its text so far."""

    bond_id: int
    turn_id: UUID
    text: str = ""
    # How many characters of it were sent to other processes.
    shared: int = 0
    stop: asyncio.Event = field(default_factory=asyncio.Event)

    def build_token_frame(self, offset: int = 0, **marks: Any) -> Frame:
        """Build a frame of the text from this offset on. With the mark `is_anew` it takes the place of all that was sent of it."""
        return frames.build_transient_frame(
            bond_id=self.bond_id,
            type="chat.message.token",
            now=timezone.now(),
            turn=str(self.turn_id),
            delta=self.text[offset:],
            offset=offset,
            **marks,
        )


class Hub:
    def __init__(self) -> None:
        self.name = uuid4().hex
        self.live: dict[int, LiveTurn] = {}
        self._mailboxes: defaultdict[int, set[Mailbox]] = defaultdict(set)
        self._members: defaultdict[int, int] = defaultdict(int)
        self._channel = ""
        self._listening: asyncio.Task[None] | None = None
        self._joining = asyncio.Lock()

    def publish(self, bond_id: int, item: Item) -> None:
        for mailbox in self._mailboxes.get(bond_id, ()):
            mailbox.put(item)

    def is_crowded(self, bond_id: int) -> bool:
        """Whether the bond has as many followers as it may: ask right before `follow`."""
        return len(self._mailboxes.get(bond_id, ())) >= FOLLOWERS_MOST

    @asynccontextmanager
    async def follow(self, bond_id: int) -> AsyncGenerator[Mailbox, None]:
        """Open a mailbox that gets everything of the bond from now on."""
        mailbox = Mailbox()
        self._mailboxes[bond_id].add(mailbox)
        try:
            async with self.join(bond_id):
                yield mailbox
        finally:
            self._mailboxes[bond_id].discard(mailbox)
            if not self._mailboxes[bond_id]:
                del self._mailboxes[bond_id]

    @asynccontextmanager
    async def join(self, bond_id: int) -> AsyncGenerator[None, None]:
        """Receive wake-ups of other processes for this bond."""
        layer = get_current_layer()
        self._members[bond_id] += 1
        try:
            async with self._joining:
                if self._listening is None:
                    self._channel = await layer.new_channel()
                    self._listening = asyncio.create_task(self._listen(layer))
                with ignore_layer_errors(bond_id):
                    await layer.group_add(events.get_group_name(bond_id), self._channel)
            yield
        finally:
            self._members[bond_id] -= 1
            async with self._joining:
                if not self._members.get(bond_id, 0):
                    self._members.pop(bond_id, None)
                    with ignore_layer_errors(bond_id):
                        await layer.group_discard(events.get_group_name(bond_id), self._channel)

    async def _listen(self, layer: Any) -> None:
        while True:
            message = await layer.receive(self._channel)
            if message.get("from") == self.name:
                continue
            bond_id = message["bond"]
            live = self.live.get(bond_id)
            if message["type"] == "bond.stop" and live is not None:
                live.stop.set()
            elif message["type"] == "bond.frame" and live is None:
                self.publish(bond_id, message["frame"])
            elif message["type"] == "bond.snapshot" and live is not None:
                await self.notify_processes(bond_id, live.build_token_frame())
            elif message["type"] == "bond.wake":
                self.publish(bond_id, None)

    async def notify_processes(self, bond_id: int, frame: Frame | None = None) -> None:
        """Wake other processes. With Redis, which can carry text, send them the frame."""
        if frame is None:
            await self._send(bond_id, {"type": "bond.wake"})
        elif settings.REDIS_URL:
            await self._send(bond_id, {"type": "bond.frame", "frame": frame})

    async def share(self, live: LiveTurn) -> None:
        """Send other processes the text that is new to them."""
        if len(live.text) > live.shared:
            frame = live.build_token_frame(live.shared)
            live.shared = len(live.text)
            await self.notify_processes(live.bond_id, frame)

    async def take_back(self, live: LiveTurn, *, length: int) -> None:
        """Cut a text to this length, also for those who were sent more of it."""
        live.text, live.shared = live.text[:length], length
        frame = live.build_token_frame(is_anew=True)
        self.publish(live.bond_id, frame)
        await self.notify_processes(live.bond_id, frame)

    async def request_snapshot(self, bond_id: int) -> None:
        """Ask the process that runs the bond's turn to send its whole text."""
        await self._send(bond_id, {"type": "bond.snapshot"})

    async def _send(self, bond_id: int, message: Frame) -> None:
        with ignore_layer_errors(bond_id):
            await get_current_layer().group_send(
                events.get_group_name(bond_id), message | {"bond": bond_id, "from": self.name}
            )
        # In Python 3.11 `wait_for`, which the client of Redis uses, swallows a cancellation that arrives together with its answer.
        if (sender := asyncio.current_task()) and sender.cancelling():
            raise asyncio.CancelledError

    async def close(self) -> None:
        if self._listening is not None:
            self._listening.cancel()
            await asyncio.gather(self._listening, return_exceptions=True)
            self._listening = None


@contextmanager
def ignore_layer_errors(bond_id: int) -> Iterator[None]:
    """Continue if the channel layer is away: it only wakes, and followers also poll."""
    try:
        yield
    except (psycopg.OperationalError, RedisError, OSError) as error:
        logger.warning("bond %s goes without wake-ups for now: %s", bond_id, error)


_hubs: WeakKeyDictionary[asyncio.AbstractEventLoop, Hub] = WeakKeyDictionary()


def get_current() -> Hub:
    """Return the hub of the running event loop."""
    loop = asyncio.get_running_loop()
    if loop not in _hubs:
        _hubs[loop] = Hub()
    return _hubs[loop]


def call_from_thread(loop: asyncio.AbstractEventLoop, call: Callable[..., None], *arguments: Any) -> None:
    """Call a function on an event loop from any thread; do nothing if the loop has ended."""
    with suppress(RuntimeError):
        loop.call_soon_threadsafe(partial(call, *arguments))
