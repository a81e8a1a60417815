"""Writes one ledger row for each call to a model, also for those that fail or are stopped."""

import asyncio
import time
from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from dataclasses import asdict

from django.utils import timezone
from pydantic import BaseModel

from echovessel.llm.errors import LLMError
from echovessel.llm.protocol import LLM, Answer, ChatMessage, Origin, Usage
from echovessel.llm.server import estimated
from echovessel.models import LedgerEntry
from echovessel.threads import in_database_thread

Outcome = LedgerEntry.Outcome


class Recorded:
    """A voice whose calls are written down."""

    def __init__(self, voice: LLM) -> None:
        self.voice = voice

    @property
    def offline(self) -> bool:
        return self.voice.offline

    def model_of(self, feature: str) -> str:
        return self.voice.model_of(feature)

    async def stream(self, messages: Sequence[ChatMessage], *, origin: Origin) -> AsyncGenerator[str | Usage, None]:
        started, said = time.monotonic(), ""
        usage, outcome, code = None, Outcome.FAILED, ""
        try:
            async with aclosing(self.voice.stream(messages, origin=origin)) as parts:
                async for part in parts:
                    if isinstance(part, Usage):
                        usage, outcome = part, Outcome.OK
                    else:
                        said += part
                    yield part
        except LLMError as error:
            code = error.code
            raise
        except (GeneratorExit, asyncio.CancelledError):
            outcome = outcome if usage else Outcome.STOPPED
            raise
        finally:
            usage = usage or self._estimated(messages, said)
            seconds = time.monotonic() - started
            await asyncio.shield(in_database_thread(self._write, "reply", origin, usage, seconds, outcome, code))

    def answer(
        self, messages: Sequence[ChatMessage], *, feature: str, schema: type[BaseModel], origin: Origin
    ) -> Answer:
        started = time.monotonic()
        try:
            answer = self.voice.answer(messages, feature=feature, schema=schema, origin=origin)
        except LLMError as error:
            usage = self._estimated(messages, "")
            self._write(feature, origin, usage, time.monotonic() - started, Outcome.FAILED, error.code)
            raise
        self._write(feature, origin, answer.usage, time.monotonic() - started, Outcome.OK, "")
        return answer

    def _estimated(self, messages: Sequence[ChatMessage], said: str) -> Usage:
        return Usage() if self.offline else estimated(messages, said)

    def _write(
        self, feature: str, origin: Origin, usage: Usage, seconds: float, outcome: LedgerEntry.Outcome, code: str
    ) -> None:
        LedgerEntry.objects.create(
            feature=feature,
            model=self.model_of(feature),
            duration_ms=round(seconds * 1000),
            outcome=outcome,
            error_code=code,
            created_at=timezone.now(),
            **asdict(usage),
            **asdict(origin),
        )
