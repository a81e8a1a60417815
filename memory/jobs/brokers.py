"""The task queue: first in, first out, but for short tasks, whose work a person soon sees.

A close with a model takes a minute, and after an evening a hundred of them wait. What the last message means, and the title of a chat,
do not wait behind all of them.
"""

from datetime import timedelta
from typing import Any

from django.utils import timezone
from django_q.brokers.orm import ORM
from django_q.brokers.redis_broker import Redis
from django_q.signing import SignedPackage

SHORT_TASKS = frozenset({"memory.tasks.embed_messages", "memory.tasks.title"})
# A short task waits behind nothing that was queued less than this before it.
HEAD_START = timedelta(hours=1)


def is_short(payload: str) -> bool:
    return SignedPackage.loads(payload)["func"] in SHORT_TASKS


class DatabaseBroker(ORM):  # type: ignore[misc]  # django-q2 is untyped
    """The one of django-q2 takes whichever row PostgreSQL finds first. New rows take the place of deleted ones at the beginning of
    the table, so that under load new tasks are run and old ones wait until the queue is empty.
    """

    @staticmethod
    def get_connection(list_key: str | None = None) -> Any:
        return ORM.get_connection(list_key).order_by("lock", "id")

    def enqueue(self, task: str) -> int:
        lock = timezone.now() - (HEAD_START if is_short(task) else timedelta())
        pk: int = self.get_connection().create(key=self.list_key, payload=task, lock=lock).pk
        return pk


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
