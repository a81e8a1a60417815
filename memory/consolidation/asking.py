"""Ask a model for a structured answer, with retries."""

import json
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

from django.conf import settings
from pydantic import BaseModel

from echovessel.llm import answers, provider
from echovessel.llm.errors import BadAnswerError, LLMError
from echovessel.llm.inputs import AnswerInputs
from echovessel.llm.protocol import LLM, Answer, ChatMessage, Origin
from echovessel.text import fold, strip_unstorable
from memory.messages import secrets

BACK_OFF_SECONDS = (2.0, 8.0)
LONGEST_PAUSE_SECONDS = 60.0
# The characters of an answer that are read and kept.
TEXT_MOST = 8_000
PARTS_MOST = 100
DEPTH_MOST = 8
# A shorter text may be the same by chance.
COPIED_LEAST = 20
Call = Callable[[Sequence[ChatMessage]], Answer]
# Raises BadAnswerError, with what is wrong, for an answer of which nothing can be used.
Check = Callable[[dict[str, Any]], object]


@dataclass(frozen=True)
class StructuredAnswer:
    """An answer that is a JSON object without secrets, with its cost."""

    parsed: dict[str, Any]
    tokens_in: int
    tokens_out: int
    offline: bool
    duration_ms: int = 0
    note: str = ""

    def build_columns(self) -> dict[str, Any]:
        """Return the columns of a `ConsolidationStep` that keep the answer and its cost."""
        costs = {name: getattr(self, name) for name in ("offline", "tokens_in", "tokens_out", "duration_ms")}
        return {"answer": json.dumps(self.parsed, ensure_ascii=False), **costs}


@dataclass(frozen=True, kw_only=True)
class Asker:
    """Asks one model on behalf of one session; `before_call` renews the lease, `pause` waits between tries."""

    llm: LLM
    origin: Origin
    before_call: Callable[[], None]
    pause: Callable[[float], None] = time.sleep

    def ask(
        self,
        prompt: str,
        *,
        feature: str,
        schema: type[BaseModel],
        inputs: AnswerInputs | None = None,
        check: Check = bool,
    ) -> StructuredAnswer:
        """Ask up to three times where the failure may pass, and once more, with what is wrong, where the answer cannot be used. The
        caller checks the second answer.

        With OFFLINE_FALLBACK the offline voice answers when the server has failed for good. Raises LLMError.
        """
        messages: list[ChatMessage] = [{"role": "user", "content": prompt}]

        def answer_by(llm: LLM) -> Call:
            return partial(llm.answer, feature=feature, schema=schema, origin=self.origin, inputs=inputs)

        began = time.monotonic()
        try:
            found = self._ask_with_correction(answer_by(self.llm), messages, schema=schema, check=check)
            return replace(found, duration_ms=round(1000 * (time.monotonic() - began)))
        except LLMError as error:
            if inputs is None or self.llm.offline or not settings.OFFLINE_FALLBACK:
                raise
            answer = answer_by(provider.get_fallback_llm())(messages)
            return build_structured_answer(answer, schema=schema, note=f"The offline voice answered, since: {error}")

    def _ask_with_correction(
        self, call: Call, messages: Sequence[ChatMessage], *, schema: type[BaseModel], check: Check
    ) -> StructuredAnswer:
        first = self._ask_with_retries(call, messages)
        wrong, note = "Your answer was no JSON object.", "The first answer was no JSON object."
        with suppress(BadAnswerError):
            found = build_structured_answer(first, schema=schema)
            if not (fault := answers.find_fault(found.parsed, schema) or find_refusal(check, found.parsed)):
                return found
            wrong, note = fault, "The first answer was not what was asked for."
        if answers.close(first.text):
            wrong, note = "Your answer broke off. Leave out what matters least.", "The first answer broke off."
        again: list[ChatMessage] = [
            *messages,
            {"role": "assistant", "content": first.text[:20_000]},
            {"role": "user", "content": f"{wrong} Answer again with that object alone."},
        ]
        second = self._ask_with_retries(call, again)
        try:
            found = build_structured_answer(second, schema=schema, note=note)
        except BadAnswerError:
            whole = answers.close(second.text)
            if not whole:
                raise
            note = "The answer broke off. What is whole of it was kept."
            found = build_structured_answer(replace(second, text=whole), schema=schema, note=note)
        return replace(
            found,
            tokens_in=found.tokens_in + first.usage.tokens_in,
            tokens_out=found.tokens_out + first.usage.tokens_out,
        )

    def _ask_with_retries(self, call: Call, messages: Sequence[ChatMessage]) -> Answer:
        for pause in BACK_OFF_SECONDS:
            self.before_call()
            try:
                return call(messages)
            except LLMError as error:
                if not error.transient:
                    raise
                self.pause(min(max(error.retry_after or 0, pause), LONGEST_PAUSE_SECONDS))
        self.before_call()
        return call(messages)


def find_refusal(check: Check, parsed: dict[str, Any]) -> str:
    try:
        check(parsed)
    except BadAnswerError as error:
        return str(error)
    return ""


def build_structured_answer(answer: Answer, *, schema: type[BaseModel], note: str = "") -> StructuredAnswer:
    return StructuredAnswer(
        parsed=sanitize(answers.read(answer.text, schema)),
        tokens_in=answer.usage.tokens_in,
        tokens_out=answer.usage.tokens_out,
        offline=answer.offline,
        note=note,
    )


def is_copied(said: str, prompt: Path) -> bool:
    """Whether a text of an answer is an example that its prompt has."""
    return len(said) >= COPIED_LEAST and fold(said.strip(" .。")) in fold(prompt.read_text())


def sanitize(value: Any, *, depth: int = DEPTH_MOST) -> Any:
    """Drop from an answer secrets, characters that cannot be stored, and what exceeds the size limit."""
    if isinstance(value, str):
        # Mask first: the cut may split a secret.
        return secrets.mask(strip_unstorable(value[: TEXT_MOST + 500]))[:TEXT_MOST]
    if depth == 0 and isinstance(value, list | dict):
        return None
    if isinstance(value, list):
        return [sanitize(part, depth=depth - 1) for part in value[:PARTS_MOST]]
    if isinstance(value, dict):
        return {sanitize(key): sanitize(value[key], depth=depth - 1) for key in list(value)[:PARTS_MOST]}
    return value
