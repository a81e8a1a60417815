"""Writes one ledger row for each call to a model, also for failed and stopped calls.

If the bond, turn or session was erased, also during the call, the row keeps only its numbers.
"""

import asyncio
import time
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import aclosing
from dataclasses import asdict
from typing import Any, Unpack

from django.contrib.auth import get_user_model
from django.db import connection, transaction
from django.db.models import Model
from django.utils import timezone

from echovessel.llm import prices
from echovessel.llm.errors import LLMError
from echovessel.llm.protocol import (
    LLM,
    Answer,
    AnswerCall,
    ChatMessage,
    CutOff,
    Origin,
    Piece,
    ReplyCall,
    TakenBack,
    Usage,
)
from echovessel.llm.tools import ToolCall
from echovessel.llm.usage import estimate_usage
from echovessel.models import BondCounter, LedgerEntry
from echovessel.postgres.rows import fetch_all
from echovessel.postgres.threads import release_connection, run_when_reachable

Outcome = LedgerEntry.Outcome


class RecordingLLM:
    def __init__(self, voice: LLM, *, address: str = "", get_options: Callable[[], dict[str, Any]] = dict) -> None:
        self.voice = voice
        # Tells with which parameters replies were asked for.
        self.get_options = get_options
        # The server's address: prices depend on it.
        self.address = address

    @property
    def offline(self) -> bool:
        return self.voice.offline

    def model_of(self, feature: str) -> str:
        return self.voice.model_of(feature)

    @property
    def takes_tools(self) -> bool:
        return self.voice.takes_tools

    async def stream(self, messages: Sequence[ChatMessage], **asked: Unpack[ReplyCall]) -> AsyncGenerator[Piece, None]:
        started, said = time.monotonic(), ""
        usage, outcome, code = None, Outcome.FAILED, ""
        try:
            async with aclosing(self.voice.stream(messages, **asked)) as parts:
                async for part in parts:
                    if isinstance(part, Usage):
                        usage, outcome = part, Outcome.OK
                    elif not isinstance(part, CutOff | TakenBack):
                        said += part.arguments if isinstance(part, ToolCall) else part
                    yield part
        except LLMError as error:
            code = error.code
            raise
        except (GeneratorExit, asyncio.CancelledError):
            outcome = outcome if usage else Outcome.STOPPED
            raise
        finally:
            usage = usage or self._estimate_usage(messages, said)
            seconds = time.monotonic() - started
            call = ("reply", asked["origin"], usage, seconds, outcome, code)
            await asyncio.shield(run_when_reachable(self._write, *call))

    def answer(self, messages: Sequence[ChatMessage], **asked: Unpack[AnswerCall]) -> Answer:
        feature, origin, started = asked["feature"], asked["origin"], time.monotonic()
        # One that is held meanwhile is dead where the database was started again, and what the model said is lost.
        release_connection()
        try:
            answer = self.voice.answer(messages, **asked)
        except LLMError as error:
            usage = self._estimate_usage(messages, "")
            self._write(feature, origin, usage, time.monotonic() - started, Outcome.FAILED, error.code)
            raise
        self._write(feature, origin, answer.usage, time.monotonic() - started, Outcome.OK, "")
        return answer

    def _estimate_usage(self, messages: Sequence[ChatMessage], said: str) -> Usage:
        return Usage() if self.offline else estimate_usage(messages, said)

    def _compute_cost(self, feature: str, usage: Usage, outcome: LedgerEntry.Outcome) -> Any:
        if self.offline:
            return 0
        # A call that failed without output is not billed.
        billed = Usage() if outcome == Outcome.FAILED and not usage.tokens_out else usage
        return prices.build_cost_expression(address=self.address, model=self.model_of(feature), usage=billed)

    @transaction.atomic
    def _write(
        self, feature: str, origin: Origin, usage: Usage, seconds: float, outcome: LedgerEntry.Outcome, code: str
    ) -> None:
        LedgerEntry.objects.create(
            feature=feature,
            model=self.model_of(feature),
            options=self.get_options() if feature == "reply" else {},
            duration_ms=round(seconds * 1000),
            outcome=outcome,
            error_code=code,
            cost=self._compute_cost(feature, usage, outcome),
            created_at=timezone.now(),
            **asdict(usage),
            **asdict(drop_erased(origin)),
        )


def drop_erased(origin: Origin) -> Origin:
    """Return the origin without erased ids, and lock the rows until commit. A bond has its counter from its first event on."""
    if origin.user_id is not None and not lock_row(get_user_model(), origin.user_id):
        return Origin()
    if origin.bond_id is not None and not lock_row(BondCounter, origin.bond_id):
        return Origin(user_id=origin.user_id)
    return origin


def lock_row(model: type[Model], pk: int) -> bool:
    """Whether a row exists; it cannot be deleted before the running transaction ends."""
    quote = connection.ops.quote_name
    table, column = quote(model._meta.db_table), quote(model._meta.pk.attname)
    return bool(fetch_all(f"SELECT 1 FROM {table} WHERE {column} = %s FOR KEY SHARE", [pk]))


def forget_bond(bond_id: int) -> None:
    LedgerEntry.objects.filter(bond_id=bond_id).update(bond_id=None, turn_id=None, session_id=None)


def forget_user(user_id: int) -> None:
    LedgerEntry.objects.filter(user_id=user_id).update(user_id=None, bond_id=None, turn_id=None, session_id=None)
