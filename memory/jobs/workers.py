"""Identify the process that holds a lease, so that another one on the same machine can see that it is dead."""

import os
import socket
from functools import cache
from pathlib import Path

import psutil


def identify_process() -> str:
    """Return the host with its pid namespace, the process id, and its start time."""
    return f"{_identify_host()} {os.getpid()} {psutil.Process().create_time():.2f}"


def is_dead(holder: str) -> bool:
    """Whether a process of this host is gone; processes of other hosts count as alive."""
    place, _, process = holder.partition(" ")
    if place != _identify_host():
        return False
    pid, _, began = process.partition(" ")
    try:
        process_now = psutil.Process(int(pid))
        # A killed process stays as a zombie where nobody reaps it, as in many containers.
        is_left_over = process_now.status() == psutil.STATUS_ZOMBIE
        return is_left_over or f"{process_now.create_time():.2f}" != began
    except psutil.NoSuchProcess:
        return True


@cache
def _identify_host() -> str:
    namespace = Path("/proc/self/ns/pid")
    inside = namespace.readlink().name if namespace.is_symlink() else ""
    return f"{socket.gethostname()}/{inside}".replace(" ", "_")
