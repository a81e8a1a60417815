"""A reply in the making: load what it needs, assemble the prompt, stream the answer, store how it ended."""

import asyncio
import logging
import time
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import aclosing
from dataclasses import asdict, replace
from functools import partial
from typing import Any

from django.conf import settings
from django.db import InterfaceError, OperationalError
from django.utils import timezone

from chat.broadcast import hub
from chat.broadcast.hub import LiveTurn
from chat.models import Turn
from chat.turns import backstop, claiming, continuing, endings, shortening, writes
from chat.turns.endings import Ending
from chat.turns.prompting import base_context, prompt_context, said_before
from chat.turns.prompting.base_context import BaseContext
from chat.turns.prompting.prompt import Prompt, PromptTooLong
from chat.turns.prompting.prompt_context import PromptContext
from chat.turns.tools.execution import FactTools
from chat.turns.tools.loop import StepReply, ToolLoop, begin_step
from chat.turns.trace import Trace, get_elapsed_ms
from echovessel.embeddings import embedding
from echovessel.embeddings.embedding import EmbeddingError
from echovessel.llm import provider
from echovessel.llm.errors import BadAnswerError, EmptyAnswerError, LLMError
from echovessel.llm.protocol import LLM, ChatMessage, CutOff, Piece, TakenBack, Usage
from echovessel.llm.tools import Tool, ToolCall
from echovessel.postgres.threads import run_in_database_thread, run_when_reachable
from echovessel.text import strip_unstorable
from memory.models import FactWrite, Message
from memory.recall import query_vectors
from personas import answering

SAVE_SECONDS = 1.0
SHARE_SECONDS = 0.1
RETRY_SECONDS = 1.0
RETRY_LONGEST_SECONDS = 5.0
EMBED_SECONDS = 3.0
REPLY_CHARACTERS = 60_000
logger = logging.getLogger("echovessel.turns")


