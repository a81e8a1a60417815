import asyncio
import json
import time

from chat.benchmark import model_server
from chat.benchmark.model_server import PROMPT
from tests.chat.benchmark.serving import serving


async def told(said):
    """Return the parts of a streamed answer with their times of arrival."""
    body = json.dumps({"messages": [{"role": "system", "content": "x" * 100_000}, {"role": "user", "content": said}]})
    async with serving(model_server.handle_client) as port:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(f"POST /v1/chat/completions HTTP/1.1\r\ncontent-length: {len(body)}\r\n\r\n{body}".encode())
        lines = []
        while not (line := await reader.readline()).startswith(b"data: [DONE]"):
            if line.startswith(b"data: "):
                lines.append((json.loads(line[6:]), time.time()))
        writer.close()
        await writer.wait_closed()
        return lines


def test_as_many_words_are_streamed_as_were_asked_for():
    began = time.time()
    *words, (last, _), (usage, ended) = asyncio.run(told(f"And now: {PROMPT.format(count=5, rate=50)}"))

    assert [part["choices"][0]["finish_reason"] for part, _ in words] == [None] * 5
    assert all(began <= float(part["choices"][0]["delta"]["content"]) <= at + 0.001 for part, at in words)
    assert last["choices"] == [{"index": 0, "delta": {}, "finish_reason": "stop"}]
    assert (usage["choices"], usage["usage"]) == ([], {"prompt_tokens": 100, "completion_tokens": 5})
    assert ended - began >= 4 / 50


def test_whoever_asks_for_nothing_gets_a_word():
    assert len(asyncio.run(told("Hello."))) == 3
