"""Run the turns of this process: wait until a burst is complete, claim it, stream the reply, and always release it.

A turn is a task of the process, not of a socket: closing a tab changes nothing. However a turn ends, its text is kept
and its bond is free again. If the process dies, another one finds the expired lease.
"""

import asyncio
import logging
from collections.abc import Collection, Coroutine
from contextlib import suppress
from contextvars import Context
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import DatabaseError, InterfaceError, OperationalError
from django.utils import timezone
from redis.exceptions import RedisError

from chat.broadcast import frames, hub
from chat.broadcast.hub import LiveTurn
from chat.models import Turn
from chat.turns import claiming, endings
from chat.turns.claiming import LeaseLost
from chat.turns.reply import Reply
from echovessel.llm.protocol import LLM
from echovessel.postgres.threads import run_in_database_thread, run_when_reachable
from memory.jobs import queue

SWEEP_SECONDS = 5.0
logger = logging.getLogger("echovessel.turns")


class Runner:
    def __init__(self) -> None:
        self.loop = asyncio.get_running_loop()
        self._serving: dict[int, asyncio.Task[None]] = {}
        self._news: dict[int, asyncio.Event] = {}
        self._sweeping = asyncio.create_task(self._sweep(), context=Context())

    def wake(self, bond_id: int) -> None:
        """Look for a pending turn of the bond, or look again if it is served already."""
        if bond_id in self._serving:
            self._news[bond_id].set()
            return
        self._news[bond_id] = asyncio.Event()
        task = asyncio.create_task(self.serve(bond_id), context=Context())
        self._serving[bond_id] = task
        task.add_done_callback(lambda done: self._handle_served(bond_id, done))

    def _handle_served(self, bond_id: int, task: asyncio.Task[None]) -> None:
        del self._serving[bond_id]
        is_missed = self._news.pop(bond_id).is_set()
        if task.cancelled():
            return
        error = task.exception()
        if isinstance(error, (OperationalError, InterfaceError)):
            logger.warning("the turns of bond %s wait until the database is back: %s", bond_id, error)
        elif error is not None:
            logger.error("a turn of bond %s ended with a bug", bond_id, exc_info=error)
        if is_missed:
            self.wake(bond_id)

    async def serve(self, bond_id: int) -> None:
        """Run the bond's turns one after another until none is pending."""
        news = self._news[bond_id]
        while True:
            news.clear()
            looked_at = timezone.now()
            if turn := await run_in_database_thread(claim, bond_id):
                await run(turn)
                continue
            due_at = await run_in_database_thread(claiming.get_next_due, bond_id, looked_at)
            if due_at is None:
                # No turn is pending, or another process runs one and will continue with the next.
                return
            with suppress(TimeoutError):
                async with asyncio.timeout((due_at - timezone.now()).total_seconds()):
                    await news.wait()

    async def _sweep(self) -> None:
        while True:
            # Gathered: whatever one sweep fails with, the next one comes.
            [error] = await asyncio.gather(self._wake_waiting_bonds(), return_exceptions=True)
            if isinstance(error, (DatabaseError, InterfaceError, RedisError)):
                logger.warning("the sweep could not reach the database or the queue: %s", error)
            elif error is not None:
                logger.error("a sweep ended with a bug", exc_info=error)
            await asyncio.sleep(SWEEP_SECONDS)

    async def _wake_waiting_bonds(self) -> None:
        running_here = [live.turn_id for live in hub.get_current().live.values()]
        for bond_id in await run_in_database_thread(sweep, timezone.now(), running_here):
            self.wake(bond_id)

    async def close(self) -> None:
        tasks = [self._sweeping, *self._serving.values()]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


def claim(bond_id: int) -> Turn | None:
    return claiming.claim(bond_id=bond_id, now=timezone.now())


def sweep(now: datetime, running_here: Collection[UUID]) -> set[int]:
    """End turns of dead processes. Returns the bonds that have a turn to run."""
    queue.reschedule_after_clock_change(now=now)
    return {*endings.interrupt_dead(now=now, but=running_here), *claiming.list_overdue(now=now)}


async def run(turn: Turn, *, llm: LLM | None = None) -> None:
    """Run a claimed turn to its end: load, assemble, stream, store, announce, release."""
    here = hub.get_current()
    reply = Reply(turn=turn, live=LiveTurn(bond_id=turn.bond_id, turn_id=turn.pk), llm=llm)
    here.live[turn.bond_id] = reply.live
    try:
        async with here.join(turn.bond_id):
            # The wake-up of the message that is answered may be late; its frame comes before this one.
            here.publish(turn.bond_id, None)
            here.publish(turn.bond_id, build_typing_frame(turn))
            await reply.run()
    except LeaseLost:
        logger.warning("turn %s was taken for dead while it ran", turn.pk)
    except asyncio.CancelledError:
        reply.set_outcome(
            Turn.Status.INTERRUPTED, "interrupted", "The reply was interrupted. Try again.", retryable=True
        )
        raise
    finally:
        try:
            await await_despite_cancel(finish(reply))
        finally:
            del here.live[turn.bond_id]
            here.publish(turn.bond_id, None)


def build_typing_frame(turn: Turn) -> dict[str, Any]:
    return frames.build_transient_frame(
        bond_id=turn.bond_id, type="chat.message.typing", now=timezone.now(), turn=str(turn.pk)
    )


async def await_despite_cancel(work: Coroutine[Any, Any, None]) -> None:
    """Await this even if the task is cancelled meanwhile."""
    task = asyncio.ensure_future(work)
    try:
        await asyncio.shield(task)
    except asyncio.CancelledError:
        await task
        raise


async def finish(reply: Reply) -> None:
    """Write the end of a turn, unless another process did."""
    with suppress(LeaseLost):
        await run_when_reachable(reply.finish)


_runner: Runner | None = None


async def start() -> None:
    global _runner  # noqa: PLW0603 - one runner a process, like its event loop
    _runner = Runner()


async def stop() -> None:
    """End the turns of this process and keep their text."""
    global _runner
    runner, _runner = _runner, None
    if runner is not None:
        await runner.close()
    await hub.get_current().close()


def notify(bond_id: int) -> None:
    """Announce, from any thread, that a bond has a pending turn. Without a runner here, another process takes it."""
    if _runner is not None:
        hub.call_from_thread(_runner.loop, _runner.wake, bond_id)


def notify_stop(bond_id: int) -> None:
    """Stop the bond's turn at once if it runs here. Another process notices the request within a second."""
    if _runner is not None:
        hub.call_from_thread(_runner.loop, _stop_here, bond_id)


def _stop_here(bond_id: int) -> None:
    if live := hub.get_current().live.get(bond_id):
        live.stop.set()
