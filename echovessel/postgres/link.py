"""One listening and one sending connection per process, in a thread with its own event loop.

The loop is separate because async code runs in several loops (the web server's, and one for each `async_to_sync`),
and a connection belongs to the loop that opened it.
"""

import asyncio
import logging
import threading
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any

import psycopg

NOTIFY = "SELECT pg_notify('echovessel_channel_layer', %s)"
_PAUSE_SECONDS = 0.5
_LISTEN_WAIT_SECONDS = 5
# What Django adds for its own connections.
_NOT_FOR_US = ("cursor_factory", "context", "pool")
# Detect networks that drop idle connections: we would never hear of it.
_KEEPALIVES = {"keepalives_idle": 30, "keepalives_interval": 10, "keepalives_count": 3}
_logger = logging.getLogger("echovessel.channel_layer")


class PostgresLink:
    def __init__(self, parameters: Mapping[str, Any], deliver: Callable[[str], None]) -> None:
        self._parameters = {**_KEEPALIVES, **{name: parameters[name] for name in parameters if name not in _NOT_FOR_US}}
        self._deliver = deliver
        self._sender: psycopg.AsyncConnection | None = None
        self._sending = asyncio.Lock()
        self._listening = asyncio.Event()
        self._loop = asyncio.new_event_loop()
        self._listener = self._loop.create_task(self._listen())
        self._thread = threading.Thread(target=self._run, name="channel-layer", daemon=True)
        self._thread.start()

    def is_listening(self) -> bool:
        return self._listening.is_set()

    async def wait_until_listening(self) -> None:
        """Wait a moment for the listening connection; without it the caller continues and misses messages."""
        if self.is_listening():
            return
        waiting = asyncio.run_coroutine_threadsafe(self._listening.wait(), self._loop)
        with suppress(TimeoutError):
            async with asyncio.timeout(_LISTEN_WAIT_SECONDS):
                await asyncio.wrap_future(waiting)

    async def notify(self, payload: str) -> None:
        """Send a notification. Raises psycopg.OperationalError if the database is down."""
        await asyncio.wrap_future(asyncio.run_coroutine_threadsafe(self._notify(payload), self._loop))

    def close(self) -> None:
        self._loop.call_soon_threadsafe(self._listener.cancel)
        self._thread.join()

    def _run(self) -> None:
        with suppress(asyncio.CancelledError):
            self._loop.run_until_complete(self._listener)
        if self._sender is not None:
            self._loop.run_until_complete(self._sender.close())
        self._loop.close()

    async def _listen(self) -> None:
        while True:
            try:
                async with await self._connect() as connection:
                    await connection.execute("LISTEN echovessel_channel_layer")
                    self._listening.set()
                    async for notification in connection.notifies():
                        self._deliver(notification.payload)
            except psycopg.OperationalError as error:
                _logger.warning("The channel layer lost its database connection and connects again: %s", error)
            finally:
                self._listening.clear()
            await asyncio.sleep(_PAUSE_SECONDS)

    async def _notify(self, payload: str) -> None:
        async with self._sending:
            for is_last_try in (False, True):
                if self._sender is None or self._sender.closed:
                    self._sender = await self._connect()
                try:
                    await self._sender.execute(NOTIFY, [payload])
                except psycopg.OperationalError:
                    await self._sender.close()
                    if is_last_try:
                        raise
                else:
                    return

    async def _connect(self) -> psycopg.AsyncConnection:
        return await psycopg.AsyncConnection.connect(**self._parameters, autocommit=True)
