"""A model server that streams words as the last message asks; each word is the time when it was sent.

`python -m chat.benchmark.model_server --port N`. It understands "Say 40 words at 20 a second."
"""

import argparse
import asyncio
import json
import re
import time
from contextlib import suppress
from typing import Any

PROMPT = "Say {count} words at {rate} a second."
_PROMPT_PATTERN = re.compile(r"Say (\d+) words at (\d+) a second\.")
_HEAD = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n"
_HEADERS_MOST = 64 * 1024


async def serve(port: int) -> None:
    server = await asyncio.start_server(handle_client, "127.0.0.1", port, limit=_HEADERS_MOST)
    async with server:
        await server.serve_forever()


async def handle_client(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Answer until the client is done."""
    with suppress(asyncio.IncompleteReadError, ConnectionError):
        while True:
            count, rate = await read_request(reader)
            await stream_words(writer, count=count, rate=rate)
    writer.close()
    with suppress(ConnectionError):
        await writer.wait_closed()


async def read_request(reader: asyncio.StreamReader) -> tuple[int, int]:
    head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
    length = re.search(r"content-length: (\d+)", head, re.IGNORECASE)
    body = json.loads(await reader.readexactly(int(length[1]) if length else 0))
    found = _PROMPT_PATTERN.findall(body["messages"][-1]["content"])
    count, rate = found[-1] if found else ("1", "1000")
    return int(count), int(rate)


async def stream_words(writer: asyncio.StreamWriter, *, count: int, rate: int) -> None:
    writer.write(_HEAD.encode())
    began = time.monotonic()
    for at in range(count):
        await asyncio.sleep(max(0.0, began + at / rate - time.monotonic()))
        write_chunk(
            writer,
            format_event(choices=[{"index": 0, "delta": {"content": f"{time.time():.6f} "}, "finish_reason": None}]),
        )
        await writer.drain()
    write_chunk(writer, format_event(choices=[{"index": 0, "delta": {}, "finish_reason": "stop"}]))
    write_chunk(writer, format_event(choices=[], usage={"prompt_tokens": 100, "completion_tokens": count}))
    write_chunk(writer, "data: [DONE]\n\n")
    writer.write(b"0\r\n\r\n")
    await writer.drain()


def format_event(**keys: Any) -> str:
    named = {"id": "benchmark", "object": "chat.completion.chunk", "created": 0, "model": "benchmark"}
    return f"data: {json.dumps(named | keys)}\n\n"


def write_chunk(writer: asyncio.StreamWriter, text: str) -> None:
    writer.write(f"{len(text):x}\r\n{text}\r\n".encode())


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m chat.benchmark.model_server")
    parser.add_argument("--port", type=int, required=True)
    asyncio.run(serve(parser.parse_args().port))
