"""Heartbeats of a worker's processes, by which `serve` detects one that hangs.

Each process touches its own file from a thread, so that a long task does not stop it: a heartbeat says that the process
is not stopped and its threads run. The queue's own time limit ends an endless task.
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
    """Delete the files of an earlier worker."""
    shutil.rmtree(beats, ignore_errors=True)


def start_beating(beats: Path) -> None:
    Thread(target=_beat, args=[beats / str(os.getpid())], name="heartbeat", daemon=True).start()


def _beat(own: Path) -> None:
    while True:
        # On a full disk a new process may have no file; the monitor does not wait for it.
        with suppress(OSError):
            own.parent.mkdir(mode=0o700, exist_ok=True)
            own.touch()
        time.sleep(BEAT_SECONDS)


class HeartbeatMonitor:
    def __init__(self, beats: Path) -> None:
        self.beats = beats
        self.seen: dict[str, int] = {}

    def are_fresh(self) -> bool:
        """Whether every running process has beaten since the last call, and at least one has."""
        before, self.seen = self.seen, dict(self._read_marks())
        return bool(self.seen) and all(before.get(name) != mark for name, mark in self.seen.items())

    def _read_marks(self) -> list[tuple[str, int]]:
        marks = []
        for path in self.beats.glob("*"):
            # Times of files are compared only with each other, so that a changed clock does not matter.
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
