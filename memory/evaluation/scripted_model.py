"""A model for evaluations, which replies and answers a worker's calls as a script says."""

import json
from abc import ABC, abstractmethod
from collections.abc import AsyncGenerator, Iterable, Mapping, Sequence
from typing import Any, Unpack

from echovessel.llm.inputs import AnswerInputs, ReplyInputs
from echovessel.llm.protocol import Answer, AnswerCall, ChatMessage, Piece, ReplyCall, Usage
from echovessel.llm.usage import estimate_usage


class ScriptedModel(ABC):
    """Replies with nothing, unless a subclass builds a reply; its subclasses build what it answers."""

    offline = False
    takes_tools = False

    def model_of(self, feature: str) -> str:
        return "scripted"

    async def stream(self, messages: Sequence[ChatMessage], **asked: Unpack[ReplyCall]) -> AsyncGenerator[Piece, None]:
        last = messages[-1]
        may_call = bool(asked.get("tools")) and last["role"] == "user"
        answer = last["content"] or "" if last["role"] == "tool" else ""
        for piece in self.build_reply(asked.get("inputs"), may_call=may_call, answer=answer):
            yield piece
        yield Usage()

    def build_reply(self, inputs: ReplyInputs | None, *, may_call: bool, answer: str) -> Iterable[Piece]:
        """Build a reply; `may_call` says that it is the first step of one with tools, `answer` what the tool answered in a later one."""
        return ()

    def answer(self, messages: Sequence[ChatMessage], **asked: Unpack[AnswerCall]) -> Answer:
        prompt = "\n".join(message["content"] for message in messages)
        text = json.dumps(self.build_answer(asked["feature"], asked.get("inputs"), prompt=prompt), ensure_ascii=False)
        return Answer(text, estimate_usage(messages, text))

    @abstractmethod
    def build_answer(self, feature: str, inputs: AnswerInputs | None, *, prompt: str) -> Mapping[str, Any]:
        """Build the answer to a call of a worker."""
