"""Identify the process that holds a lease, so that another one on the same machine can see that it is dead."""

import socket
from functools import cache
from pathlib import Path

import psutil


def identify_process(pid: int | None = None) -> str:
    """Return the host with its pid namespace, the process id, by default our own, and when it started."""
    process = psutil.Process(pid)
    # Since the machine booted: by the clock it changes with the clock, and all that live would look dead.
    return f"{_identify_host()} {process.pid} {process.create_time() - psutil.boot_time():.2f}"


def is_dead(holder: str) -> bool:
    """Whether a process of this host is gone; processes of other hosts count as alive."""
    place, _, process = holder.partition(" ")
    if place != _identify_host():
        return False
    pid = int(process.partition(" ")[0])
    try:
        # A killed process stays as a zombie where nobody reaps it, as in many containers.
        return psutil.Process(pid).status() == psutil.STATUS_ZOMBIE or identify_process(pid) != holder
    except psutil.NoSuchProcess:
        return True


@cache
def _identify_host() -> str:
    namespace = Path("/proc/self/ns/pid")
    inside = namespace.readlink().name if namespace.is_symlink() else ""
    return f"{socket.gethostname()}/{inside}".replace(" ", "_")
