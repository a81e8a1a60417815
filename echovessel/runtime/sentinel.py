"""The process of `qcluster` that guards its workers, without three ways in which django-q2's own waits for ever."""

import logging
import time
from contextlib import suppress
from multiprocessing import Process, RLock, Value
from queue import Empty
from threading import Thread

from django_q import cluster, worker
from django_q.conf import Conf
from django_q.queues import Queue

_TICK_SECONDS = 0.1
# Longer than a worker ever holds its timer.
_HELD_SECONDS = 10.0
logger = logging.getLogger("echovessel.worker")


class TimerLock:
    """A lock that is lost with a process that is killed while it holds it: who waits too long goes on without."""

    def __init__(self, seconds: float = _HELD_SECONDS) -> None:
        self.lock, self.seconds = RLock(), seconds

    def acquire(self) -> bool:
        return self.lock.acquire(timeout=self.seconds)

    def release(self) -> None:
        # Raised where it was not got.
        with suppress(AssertionError):
            self.lock.release()

    def __enter__(self) -> bool:
        return self.acquire()

    def __exit__(self, *_: object) -> None:
        self.release()


class Sentinel(cluster.Sentinel):  # type: ignore[misc]  # django-q2 is untyped
    def spawn_cluster(self) -> None:
        self.broker.release_dead()
        super().spawn_cluster()

    def spawn_worker(self) -> None:
        timer = Value("f", -1, lock=TimerLock())  # type: ignore[call-overload]  # any that acquires and releases
        self.spawn_process(worker.worker, self.task_queue, self.result_queue, timer, self.timeout)

    def reincarnate(self, process: Process) -> None:
        children = [*self.pool, self.monitor, self.pusher]
        if process not in children:
            # It was replaced with all the others while the guard looked at one after the other.
            return
        if process.exitcode is None or process.exitcode >= 0:
            super().reincarnate(process)
            return
        # What waits at a queue holds its lock, which nobody frees when it is killed, as where memory is short: no task would ever
        # be taken again.
        logger.critical("A process of the worker was killed (signal %d); all of them start again", -process.exitcode)
        for child in children:
            child.kill()
            child.join()
        self.task_queue, self.result_queue = Queue(maxsize=Conf.QUEUE_LIMIT), Queue()
        self.spawn_cluster()

    def stop(self) -> None:
        Thread(target=self._empty_queue, name="empty-queue", daemon=True).start()
        super().stop()

    def _empty_queue(self) -> None:
        """Drop what no worker is left to take, as when each reached its limit meanwhile: the end waits for room in the queue.

        The tasks stay with the broker, which gives them out again.
        """
        while True:
            if not any(worker.is_alive() for worker in self.pool):
                # Closed once nothing more is put in.
                with suppress(Empty, ValueError, OSError):
                    self.task_queue.get(timeout=_TICK_SECONDS)
            time.sleep(_TICK_SECONDS)
