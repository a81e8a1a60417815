"""Which process holds a lease, told so exactly that another one on the same machine can see that it is dead."""

import os
import socket
from functools import cache
from pathlib import Path

import psutil


def identify_process() -> str:
    """This process: where process ids mean the same (host and pid namespace), its id, and when it began."""
    return f"{_identify_host()} {os.getpid()} {psutil.Process().create_time():.2f}"


def is_dead(holder: str) -> bool:
    """Whether a process of this place is gone; of another place's nothing is known, so it is not."""
    place, _, process = holder.partition(" ")
    if place != _identify_host():
        return False
    pid, _, began = process.partition(" ")
    try:
        process_now = psutil.Process(int(pid))
        # One that was killed may stay in the table of processes where nobody asks how it ended, as in many containers.
        is_left_over = process_now.status() == psutil.STATUS_ZOMBIE
        return is_left_over or f"{process_now.create_time():.2f}" != began
    except psutil.NoSuchProcess:
        return True


@cache
def _identify_host() -> str:
    namespace = Path("/proc/self/ns/pid")
    inside = namespace.readlink().name if namespace.is_symlink() else ""
    return f"{socket.gethostname()}/{inside}".replace(" ", "_")
