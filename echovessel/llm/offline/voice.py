"""Answers without a model server, by rules in English and Chinese."""

import asyncio
from collections.abc import AsyncGenerator, Sequence
from typing import Unpack

from django.conf import settings

from echovessel import lazy_re as re
from echovessel.llm.errors import ModelUnavailableError
from echovessel.llm.inputs import Inputs
from echovessel.llm.offline import processes
from echovessel.llm.protocol import Answer, AnswerCall, ChatMessage, Piece, ReplyCall, Usage

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

    async def stream(self, messages: Sequence[ChatMessage], **asked: Unpack[ReplyCall]) -> AsyncGenerator[Piece, None]:
        reply = await processes.ask_from_loop(_require(asked.get("inputs")), seconds=self.reply_limit)
        for delta in _DELTA.findall(reply):
            await asyncio.sleep(settings.OFFLINE_TOKEN_SECONDS)
            yield delta
        yield Usage()

    def answer(self, messages: Sequence[ChatMessage], **asked: Unpack[AnswerCall]) -> Answer:
        return Answer(processes.ask(_require(asked.get("inputs")), seconds=self.answer_limit), Usage(), offline=True)


def _require(inputs: Inputs | None) -> Inputs:
    if inputs is None:
        raise ModelUnavailableError("Without a model server this has no answer.", transient=False)
    return inputs
