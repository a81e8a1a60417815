import asyncio
import json
from contextlib import asynccontextmanager

import pytest

from chat.benchmark import websocket_client
from chat.benchmark.websocket_client import SocketClosed
from tests.chat.benchmark.serving import serving

LONG = {"type": "long", "text": "x" * 300}
LONGER = {"type": "longer", "text": "x" * 70_000}


def frame(kind, payload):
    head = bytes([0x80 | kind])
    if len(payload) < 126:
        return head + bytes([len(payload)]) + payload
    size = (b"\x7e", 2) if len(payload) < 65_536 else (b"\x7f", 8)
    return head + size[0] + len(payload).to_bytes(size[1], "big") + payload


@asynccontextmanager
async def saying(*frames, status="101 Switching Protocols"):
    received = asyncio.Queue()

    async def answer(reader, writer):
        received.put_nowait(await reader.readuntil(b"\r\n\r\n"))
        writer.write(f"HTTP/1.1 {status}\r\n\r\n".encode() + b"".join(frames))
        received.put_nowait(await reader.read())
        writer.close()
        await writer.wait_closed()

    async with serving(answer) as port:
        yield port, received


def test_text_frames_of_every_length_are_read():
    async def talk():
        frames = [frame(1, json.dumps(one).encode()) for one in ({"type": "short"}, LONG, LONGER)]
        async with saying(*frames) as (port, _), websocket_client.open_socket(port=port, path="/ws/") as socket:
            return [await socket.receive() for _ in range(3)]

    assert asyncio.run(talk()) == [{"type": "short"}, LONG, LONGER]


def test_a_ping_is_answered_and_a_close_is_said():
    async def talk():
        async with saying(frame(9, b"hi"), frame(8, (4404).to_bytes(2, "big"))) as (port, received):
            async with websocket_client.open_socket(port=port, path="/ws/") as socket:
                with pytest.raises(SocketClosed, match="4404"):
                    await socket.receive()
            return [await received.get(), await received.get()]

    _, sent = asyncio.run(talk())
    assert sent == b"\x8a\x82\0\0\0\0hi"


def test_what_is_sent_is_a_masked_text_frame():
    async def talk():
        async with saying() as (port, received):
            async with websocket_client.open_socket(port=port, path="/ws/bonds/7/") as socket:
                await socket.send({"a": "b" * 200})
            return [await received.get(), await received.get()]

    head, sent = asyncio.run(talk())
    payload = json.dumps({"a": "b" * 200}).encode()
    assert head.startswith(b"GET /ws/bonds/7/ HTTP/1.1\r\n")
    assert sent == b"\x81\xfe" + len(payload).to_bytes(2, "big") + bytes(4) + payload


def test_a_refused_socket_says_so():
    async def talk():
        async with saying(status="403 Forbidden") as (port, _), websocket_client.open_socket(port=port, path="/"):
            pass

    with pytest.raises(SocketClosed, match="403 Forbidden"):
        asyncio.run(talk())
