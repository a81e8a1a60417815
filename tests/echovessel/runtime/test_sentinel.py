"""`manage.py qcluster` goes on and ends by real processes; its tasks come byte by byte from a pipe, and wait until someone reads what they write."""

import fcntl
import os
import signal
import struct
import subprocess
import sys
import termios
from collections import deque
from contextlib import contextmanager
from multiprocessing import Process
from pathlib import Path

import psutil

from echovessel.runtime.sentinel import TimerLock

# So many readings of what processes wait for are alike where they have nothing to do.
STEADY = 200
QCLUSTER = """
import os, sys
from pathlib import Path

import django

django.setup()

from django.core.management import call_command
from django_q.brokers import Broker
from django_q.conf import Conf
from django_q.signing import SignedPackage

ORDERS = os.open(sys.argv[1], os.O_RDONLY)
TASK = {"id": "1", "name": "task", "func": "pathlib.Path.write_text", "args": (Path(sys.argv[2]), "done"), "kwargs": {}}


class Orders(Broker):
    def ping(self):
        return True

    def release_dead(self):
        pass

    def dequeue(self):
        os.read(ORDERS, 1)
        return [(None, SignedPackage.dumps(TASK))]

    def set_stat(self, key, value, timeout):
        pass


Conf.BROKER_CLASS, Conf.SCHEDULER, Conf.SAVE_LIMIT, Conf.MAX_RSS = "__main__.Orders", False, -1, int(sys.argv[3])
call_command("qcluster")
"""


class Worker:
    def __init__(self, folder: Path, process: "subprocess.Popen[bytes]", orders: int) -> None:
        self.folder, self.process, self.orders = folder, process, orders

    def order(self, count: int) -> None:
        os.write(self.orders, b"." * count)

    def wait_until_taken(self, *, left: int) -> None:
        while struct.unpack("i", fcntl.ioctl(self.orders, termios.FIONREAD, bytes(4))) != (left,):
            assert self.process.poll() is None

    def wait_for_task(self) -> None:
        assert (self.folder / "done").read_text()

    def wait_for_idle_workers(self) -> list[psutil.Process]:
        """Wait until one of the two waits at the queue, and the other for the first one's lock."""
        [sentinel] = psutil.Process(self.process.pid).children()
        workers: list[psutil.Process] = sentinel.children()[:2]
        readings: deque[tuple[str, ...]] = deque(maxlen=STEADY)
        # One alone may wait for a moment in the middle of its work.
        while len(readings) < STEADY or len({*readings}) > 1 or len({*readings[0]} - {"running"}) < len(workers):
            readings.append(tuple(map(read_system_call, workers)))
        return workers


def read_system_call(process: psutil.Process) -> str:
    return Path(f"/proc/{process.pid}/syscall").read_text().split()[0]


@contextmanager
def worker(folder: Path, *, most_memory: int):
    for name in ("orders", "done"):
        os.mkfifo(folder / name)
    # For both, so that neither end waits for the other.
    orders = os.open(folder / "orders", os.O_RDWR)
    command = [sys.executable, "-c", QCLUSTER, str(folder / "orders"), str(folder / "done"), str(most_memory)]
    with subprocess.Popen(command) as process:
        try:
            yield Worker(folder, process, orders)
        finally:
            family = [*psutil.Process(process.pid).children(recursive=True)] if process.poll() is None else []
            process.kill()
            for left in family:
                left.kill()
    os.close(orders)


def test_tasks_are_taken_after_idle_workers_were_killed(tmp_path):
    with worker(tmp_path, most_memory=10**9) as qcluster:
        qcluster.order(1)
        qcluster.wait_for_task()
        for process in qcluster.wait_for_idle_workers():
            process.kill()

        # Some may be on their way, and come again from a real broker.
        qcluster.order(10)
        qcluster.wait_for_task()


def test_it_ends_when_all_workers_reach_their_limit_meanwhile(tmp_path):
    with worker(tmp_path, most_memory=1) as qcluster:
        # Two run, two wait in the queue, one for room in it.
        qcluster.order(20)
        qcluster.wait_until_taken(left=15)
        qcluster.process.send_signal(signal.SIGTERM)

        done = os.open(tmp_path / "done", os.O_RDONLY)

        assert qcluster.process.wait(timeout=30) == 0
        os.close(done)


def test_a_timer_is_read_though_who_held_it_was_killed():
    lock = TimerLock(seconds=0.1)
    holder = Process(target=lock.acquire)
    holder.start()
    holder.join()

    with lock as is_held:
        assert not is_held

    free = TimerLock()
    with free as is_held:
        assert is_held
