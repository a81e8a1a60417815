"""A model server that streams as many words, as fast, as the last line asks for; each word is the time at which it was sent.

`python -m chat.benchmark.model_server --port N`. "Say 40 words at 20 a second." is what it understands.
"""

import argparse
import asyncio
import json
import re
import time
from contextlib import suppress
from typing import Any

ASKED = "Say {count} words at {rate} a second."
_ASKED = re.compile(r"Say (\d+) words at (\d+) a second\.")
_HEAD = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n"
_HEADERS_MOST = 64 * 1024


async def serve(port: int) -> None:
    server = await asyncio.start_server(answer, "127.0.0.1", port, limit=_HEADERS_MOST)
    async with server:
        await server.serve_forever()


async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Until the client has what it wanted."""
    with suppress(asyncio.IncompleteReadError, ConnectionError):
        while True:
            count, rate = await received(reader)
            await stream(writer, count=count, rate=rate)
    writer.close()
    with suppress(ConnectionError):
        await writer.wait_closed()


async def received(reader: asyncio.StreamReader) -> tuple[int, int]:
    head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
    length = re.search(r"content-length: (\d+)", head, re.IGNORECASE)
    body = json.loads(await reader.readexactly(int(length[1]) if length else 0))
    found = _ASKED.findall(body["messages"][-1]["content"])
    count, rate = found[-1] if found else ("1", "1000")
    return int(count), int(rate)


async def stream(writer: asyncio.StreamWriter, *, count: int, rate: int) -> None:
    writer.write(_HEAD.encode())
    began = time.monotonic()
    for at in range(count):
        await asyncio.sleep(max(0.0, began + at / rate - time.monotonic()))
        send(writer, event(choices=[{"index": 0, "delta": {"content": f"{time.time():.6f} "}, "finish_reason": None}]))
        await writer.drain()
    send(writer, event(choices=[{"index": 0, "delta": {}, "finish_reason": "stop"}]))
    send(writer, event(choices=[], usage={"prompt_tokens": 100, "completion_tokens": count}))
    send(writer, "data: [DONE]\n\n")
    writer.write(b"0\r\n\r\n")
    await writer.drain()


def event(**keys: Any) -> str:
    named = {"id": "benchmark", "object": "chat.completion.chunk", "created": 0, "model": "benchmark"}
    return f"data: {json.dumps(named | keys)}\n\n"


def send(writer: asyncio.StreamWriter, text: str) -> None:
    writer.write(f"{len(text):x}\r\n{text}\r\n".encode())


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m chat.benchmark.model_server")
    parser.add_argument("--port", type=int, required=True)
    asyncio.run(serve(parser.parse_args().port))
