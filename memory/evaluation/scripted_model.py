"""A model for evaluations, which replies and answers a worker's calls as a script says."""

import json
from abc import ABC, abstractmethod
from collections.abc import AsyncGenerator, Iterable, Mapping, Sequence
from typing import Any

from pydantic import BaseModel

from echovessel.llm.inputs import AnswerInputs, ReplyInputs
from echovessel.llm.protocol import Answer, ChatMessage, Origin, Piece, Usage
from echovessel.llm.tools import Tool
from echovessel.llm.usage import estimate_usage


class ScriptedModel(ABC):
    """Replies with nothing, unless a subclass builds a reply; its subclasses build what it answers."""

    offline = False
    takes_tools = False

    def model_of(self, feature: str) -> str:
        return "scripted"

    async def stream(
        self,
        messages: Sequence[ChatMessage],
        *,
        origin: Origin,
        inputs: ReplyInputs | None = None,
        tools: Sequence[Tool] = (),
    ) -> AsyncGenerator[Piece, None]:
        for piece in self.build_reply(inputs, may_call=bool(tools) and messages[-1]["role"] == "user"):
            yield piece
        yield Usage()

    def build_reply(self, inputs: ReplyInputs | None, *, may_call: bool) -> Iterable[Piece]:
        """Build a reply; `may_call` says that it is the first step of one with tools."""
        return ()

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
        prompt = "\n".join(message["content"] for message in messages)
        text = json.dumps(self.build_answer(feature, inputs, prompt=prompt), ensure_ascii=False)
        return Answer(text, estimate_usage(messages, text))

    @abstractmethod
    def build_answer(self, feature: str, inputs: AnswerInputs | None, *, prompt: str) -> Mapping[str, Any]:
        """Build the answer to a call of a worker."""
