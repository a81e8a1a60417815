"""A channel layer over PostgreSQL's LISTEN and NOTIFY, for installs without Redis.

Only the process that serves a socket knows its groups, so every process receives every notification, and
each notification names its group. It is short and delivered at most once: it says that there is something to read in the
database, but not what.
"""

import asyncio
import json
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any
from uuid import uuid4

from channels.layers import BaseChannelLayer, get_channel_layer
from django.db import connection, connections

from echovessel.postgres.link import NOTIFY, PostgresLink

Message = dict[str, Any]
# PostgreSQL accepts payloads shorter than this.
_PAYLOAD_LIMIT = 8000


@dataclass
class _Channel:
    loop: asyncio.AbstractEventLoop
    queue: asyncio.Queue[Message]
    groups: set[str] = field(default_factory=set)
    readers: int = 0

    def put(self, message: Message) -> None:
        # A slow reader finds the missed messages in the database.
        with suppress(asyncio.QueueFull):
            self.queue.put_nowait(message)


class PostgresChannelLayer(BaseChannelLayer):
    extensions = ("groups",)

    def __init__(self) -> None:
        super().__init__()
        self._channels: dict[str, _Channel] = {}
        self._groups: dict[str, set[str]] = {}
        self._link: PostgresLink | None = None

    async def new_channel(self, prefix: str = "specific") -> str:
        name = f"{prefix}.{uuid4().hex}!{uuid4().hex[:12]}"
        self._get_channel(name)
        return name

    async def receive(self, channel: str) -> Message:
        known = self._get_channel(channel)
        known.readers += 1
        try:
            return await known.queue.get()
        finally:
            known.readers -= 1
            self._forget_if_unused(channel)

    async def send(self, channel: str, message: Message) -> None:
        self.require_valid_channel_name(channel)
        await self._get_link().notify(_build_payload(message, channel=channel))

    async def group_add(self, group: str, channel: str) -> None:
        """Join a group. Messages sent after this returns arrive, unless the database is down."""
        self.require_valid_group_name(group)
        self._get_channel(channel).groups.add(group)
        self._groups.setdefault(group, set()).add(channel)
        await self._get_link().wait_until_listening()

    async def group_discard(self, group: str, channel: str) -> None:
        members = self._groups.get(group, set())
        members.discard(channel)
        if not members:
            self._groups.pop(group, None)
        if channel in self._channels:
            self._channels[channel].groups.discard(group)
            self._forget_if_unused(channel)

    async def group_send(self, group: str, message: Message) -> None:
        self.require_valid_group_name(group)
        await self._get_link().notify(_build_payload(message, group=group))

    def wake(self, group: str, message: Message) -> None:
        """Send to a group over Django's connection, from sync code; in a transaction, at its commit."""
        self.require_valid_group_name(group)
        with connection.cursor() as cursor:
            cursor.execute(NOTIFY, [_build_payload(message, group=group)])

    def is_listening(self) -> bool:
        return self._link is not None and self._link.is_listening()

    async def close(self) -> None:
        """Close both connections; the next use opens new ones."""
        if self._link is not None:
            link, self._link = self._link, None
            await asyncio.to_thread(link.close)

    def _get_channel(self, name: str) -> _Channel:
        self.require_valid_channel_name(name)
        if name not in self._channels:
            self._channels[name] = _Channel(asyncio.get_running_loop(), asyncio.Queue(self.capacity))
        return self._channels[name]

    def _forget_if_unused(self, name: str) -> None:
        """Drop an unused channel: consumers end without notice, and one that continues creates its channel again."""
        known = self._channels.get(name)
        if known is not None and not (known.groups or known.readers) and known.queue.empty():
            del self._channels[name]

    def _get_link(self) -> PostgresLink:
        if self._link is None:
            parameters = connections["default"].get_connection_params()
            self._link = PostgresLink(parameters, self._deliver)
        return self._link

    def _deliver(self, payload: str) -> None:
        """Deliver a notification. It runs in the link's thread and hands over to each channel's loop."""
        notified = json.loads(payload)
        names = self._groups.get(notified["group"], set()) if "group" in notified else {notified["channel"]}
        for name in list(names):
            channel = self._channels.get(name)
            if channel is not None and not channel.loop.is_closed():
                channel.loop.call_soon_threadsafe(channel.put, notified["message"])


def get_current_layer() -> BaseChannelLayer:
    """Return the layer of this process; the settings always name one."""
    layer = get_channel_layer()
    assert layer is not None
    return layer


def _build_payload(message: Message, **target: str) -> str:
    payload = json.dumps({**target, "message": message}, ensure_ascii=False)
    if len(payload.encode()) >= _PAYLOAD_LIMIT:
        raise ValueError(
            f"A message of {len(payload.encode())} bytes is too long to notify; send what to read, not the text."
        )
    return payload
