"""Runs the rules in child processes, so that a call that takes too long can be ended.

A thread cannot be ended, and a pattern that backs up lets no other thread run. They are started when they are needed, kept for
the next call, and end with this process, at the end of their input. `docs/adr/0019` says what else was weighed.
"""

import asyncio
import atexit
import json
import math
import os
import pickle
import subprocess
import sys
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from functools import cache
from pathlib import Path
from threading import Lock
from typing import IO, cast

from echovessel.llm.errors import ModelTimeoutError, ModelUnavailableError
from echovessel.llm.inputs import Inputs, ReplyInputs

# How many replies, and how many other answers, are made in parallel. Each process takes 16 MB.
MOST = 4
_COMMAND = [sys.executable, "-m", "echovessel.llm.offline.rules"]
_CODE = Path(__file__).parents[3]
_TOO_LONG = "The rules that answer without a model server took too long."
_BROKE_OFF = "The rules that answer without a model server stopped in the middle of their answer."


def ask(inputs: Inputs, *, seconds: float) -> str:
    """Return the rules' answer. Raises LLMError."""
    call = _Call(inputs, seconds=seconds)
    try:
        return call.answer.result(seconds)
    except TimeoutError as error:
        raise ModelTimeoutError(_TOO_LONG, transient=False) from error
    finally:
        call.end()


async def ask_from_loop(inputs: Inputs, *, seconds: float) -> str:
    """Return the rules' answer without blocking the event loop; a cancelled call ends its work. Raises LLMError."""
    call = _Call(inputs, seconds=seconds)
    try:
        async with asyncio.timeout(seconds):
            return await asyncio.wrap_future(call.answer)
    except TimeoutError as error:
        raise ModelTimeoutError(_TOO_LONG, transient=False) from error
    finally:
        call.end()


def close() -> None:
    """End all work, so that no thread of this process waits for it."""
    for call in [*_under_way]:
        call.end()


class _Process:
    def __init__(self) -> None:
        self.running = subprocess.Popen(_COMMAND, stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=_CODE)
        self.calls = cast(IO[bytes], self.running.stdin)
        self.answers = cast(IO[bytes], self.running.stdout)
        self.is_used = False

    def ask(self, call: bytes) -> str:
        """Raises ModelUnavailableError where the process ended, or was ended, before it had an answer."""
        with suppress(BrokenPipeError):
            self.calls.write(call)
            self.calls.flush()
        line = self.answers.readline()
        if not line:
            raise ModelUnavailableError(_BROKE_OFF, transient=False)
        self.is_used = True
        return str(json.loads(line))

    def is_sound(self) -> bool:
        return self.running.poll() is None

    def end(self) -> None:
        self.running.kill()

    def bury(self) -> None:
        self.running.kill()
        self.running.wait()
        self.answers.close()
        with suppress(BrokenPipeError):
            self.calls.close()


class _Pool:
    def __init__(self) -> None:
        self.threads = ThreadPoolExecutor(MOST, thread_name_prefix="rules")
        self.idle: list[_Process] = []
        atexit.register(self.bury_idle)

    def take(self) -> _Process:
        while self.idle:
            process = self.idle.pop()
            if process.is_sound():
                return process
            process.bury()
        return _Process()

    def bury_idle(self) -> None:
        while self.idle:
            self.idle.pop().bury()


@cache
def _get_pool(*, of_replies: bool) -> _Pool:
    return _Pool()


# A forked process has the pipes, but none of the threads.
os.register_at_fork(after_in_child=_get_pool.cache_clear)
_under_way: set["_Call"] = set()


class _Call:
    """One call under way; `answer` is the future of its text."""

    def __init__(self, inputs: Inputs, *, seconds: float) -> None:
        self.asked = pickle.dumps((inputs, math.ceil(seconds) + 1))
        self.process: _Process | None = None
        self.is_over = False
        self.lock = Lock()
        pool = _get_pool(of_replies=isinstance(inputs, ReplyInputs))
        self.answer: Future[str] = pool.threads.submit(self._make, pool)
        _under_way.add(self)

    def _make(self, pool: _Pool) -> str:
        if self.is_over:
            raise ModelUnavailableError(_BROKE_OFF, transient=False)
        process = pool.take()
        self._works_in(process)
        try:
            answer = process.ask(self.asked)
        except ModelUnavailableError:
            self._works_in(None)
            process.bury()
            # One that was kept may have ended since its last answer; the next may have too, a new one has not.
            if process.is_used:
                return self._make(pool)
            raise
        self._works_in(None)
        pool.idle.append(process)
        return answer

    def _works_in(self, process: _Process | None) -> None:
        with self.lock:
            self.process = process
            if process is not None and self.is_over:
                process.end()

    def end(self) -> None:
        """End the work, unless it is done: nobody waits for it any more."""
        _under_way.discard(self)
        with self.lock:
            self.is_over = True
            if self.process is not None:
                self.process.end()
