"""Child processes that end with their parent, even when it is killed."""

import ctypes
import os
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from functools import partial
from typing import IO

_PR_SET_PDEATHSIG = 1
_LIBC = ctypes.CDLL(None) if sys.platform == "linux" else None


def end_with_parent(number: int, parent: int) -> None:
    """Have the system send this process a signal when its parent ends. Only Linux can."""
    if _LIBC is None:
        return
    _LIBC.prctl(_PR_SET_PDEATHSIG, number)
    # It may have ended before the call.
    if os.getppid() != parent:
        os.kill(os.getpid(), number)


def spawn(
    command: Sequence[str],
    *,
    death_signal: signal.Signals,
    user: tuple[int, int] | None = None,
    env: Mapping[str, str] | None = None,
    output: IO[bytes] | None = None,
) -> subprocess.Popen[bytes]:
    """Start a child in a process group of its own. Call from the main thread: a child's death signal comes when the *thread* ends."""
    return subprocess.Popen(
        command,
        stdin=subprocess.DEVNULL,
        stdout=output,
        stderr=output,
        env=env,
        process_group=0,
        preexec_fn=partial(end_with_parent, death_signal, os.getpid()),  # noqa: PLW1509 - the only place after a change of user, which clears the death signal
        user=user[0] if user else None,
        group=user[1] if user else None,
        extra_groups=[] if user else None,
    )


def kill_group(process: subprocess.Popen[bytes]) -> None:
    """End what is left of a child's group: a worker killed -9 leaves its own children working."""
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        return


def finish(process: subprocess.Popen[bytes], *, seconds: float) -> None:
    """Wait for a child that was asked to end; then end what is left of its group."""
    try:
        process.wait(seconds)
    except subprocess.TimeoutExpired:
        kill_group(process)
        process.wait()
    kill_group(process)
