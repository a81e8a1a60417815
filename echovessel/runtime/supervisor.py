"""Starts, restarts and stops the parts of an install on one machine."""

import signal
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from types import FrameType
from typing import Protocol

from echovessel.postgres.server import EmbeddedPostgresError
from echovessel.processes import child_process

_FIRST_PAUSE_SECONDS = 0.5
_LONGEST_PAUSE_SECONDS = 30
# A part that ran this long has started well.
_SOUND_SECONDS = 60
_TICK_SECONDS = 0.2


class Part(Protocol):
    def start(self) -> None:
        """Raises EmbeddedPostgresError if it cannot start now."""

    def is_running(self) -> bool: ...

    def end(self) -> None:
        """Kill it, since it hangs."""

    def ask_to_stop(self) -> None:
        """Ask it to end, if it does not have to wait for other parts."""

    def stop(self) -> None:
        """Wait for its end, and kill it after a while."""


class PythonProcess:
    def __init__(self, arguments: Sequence[str], *, stop_seconds: float) -> None:
        self.command = [sys.executable, *arguments]
        self.stop_seconds = stop_seconds
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        if self.process is not None:
            child_process.kill_group(self.process)
        # Killed with us, so that nothing holds the port or a task when we restart.
        self.process = child_process.spawn(self.command, death_signal=signal.SIGKILL)

    def is_running(self) -> bool:
        return self.process is not None and self.process.poll() is None

    def end(self) -> None:
        if self.process is not None:
            child_process.kill_group(self.process)
            self.process.wait()

    def ask_to_stop(self) -> None:
        if self.process is not None and self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)

    def stop(self) -> None:
        if self.process is not None:
            child_process.finish(self.process, seconds=self.stop_seconds)


@dataclass(frozen=True)
class HealthCheckLimits:
    """How often a part is checked, and how many misses in a row mean that it hangs.

    Until its first answer it may take long to start and is checked every second, so that a part that hangs soon after its start
    has answered before. On a busy machine a start may take longer still: after each that was ended the next has twice the time.
    """

    every_seconds: float = 5
    misses: int = 3
    start_seconds: float = 60
    start_seconds_most: float = 960


class HealthCheck:
    """Checks a running part in a thread, so that a check may take long."""

    def __init__(self, answers: Callable[[], bool], patience: HealthCheckLimits) -> None:
        self.answers = answers
        self.patience = patience
        self._start_seconds = patience.start_seconds
        self._asker = ThreadPoolExecutor(max_workers=1, thread_name_prefix="watch")
        self.begin(0)

    def begin(self, now: float) -> None:
        """Reset after a start of the part."""
        self._asking: Future[bool] | None = None
        self._every_seconds = min(1, self.patience.every_seconds)
        self._ask_at = now + self._every_seconds
        self._count_from = now + self._start_seconds
        self._has_answered = False
        self._missed = 0

    def is_hanging(self, now: float) -> bool:
        if self._asking is None:
            if now >= self._ask_at:
                self._ask_at = now + self._every_seconds
                self._asking = self._asker.submit(self.answers)
            return False
        if not self._asking.done():
            return False
        has_answered, self._asking = self._asking.result(), None
        if has_answered:
            self._missed, self._count_from, self._has_answered = 0, now, True
            self._start_seconds = self.patience.start_seconds
            self._every_seconds = self.patience.every_seconds
        elif now >= self._count_from:
            self._missed += 1
        hangs = self._missed >= self.patience.misses
        if hangs and not self._has_answered:
            self._start_seconds = min(2 * self._start_seconds, self.patience.start_seconds_most)
        return hangs


@dataclass
class SupervisedPart:
    """A part that is restarted when it ends or hangs, after a pause that doubles each time."""

    name: str
    part: Part
    say: Callable[[str], None]
    watch: HealthCheck | None = None
    pause: float = _FIRST_PAUSE_SECONDS
    started_at: float = 0
    start_again_at: float | None = None
    end_count: int = 0

    def start(self, now: float) -> None:
        self.started_at = now
        self.part.start()
        if self.watch is not None:
            # Not `now`: the start may have taken long.
            self.watch.begin(time.monotonic())

    def check(self, now: float) -> None:
        if self.part.is_running():
            if self.watch is not None and self.watch.is_hanging(now):
                self.part.end()
                self._schedule_restart(f"The {self.name} did not answer and was ended", now)
            elif now - self.started_at > _SOUND_SECONDS:
                self.pause = _FIRST_PAUSE_SECONDS
        elif self.start_again_at is None:
            self._schedule_restart(f"The {self.name} ended", now)
        elif now >= self.start_again_at:
            self.start_again_at = None
            try:
                self.start(now)
            except EmbeddedPostgresError as error:
                self._schedule_restart(str(error), now)

    def _schedule_restart(self, reason: str, now: float) -> None:
        self.end_count += 1
        self.say(f"{reason}; starting it again in {self.pause:g} s")
        self.start_again_at = now + self.pause
        self.pause = min(self.pause * 2, _LONGEST_PAUSE_SECONDS)


@dataclass
class Supervisor:
    """Starts its parts in order and stops them in reverse order."""

    say: Callable[[str], None]
    kept: list[SupervisedPart] = field(default_factory=list)

    def start(self, name: str, part: Part, watch: HealthCheck | None = None) -> SupervisedPart:
        kept = SupervisedPart(name, part, self.say, watch)
        self.kept.append(kept)
        kept.start(time.monotonic())
        return kept

    def watch(self, also: Callable[[], None], *, until: Callable[[], bool]) -> None:
        """Keep the parts running until `until` or a signal."""
        while not until():
            for kept in self.kept:
                kept.check(time.monotonic())
            also()
            time.sleep(_TICK_SECONDS)

    def stop(self) -> None:
        for kept in reversed(self.kept):
            kept.part.ask_to_stop()
        for kept in reversed(self.kept):
            kept.part.stop()


def interrupt_on_signals() -> Callable[[], bool]:
    """Turn stop signals into one KeyboardInterrupt, also if a shell started us with signals ignored.

    Returns a function that says whether a signal came: Python drops an exception that is raised in a finalizer or a callback.
    """
    has_come = False
    stops = [signal.SIGINT, signal.SIGTERM]
    if signal.getsignal(signal.SIGHUP) != signal.SIG_IGN:
        stops.append(signal.SIGHUP)

    def interrupt(number: int, frame: FrameType | None) -> None:
        nonlocal has_come
        has_come = True
        for stop in stops:
            signal.signal(stop, signal.SIG_IGN)
        raise KeyboardInterrupt

    for stop in stops:
        signal.signal(stop, interrupt)
    return lambda: has_come
