import asyncio
import io
import json
import pickle
import re
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel

from echovessel.llm.errors import LLMError
from echovessel.llm.inputs import AnswerInputs, Inputs, ReplyInputs
from echovessel.llm.protocol import Answer, ChatMessage, CutOff, Origin, Piece, TakenBack, Usage
from echovessel.llm.tools import Tool, ToolCall

USAGE = Usage(100, 20, 50)


@dataclass(frozen=True)
class Call:
    feature: str
    messages: list[ChatMessage]
    origin: Origin
    inputs: Inputs | None = None
    tools: Sequence[str] = ()

    @property
    def text(self) -> str:
        return "\n".join(message["content"] for message in self.messages)


class _RulesUnpickler(pickle.Unpickler):
    def find_class(self, module: str, name: str) -> Any:
        assert module.partition(".")[0] not in ("chat", "memory", "personas"), f"{module}.{name} needs Django"
        return super().find_class(module, name)


def check_sendable(inputs: object) -> None:
    """The rules run in a process without Django, so nothing that they are given may come from a module that needs it."""
    _RulesUnpickler(io.BytesIO(pickle.dumps(inputs))).load()


class FakeLLM:
    """Says its replies one after the other, word by word, and notes what it was asked.

    A reply is a text, a ToolCall, an LLMError, or a list of them: `["half a", Unavailable(...)]` fails in the middle.
    `answers` has one answer for each feature (a dict, a raw text or an LLMError), or a list of them, one for each call.
    """

    offline = False

    def __init__(
        self, *replies: Any, answers: dict[str, Any] | None = None, usage: Usage = USAGE, takes_tools: bool = False
    ) -> None:
        self.takes_tools = takes_tools
        self.replies = list(replies)
        # A turn may ask what to note; nothing, unless a test says otherwise.
        self.answers = {"fact_write": {"writes": []}} | (answers or {})
        self.usage = usage
        self.calls: list[Call] = []
        # Awaited before each word, so that a test can act in the middle of a reply.
        self.before_word: Callable[[int], Awaitable[None]] | None = None

    def model_of(self, feature: str) -> str:
        return "fake"

    async def stream(
        self,
        messages: Sequence[ChatMessage],
        *,
        origin: Origin,
        inputs: ReplyInputs | None = None,
        tools: Sequence[Tool] = (),
    ) -> AsyncGenerator[Piece, None]:
        check_sendable(inputs)
        self.calls.append(Call("reply", list(messages), origin, inputs, [tool.name for tool in tools]))
        reply = self.replies.pop(0)
        at = 0
        for part in reply if isinstance(reply, list) else [reply]:
            if isinstance(part, LLMError):
                raise part
            if isinstance(part, (ToolCall, CutOff, TakenBack)):
                yield part
                continue
            for word in re.findall(r"\S+\s*", part):
                if self.before_word:
                    await self.before_word(at)
                await asyncio.sleep(0)
                yield word
                at += 1
        yield self.usage

    def answer(
        self,
        messages: Sequence[ChatMessage],
        *,
        feature: str,
        schema: type[BaseModel],
        origin: Origin,
        inputs: AnswerInputs | None = None,
        seconds: float | None = None,
    ) -> Answer:
        check_sendable(inputs)
        self.calls.append(Call(feature, list(messages), origin, inputs))
        answer = self.answers[feature]
        if isinstance(answer, list):
            answer = answer.pop(0)
        if isinstance(answer, LLMError):
            raise answer
        text = answer if isinstance(answer, str) else json.dumps(answer, ensure_ascii=False)
        return Answer(text, self.usage)
