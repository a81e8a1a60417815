"""The task queue: first in, first out, but for short tasks, whose work a person soon sees.

A close with a model takes a minute, and after an evening a hundred of them wait. What the last message means, and the title of a chat,
do not wait behind all of them.
"""

import time
from datetime import timedelta
from typing import Any

from django.utils import timezone
from django_q.brokers.orm import ORM
from django_q.brokers.redis_broker import Redis
from django_q.conf import Conf
from django_q.signing import SignedPackage

from memory.jobs import workers

SHORT_TASKS = frozenset({"memory.tasks.embed_messages", "memory.tasks.title"})
# A short task waits behind nothing that was queued less than this before it.
HEAD_START = timedelta(hours=1)
# A task of a killed worker may have been why: the next worker does not take it at once.
RELEASE_AFTER = timedelta(seconds=30)


def is_short(payload: str) -> bool:
    return SignedPackage.loads(payload)["func"] in SHORT_TASKS


class DatabaseBroker(ORM):  # type: ignore[misc]  # django-q2 is untyped
    """The one of django-q2 takes whichever row PostgreSQL finds first. New rows take the place of deleted ones at the beginning of
    the table, so that under load new tasks are run and old ones wait until the queue is empty.
    """

    # The guard of the processes that share what they take: a row's key while it is taken.
    holder = ""

    def enqueue(self, task: str) -> int:
        lock = timezone.now() - (HEAD_START if is_short(task) else timedelta())
        pk: int = self.get_connection().create(key=self.list_key, payload=task, lock=lock).pk
        return pk

    def dequeue(self) -> list[tuple[int, str]] | None:
        now = timezone.now()
        row = self.get_connection().filter(lock__lt=now).order_by("lock", "id").first()
        if row is None:
            time.sleep(Conf.POLL)
            return None
        columns = {"key": self.holder or self.list_key, "lock": now + timedelta(seconds=Conf.RETRY)}
        # Another cluster may have been faster.
        is_ours = self.get_connection().filter(pk=row.pk, lock=row.lock).update(**columns)
        return [(row.pk, row.payload)] if is_ours else None

    def release_dead(self) -> None:
        """Give back what dead workers had taken, and what our own had, of which none is alive now. Otherwise it waits for 16 minutes."""
        # The column's length; without its beginning a host counts as another, and as alive.
        self.holder = workers.identify_process()[-100:]
        for pk, holder in self.get_connection().exclude(key=self.list_key).values_list("pk", "key"):
            if holder == self.holder or workers.is_dead(holder):
                taken = self.get_connection().filter(pk=pk, key=holder)
                taken.update(key=self.list_key, lock=timezone.now() + RELEASE_AFTER)


class RedisBroker(Redis):  # type: ignore[misc]  # django-q2 is untyped
    """Short tasks have a list of their own, which is emptied first."""

    @property
    def short_key(self) -> str:
        return f"{self.list_key}:short"

    def enqueue(self, task: str) -> Any:
        return self.connection.rpush(self.short_key if is_short(task) else self.list_key, task)

    def dequeue(self) -> list[tuple[None, bytes]] | None:
        found = self.connection.blpop([self.short_key, self.list_key], 1)
        return [(None, found[1])] if found else None

    def queue_size(self) -> int:
        waiting: int = self.connection.llen(self.short_key) + self.connection.llen(self.list_key)
        return waiting

    def release_dead(self) -> None:
        """What is taken is gone from its lists: the scanner queues again what is due."""
