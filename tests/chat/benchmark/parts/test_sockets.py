import asyncio
import time

import pytest

from chat.benchmark.parts import sockets
from chat.benchmark.parts.sockets import ReceivedReply, ReplyLostError


class Said:
    """A socket that receives this."""

    def __init__(self, *frames):
        self.frames = list(frames)
        self.sent = []

    async def send(self, frame):
        self.sent.append(frame)

    async def receive(self):
        return self.frames.pop(0)


def token(text, offset):
    return {"type": "chat.message.token", "delta": text, "offset": offset}


def done(text):
    return {"type": "chat.message.done", "content": text}


def converse(*frames, words):
    socket = Said({"type": "chat.message.typing"}, *frames)
    heard = asyncio.run(sockets.run_turn(socket, words=words, rate=20))
    assert [(frame["type"], frame["content"]) for frame in socket.sent] == [
        ("message.send", f"Say {words} words at 20 a second.")
    ]
    return heard


def test_the_delay_of_each_word_is_heard():
    first, second = f"{time.time() - 5:.6f} ", f"{time.time() - 3:.6f} "

    heard = converse(token(first, 0), token(second, len(first)), done(f"{first}{second}".strip()), words=2)

    assert (heard.sent, heard.wrong) == ([float(first), float(second)], 0)
    assert heard.delays == [pytest.approx(5000, abs=500), pytest.approx(3000, abs=500)]


@pytest.mark.parametrize(
    ("frames", "wrong"),
    [
        ([token("1.0 ", 0), done("1.0")], 1),
        ([token("1.0 ", 0), token("2.0 ", 0), done("1.0 2.0")], 1),
        ([token("1.0 ", 0), token("2.0 ", 4), done("2.0 1.0")], 1),
        ([token("2.0 ", 4), done("1.0 2.0")], 3),
    ],
    ids=["lost", "out of order", "another reply", "the first lost"],
)
def test_what_is_lost_or_out_of_order_is_counted(frames, wrong):
    assert converse(*frames, words=2).wrong == wrong


def test_a_reply_that_fails_is_no_figure():
    with pytest.raises(ReplyLostError, match="model_unavailable"):
        converse({"type": "chat.message.error", "error": {"code": "model_unavailable"}}, words=2)


def test_delays_count_while_all_talk():
    early, late = ReceivedReply([1.0, 2.0, 3.0], [10.0, 20.0, 30.0], 0), ReceivedReply([2.0, 3.0], [40.0, 50.0], 0)

    assert sockets.select_busy_delays([early, late]) == [20.0, 30.0, 40.0, 50.0]
