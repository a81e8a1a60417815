"""What the offline voice answers, by feature; and the program that works it out, in a process of its own.

`python -m echovessel.llm.offline.rules` reads calls from its input, one JSON a line, and writes each answer as a line of JSON.
"""

import json
import signal
import sys
from collections.abc import Callable, Mapping, Sequence
from typing import BinaryIO

from pydantic import JsonValue

from echovessel.llm.offline import draft, extraction, importing, reflection, reply
from echovessel.llm.protocol import ChatMessage

REPLY = "reply"


def _slow_tick(prompt: str) -> dict[str, JsonValue]:
    nothing = ("salient_questions", "thoughts", "expectations", "intentions", "entity_descriptions", "resolved")
    return {name: [] for name in nothing}


ANSWERS: Mapping[str, Callable[[str], dict[str, JsonValue]]] = {
    "extraction": extraction.extract,
    "reflection": reflection.reflect,
    "slow_tick": _slow_tick,
    "import": importing.read,
    "persona_draft": draft.draft,
}


def answer(feature: str, messages: Sequence[ChatMessage]) -> str:
    """The words of a reply, or the JSON of a structured answer."""
    if feature == REPLY:
        return reply.compose(messages)
    prompt = "\n".join(message["content"] for message in messages)
    return json.dumps(ANSWERS[feature](prompt), ensure_ascii=False)


def serve(calls: BinaryIO, answers: BinaryIO) -> None:
    for line in calls:
        call = json.loads(line)
        # Who asked ends this process when the time is over; where they are gone themselves, the system does.
        signal.alarm(call["seconds"])
        answers.write(json.dumps(answer(call["feature"], call["messages"])).encode() + b"\n")
        answers.flush()
        signal.alarm(0)


if __name__ == "__main__":
    # Ctrl-C is for the program above, at whose end the input ends too.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    serve(sys.stdin.buffer, sys.stdout.buffer)
