"""Signs of life of a worker's processes, by which `serve` finds one that hangs.

Each process touches a file of its own from a thread, so that a long task does not hide them: what they tell is that the process
is not stopped and lets its threads run. A task that never ends is ended by the queue's own time limit.
"""

import os
import shutil
import time
from contextlib import suppress
from pathlib import Path
from threading import Thread

import psutil

BEAT_SECONDS = 2


def get_folder(data_dir: Path) -> Path:
    return data_dir / "heartbeats"


def clear(beats: Path) -> None:
    """Forget the processes of an earlier worker."""
    shutil.rmtree(beats, ignore_errors=True)


def start_beating(beats: Path) -> None:
    """Have this process give signs of life until it ends."""
    Thread(target=_beat, args=[beats / str(os.getpid())], name="heartbeat", daemon=True).start()


def _beat(own: Path) -> None:
    while True:
        # On a full disk a new process may give none, and is not waited for.
        with suppress(OSError):
            own.parent.mkdir(mode=0o700, exist_ok=True)
            own.touch()
        time.sleep(BEAT_SECONDS)


class HeartbeatMonitor:
    """What a supervisor makes of them."""

    def __init__(self, beats: Path) -> None:
        self.beats = beats
        self.seen: dict[str, int] = {}

    def are_fresh(self) -> bool:
        """Whether every process that runs has given a sign of life since this was asked last, and one has at all."""
        before, self.seen = self.seen, dict(self._read_marks())
        return bool(self.seen) and all(before.get(name) != mark for name, mark in self.seen.items())

    def _read_marks(self) -> list[tuple[str, int]]:
        marks = []
        for path in self.beats.glob("*"):
            # Compared with one another alone, so that a clock that is set changes nothing.
            if _is_running(int(path.name)):
                marks.append((path.name, path.stat().st_mtime_ns))
            else:
                path.unlink(missing_ok=True)
        return marks


def _is_running(pid: int) -> bool:
    try:
        return bool(psutil.Process(pid).status() != psutil.STATUS_ZOMBIE)
    except psutil.NoSuchProcess:
        return False
