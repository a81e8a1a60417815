"""Answers without a model server, by rules in English and Chinese."""

import asyncio
import re
from collections.abc import AsyncGenerator, Sequence

from django.conf import settings
from pydantic import BaseModel

from echovessel.llm.errors import ModelUnavailableError
from echovessel.llm.inputs import AnswerInputs, ReplyInputs
from echovessel.llm.offline import processes
from echovessel.llm.protocol import Answer, ChatMessage, Origin, Piece, Usage
from echovessel.llm.tools import Tool

# A word with the space after it, or two Chinese characters.
_DELTA = re.compile(r"[\u3000-\u9fff\uff00-\uffef]{1,2}|[^\s\u3000-\u9fff\uff00-\uffef]+\s*|\s+")


class OfflineVoice:
    offline = True
    takes_tools = False
    # Seconds. A reply takes milliseconds; extracting from a long session takes longer.
    reply_limit = 20.0
    answer_limit = 120.0

    def model_of(self, feature: str) -> str:
        return "offline"

    async def stream(
        self,
        messages: Sequence[ChatMessage],
        *,
        origin: Origin,
        inputs: ReplyInputs | None = None,
        tools: Sequence[Tool] = (),
    ) -> AsyncGenerator[Piece, None]:
        if inputs is None:
            raise _build_refusal()
        reply = await processes.ask_from_loop(inputs, seconds=self.reply_limit)
        for delta in _DELTA.findall(reply):
            await asyncio.sleep(settings.OFFLINE_TOKEN_SECONDS)
            yield delta
        yield Usage()

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
        if inputs is None:
            raise _build_refusal()
        return Answer(processes.ask(inputs, seconds=self.answer_limit), Usage(), offline=True)


def _build_refusal() -> ModelUnavailableError:
    return ModelUnavailableError("Without a model server this has no answer.", transient=False)
