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
    """Have the system signal this process when its parent ends. Linux only."""
    if _LIBC is None:
        return
    _LIBC.prctl(_PR_SET_PDEATHSIG, number)
    # The parent may have ended before the call.
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
    """Start a child in its own process group. Call from the main thread: the death signal is sent when the *thread* ends."""
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
    """Kill the rest of a child's group: children of a killed worker would keep working."""
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        return


def finish(process: subprocess.Popen[bytes], *, seconds: float) -> None:
    """Wait for a child that was asked to end, then kill the rest of its group."""
    try:
        process.wait(seconds)
    except subprocess.TimeoutExpired:
        kill_group(process)
        process.wait()
    kill_group(process)
