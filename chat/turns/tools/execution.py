"""Executes the tool calls of one turn, each in a database thread; what goes wrong is an answer to the model, too."""

import logging
import re
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.db import InterfaceError, OperationalError
from django.utils import timezone
from pydantic import BaseModel

from chat.models import Turn
from chat.turns.claiming import LeaseLost
from chat.turns.tools import arguments, definitions, forgetting, reading, rows, writing
from chat.turns.tools.arguments import (
    LinkArguments,
    ListArguments,
    RecallArguments,
    RefArguments,
    SaveArguments,
    UpdateArguments,
)
from chat.turns.tools.calls import CallContext, ToolAnswer
from chat.turns.trace import TracedStep, get_elapsed_ms
from echovessel.embeddings import embedding
from echovessel.embeddings.embedding import EmbeddingError
from echovessel.llm.tools import Tool, ToolCall
from echovessel.postgres.deadlines import limit_time
from echovessel.postgres.threads import run_in_database_thread
from memory.facts.drafts import FactError
from memory.jobs import lease
from memory.recall import query_vectors

CALL_SECONDS = 10.0
AWAY = "Memory cannot be reached now. Nothing was changed; do not say that it was."
logger = logging.getLogger("echovessel.turns")


@dataclass(frozen=True)
class Execution:
    """The shape of a tool's arguments, and what it does with them."""

    shape: type[BaseModel]
    execute: Callable[[CallContext, Any], ToolAnswer]


EXECUTIONS: Mapping[str, Execution] = {
    definitions.SAVE.name: Execution(SaveArguments, writing.save),
    definitions.UPDATE.name: Execution(UpdateArguments, writing.update),
    definitions.FORGET.name: Execution(RefArguments, forgetting.forget),
    definitions.CONFIRM.name: Execution(RefArguments, writing.confirm),
    definitions.LINK.name: Execution(LinkArguments, writing.link),
    definitions.LIST.name: Execution(ListArguments, reading.list_facts),
    definitions.RECALL.name: Execution(RecallArguments, reading.recall_facts),
}

READING = frozenset(tool.name for tool in definitions.READING)


class FactTools:
    """The tools of one turn. `get_offset` counts the characters of the reply so far."""

    def __init__(self, *, turn: Turn, get_offset: Callable[[], int]) -> None:
        self.turn = turn
        self.get_offset = get_offset
        self.tools: Sequence[Tool] = definitions.READING if turn.session.off_record else definitions.ALL
        # Whether a call that writes was begun, and whether one succeeded: a reply may be stopped between.
        self.may_have_written = self.has_written = False
        self.steps: list[TracedStep] = []
        self._near: set[str] = set()
        self._shown: set[int] = set()

    async def execute(self, call: ToolCall) -> ToolAnswer:
        """Execute a call. Raises LeaseLost if the turn is no longer this process's."""
        names = [tool.name for tool in self.tools]
        # "save_memory", "memory.save".
        name = next((name for name in names if _split(name) == _split(call.name)), None)
        if name is None:
            there = ", ".join(names)
            return ToolAnswer(
                ok=False, code="invalid", text=f"There is no tool {call.name[:64]!r}. There are: {there}."
            )
        call = replace(call, name=name)
        started = time.perf_counter()
        vector, writes = await self._embed_query(call), call.name not in READING
        self.may_have_written = self.may_have_written or writes
        answer = await run_in_database_thread(self._execute, call, self.get_offset(), vector)
        self.has_written = self.has_written or (writes and answer.ok)
        self.steps.append(TracedStep(tool=call.name, code=answer.code, ms=get_elapsed_ms(started)))
        return answer

    async def _embed_query(self, call: ToolCall) -> list[float] | None:
        """Embed the words of a recall, which no database thread waits for."""
        query = (call.parse_arguments() or {}).get("query")
        if call.name != definitions.RECALL.name or not isinstance(query, str):
            return None
        try:
            bond = self.turn.bond
            return await embedding.embed_question(query_vectors.build_text(bond, query), person=bond.user_id)
        except EmbeddingError as error:
            logger.warning("a tool searches by words alone: %s", error)
            return None

    def _execute(self, call: ToolCall, offset: int, vector: list[float] | None) -> ToolAnswer:
        context = CallContext(
            turn=self.turn, offset=offset, now=timezone.now(), near=self._near, shown=self._shown, vector=vector
        )
        answer = execute(context, call.name, call.parse_arguments())
        self._shown |= rows.read_numbers(answer.text)
        return answer


def _split(name: str) -> set[str]:
    return set(re.findall("[a-z]+", name.lower()))


def execute(context: CallContext, name: str, given: dict[str, Any] | None) -> ToolAnswer:
    """Execute a tool with these arguments. Raises LeaseLost."""
    execution = EXECUTIONS[name]
    try:
        asked = arguments.parse(execution.shape, given)
        with limit_time(CALL_SECONDS):
            return execution.execute(context, asked)
    except FactError as error:
        return ToolAnswer(ok=False, code=error.code, text=rows.render_refusal(error))
    except lease.LeaseLost as error:
        raise LeaseLost from error
    except (OperationalError, InterfaceError) as error:
        logger.warning("tool %s of turn %s failed: %s", name, context.turn.pk, type(error).__name__)
        return ToolAnswer(ok=False, code="unavailable", text=AWAY)