class Reply:
    def __init__(self, *, turn: Turn, live: LiveTurn, llm: LLM | None) -> None:
        self.turn = turn
        self.live = live
        # If None, it is looked up while the context is loaded, so that no time is lost.
        self.llm = llm
        self.began = time.perf_counter()
        self.measured: dict[str, Any] = {}
        # Builds what is kept of how the prompt was made; None off the record.
        self.build_trace: Callable[[Prompt], Trace] | None = None
        self.timings: dict[str, int | None] = dict.fromkeys(Turn.TIMINGS)
        self.context: PromptContext | None = None
        self.prompt: Prompt | None = None
        # The text so far of a reply that is gone on with; whether the model came to the longest length that was allowed.
        self.begun, self.is_cut = "", False
        self.tools: FactTools | None = None  # made where the model takes tools
        # Whether all was said: what is noted after that may be stopped, too. Whether facts may have been written for this turn,
        # besides by tools, and whether what the burst asks to note is noted, by this turn or before.
        self.is_whole = self.has_writes = self.is_noted = False
        # Earlier messages of the session, only for the offline voice: with them it does not repeat itself.
        self.before: list[Message] = []
        self.over: list[str] = []
        # The outcome if a bug ends the turn.
        self.set_outcome(Turn.Status.FAILED, "interrupted", "Something went wrong. Try again.", retryable=True)

    def set_outcome(self, status: str, code: str = "", detail: str = "", *, retryable: bool = False) -> None:
        self.status, self.code, self.detail, self.retryable = status, code, detail, retryable

    async def run(self) -> None:
        speaking = asyncio.create_task(self.generate())
        keeping = asyncio.create_task(self.keep_alive())
        stopping = asyncio.create_task(self.live.stop.wait())
        sharing = asyncio.create_task(self.share())
        try:
            await asyncio.wait((speaking, keeping, stopping), return_when=asyncio.FIRST_COMPLETED)
            if speaking.done():
                speaking.result()
            elif stopping.done():
                self.set_outcome(Turn.Status.DONE if self.is_whole else Turn.Status.STOPPED)
            else:
                keeping.result()
        finally:
            for task in (speaking, keeping, stopping, sharing):
                task.cancel()
            await asyncio.gather(speaking, keeping, stopping, sharing, return_exceptions=True)

    async def generate(self) -> None:
        """Load, assemble and stream. Every way in which a model can fail becomes an outcome."""
        try:
            prompt, llm = await self.prepare()
            await shortening.stream(
                prompt, partial(self.stream, llm=llm), has_said=lambda: self.live.text != self.begun
            )
            self.is_whole = True
            await self.note_after_reply(llm)
        except base_context.EmptyBurst as error:
            self.set_outcome(Turn.Status.FAILED, "conflict", str(error))
        except PromptTooLong as error:
            self.set_outcome(Turn.Status.FAILED, "too_long", str(error))
        except LLMError as error:
            self.set_outcome(Turn.Status.FAILED, error.code, str(error), retryable=True)
        else:
            self.set_outcome(Turn.Status.DONE)

    async def prepare(self) -> tuple[Prompt, LLM]:
        started = time.perf_counter()
        # What does not need the vector is loaded while it is made.
        loading = run_when_reachable(base_context.load, self.turn, timezone.now())
        (vector, is_without), base = await asyncio.gather(self.embed_burst(), loading)
        base, llm = await self.note(base, vector)
        self.context = context = await run_when_reachable(prompt_context.load, base, vector, is_offline=llm.offline)
        self.timings["recall_ms"] = get_elapsed_ms(started) - (self.timings["embed_ms"] or 0)
        started = time.perf_counter()
        prompt = context.assemble_prompt(has_tools=llm.takes_tools and not self.turn.continues)
        self.timings["prompt_ms"] = get_elapsed_ms(started)
        if not self.turn.session.off_record:
            self.build_trace = partial(context.build_trace, without_vector=is_without)
        if self.begun:
            self.live.text = self.begun
            hub.get_current().publish(self.turn.bond_id, self.live.build_token_frame())
        return prompt, llm

    async def note(self, base: BaseContext, vector: list[float] | None) -> tuple[BaseContext, LLM]:
        """Note what the burst asks for: by rules, else by the small model; a model with tools does that itself."""
        base, llm = await run_when_reachable(self.note_by_rules, base, vector)
        if not llm.takes_tools and backstop.is_asked(self.turn) and await self.write_by_backstop(llm):
            base = await run_when_reachable(base_context.load, self.turn, timezone.now())
            base, llm = await run_when_reachable(self.note_by_rules, base, vector)
        self.is_noted |= any(fact.is_new for fact in base.noted)
        self.has_writes |= self.is_noted
        return base, llm

    async def note_after_reply(self, llm: LLM) -> None:
        """Note what the burst asks for or the reply claims, where the model has noted nothing by its tools."""
        if self.tools is None or self.tools.has_written:
            return
        if backstop.is_asked(self.turn) or backstop.is_claimed(self.live.text):
            await self.write_by_backstop(llm)

    async def write_by_backstop(self, llm: LLM) -> bool:
        self.has_writes = True
        wrote = await backstop.write(turn=self.turn, llm=llm, origin=self.turn.build_origin(), reply=self.live.text)
        self.is_noted |= wrote
        return wrote

    def note_by_rules(self, base: BaseContext, vector: list[float] | None) -> tuple[BaseContext, LLM]:
        self.llm = self.llm or provider.get_llm(answering.build_options(self.turn.bond.persona))
        base = writes.note(base, vector, hears_wishes=not self.llm.takes_tools)
        if any(fact.is_new and fact.op == FactWrite.Op.FORGOTTEN for fact in base.noted):
            # It is in no prompt any more, nor in what the session has loaded; or it is back.
            self.turn.session.refresh_from_db(fields=["loaded_at"])
            left = base_context.load(self.turn, base.now)
            undone = [one for one in base.noted if one.is_undone]
            base = replace(left, noted=left.base_memory.writes + undone, unmet=base.unmet)
        self.begun = continuing.load_begun(self.turn)
        if self.llm.offline:
            self.before, self.over = said_before.load_messages(self.turn), said_before.list_over(self.turn)
        return base, self.llm

    async def embed_burst(self) -> tuple[list[float] | None, bool]:
        """Return the burst's vector, and whether it is missing: a reply does not wait for the model to load."""
        started = time.perf_counter()
        bond = self.turn.bond
        said = query_vectors.build_text(bond, base_context.join_burst(self.turn.burst))
        try:
            async with asyncio.timeout(EMBED_SECONDS):
                return await embedding.embed_question(said, person=bond.user_id), False
        except (TimeoutError, EmbeddingError) as error:
            logger.warning("a turn goes by words alone, since the embedding model was not ready: %s", error)
            return None, True
        finally:
            self.timings["embed_ms"] = get_elapsed_ms(started)

    async def stream(self, prompt: Prompt, llm: LLM) -> None:
        """Stream the reply. A model that takes tools may call some, which are executed, and go on."""
        self.prompt = prompt
        inputs = said_before.add_to(prompt.inputs, self.before, self.over)
        started = time.perf_counter()

        async def ask(messages: Sequence[ChatMessage], tools: Sequence[Tool] = ()) -> StepReply:
            stream = partial(llm.stream, messages, origin=self.turn.build_origin(), inputs=inputs, tools=tools)
            said = self.live.text.removeprefix(self.begun)
            return await self.receive_with_retry(
                lambda: continuing.go_on(stream(), begun=self.begun, said=said), started
            )

        if not llm.takes_tools or self.begun:
            await ask([*prompt.messages, *continuing.build_messages(self.begun)])
            return
        self.tools = FactTools(turn=self.turn, get_offset=lambda: len(self.live.text))
        await ToolLoop(messages=prompt.messages, toolbox=self.tools, ask=ask).run()

    async def receive_with_retry(self, stream: Callable[[], AsyncGenerator[Piece, None]], started: float) -> StepReply:
        """Receive an answer. A transient error before its first token is retried once."""
        length = len(self.live.text)
        try:
            return await self.receive_pieces(stream(), started)
        except LLMError as error:
            if len(self.live.text) > length or not error.transient:
                raise
            await asyncio.sleep(min(max(error.retry_after or 0, RETRY_SECONDS), RETRY_LONGEST_SECONDS))
            return await self.receive_pieces(stream(), started)

    async def receive_pieces(self, stream: AsyncGenerator[Piece, None], started: float) -> StepReply:
        """Show the text of an answer as it comes; return it with the tool calls."""
        begins_at, calls = len(self.live.text), list[ToolCall]()
        async with aclosing(stream) as pieces:
            async for piece in pieces:
                if isinstance(piece, Usage):
                    for name, count in asdict(piece).items():
                        self.measured[name] = self.measured.get(name, 0) + count
                elif isinstance(piece, ToolCall):
                    calls.append(piece)
                elif isinstance(piece, CutOff):
                    self.is_cut = True
                elif isinstance(piece, TakenBack):
                    await hub.get_current().take_back(self.live, length=begins_at)
                else:
                    if self.timings["first_token_ms"] is None:
                        self.timings["first_token_ms"] = get_elapsed_ms(started)
                    self.append_text(piece, begins_at=begins_at)
                    if len(self.live.text) >= REPLY_CHARACTERS:
                        raise BadAnswerError("The reply of the model was too long and was cut off.")
        if not self.live.text[len(self.begun) :].strip() and not calls:
            raise EmptyAnswerError(transient=False)
        return StepReply(self.live.text[begins_at:].strip(), calls)

    def append_text(self, delta: str, *, begins_at: int) -> None:
        """Show more of the answer that begins at this character; a blank line is between it and the answer before."""
        delta = strip_unstorable(delta)
        if begins_at != len(self.begun) and len(self.live.text) == begins_at:
            delta = begin_step(delta, after=self.live.text)
        if not delta:
            return
        offset = len(self.live.text)
        self.live.text += delta
        hub.get_current().publish(self.turn.bond_id, self.live.build_token_frame(offset))

    async def keep_alive(self) -> None:
        """Tell other processes of the reply, and save its text every second; returns when a stop was asked for. Raises LeaseLost."""
        while True:
            await hub.get_current().notify_processes(self.turn.bond_id)
            await asyncio.sleep(SAVE_SECONDS)
            try:
                if await run_in_database_thread(self._save):
                    self.live.stop.set()
            except (OperationalError, InterfaceError) as error:
                # The reply goes on; if the database is away for long, the lease is lost.
                logger.warning("the text of turn %s could not be saved yet: %s", self.turn.pk, error)

    def _save(self) -> bool:
        return claiming.keep_alive(turn=self.turn, text=self.live.text, now=timezone.now())

    async def share(self) -> None:
        """Send new text to processes that receive frames, at most ten times a second."""
        while settings.REDIS_URL:
            await asyncio.sleep(SHARE_SECONDS)
            await hub.get_current().share(self.live)

    def finish(self) -> None:
        """Write the end of the turn. Raises LeaseLost."""
        self.timings["total_ms"] = get_elapsed_ms(self.began)
        ending = Ending(
            status=self.status,
            text=self.live.text,
            error_code=self.code,
            error_detail=self.detail,
            error_retryable=self.retryable,
            offline=self.llm is not None and self.llm.offline,
            is_cut=self.is_cut,
        )
        if self.build_trace is not None and self.prompt is not None:
            trace = self.build_trace(self.prompt)
            trace.quotes = [*said_before.find_quotes(self.live.text, self.before), *trace.quotes]
            if self.tools is not None and self.tools.steps:
                trace.steps = self.tools.steps
            self.measured["trace"] = trace.as_json()
        is_noted = self.is_noted or (self.tools is not None and self.tools.has_written)
        is_done = self.status == Turn.Status.DONE
        is_unnoted = is_done and not is_noted and backstop.misses_note(self.turn, self.live.text)
        endings.finish(
            turn=self.turn,
            ending=endings.explain_silence(ending),
            now=timezone.now(),
            has_writes=self.has_writes or (self.tools is not None and self.tools.may_have_written),
            is_unnoted=is_unnoted,
            topic=self.context.topic_to_store if self.context is not None else None,
            timings=self.timings,
            **self.measured,
        )
        if self.context is not None and is_done:
            self.context.note_questions(session_id=self.turn.session_id, reply=ending.text, by_rules=ending.offline)
