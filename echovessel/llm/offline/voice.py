"""The voice of an install without a model server: rules in English and Chinese, no weights, no invention."""

import asyncio
import json
import re
from collections.abc import AsyncGenerator, Callable, Mapping, Sequence

from django.conf import settings
from pydantic import BaseModel, JsonValue

from echovessel.llm.errors import Unavailable
from echovessel.llm.offline import draft, extraction, importing, reflection, reply
from echovessel.llm.protocol import Answer, ChatMessage, Origin, Usage

# A word with the space after it, or two Chinese characters.
_DELTA = re.compile(r"[\u3000-\u9fff\uff00-\uffef]{1,2}|[^\s\u3000-\u9fff\uff00-\uffef]+\s*|\s+")


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


class OfflineVoice:
    offline = True

    def model_of(self, feature: str) -> str:
        return "offline"

    async def stream(self, messages: Sequence[ChatMessage], *, origin: Origin) -> AsyncGenerator[str | Usage, None]:
        for delta in _DELTA.findall(await asyncio.to_thread(reply.compose, messages)):
            await asyncio.sleep(settings.OFFLINE_TOKEN_SECONDS)
            yield delta
        yield Usage()

    def answer(
        self, messages: Sequence[ChatMessage], *, feature: str, schema: type[BaseModel], origin: Origin
    ) -> Answer:
        if feature not in ANSWERS:
            raise Unavailable(f"Without a model server there is no {feature}.", transient=False)
        prompt = "\n".join(message["content"] for message in messages)
        return Answer(json.dumps(ANSWERS[feature](prompt), ensure_ascii=False), Usage(), offline=True)
