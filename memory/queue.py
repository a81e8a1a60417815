from django.conf import settings
from django.db import transaction
from django_q.tasks import async_task


def enqueue(task: str, *arguments: int) -> None:
    """Queue a task, by dotted name and ids, together with the running transaction.

    The ORM broker writes the task as a row of the same transaction; the Redis broker would hand it out before commit.
    """
    if settings.REDIS_URL:
        transaction.on_commit(lambda: async_task(task, *arguments))
    else:
        async_task(task, *arguments)
