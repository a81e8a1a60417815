"""Which process holds a lease, told so exactly that another one on the same machine can see that it is dead."""

import os
import socket
from functools import cache
from pathlib import Path

import psutil


def me() -> str:
    """This process: where process ids mean the same (host and pid namespace), its id, and when it began."""
    return f"{_place()} {os.getpid()} {psutil.Process().create_time():.2f}"


def is_dead(holder: str) -> bool:
    """Whether a process of this place is gone; of another place's nothing is known, so it is not."""
    place, _, process = holder.partition(" ")
    if place != _place():
        return False
    pid, _, began = process.partition(" ")
    try:
        return f"{psutil.Process(int(pid)).create_time():.2f}" != began
    except psutil.NoSuchProcess:
        return True


@cache
def _place() -> str:
    namespace = Path("/proc/self/ns/pid")
    inside = namespace.readlink().name if namespace.is_symlink() else ""
    return f"{socket.gethostname()}/{inside}".replace(" ", "_")
