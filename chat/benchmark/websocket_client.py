"""A cheap websocket client, so that a hundred of them are no load themselves.

It knows the part of RFC 6455 that our server sends: whole text frames, pings and a close.
"""

import asyncio
import base64
import json
import os
import struct
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, suppress
from typing import Any

_TEXT, _CLOSE, _PING, _PONG = 1, 8, 9, 10
_FIN = 0x80
_MASKED = 0x80


class SocketClosed(Exception):
    """The server refused the socket or closed it."""


class Socket:
    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader = reader
        self.writer = writer

    async def send(self, frame: dict[str, Any]) -> None:
        self._write(_TEXT, json.dumps(frame).encode())
        await self.writer.drain()

    async def receive(self) -> dict[str, Any]:
        """Return the next frame. Raises SocketClosed."""
        while True:
            kind, payload = await self._read()
            if kind == _CLOSE:
                raise SocketClosed(str(struct.unpack("!H", payload[:2])[0]) if payload else "closed")
            if kind == _PING:
                self._write(_PONG, payload)
            elif kind == _TEXT:
                frame: dict[str, Any] = json.loads(payload)
                return frame

    async def _read(self) -> tuple[int, bytes]:
        first, length = await self.reader.readexactly(2)
        if length == 126:
            [length] = struct.unpack("!H", await self.reader.readexactly(2))
        elif length == 127:
            [length] = struct.unpack("!Q", await self.reader.readexactly(8))
        return first & 0x0F, await self.reader.readexactly(length)

    def _write(self, kind: int, payload: bytes) -> None:
        """Write a masked frame, as clients must; a mask of zeros leaves the content unchanged."""
        length = struct.pack("!B", _MASKED | len(payload))
        if len(payload) > 125:
            length = struct.pack("!BH", _MASKED | 126, len(payload))
        self.writer.write(bytes([_FIN | kind]) + length + bytes(4) + payload)


@asynccontextmanager
async def open_socket(*, port: int, path: str) -> AsyncGenerator[Socket, None]:
    """Open a socket. Raises SocketClosed if it is refused."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    try:
        key = base64.b64encode(os.urandom(16)).decode()
        asked = f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        writer.write(f"{asked}Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n".encode())
        answer = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
        if not answer.startswith("HTTP/1.1 101"):
            raise SocketClosed(answer.splitlines()[0])
        yield Socket(reader, writer)
    finally:
        writer.close()
        with suppress(ConnectionError):
            await writer.wait_closed()
