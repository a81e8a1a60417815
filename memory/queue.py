import logging
from collections.abc import Callable
from functools import wraps

from django.conf import settings
from django.db import transaction
from django.db.models.functions import Now
from django_q.models import Schedule
from django_q.tasks import async_task

from personas.models import Bond

logger = logging.getLogger("echovessel.tasks")


def enqueue(task: str, *arguments: int) -> None:
    """Queue a task, by dotted name and ids, together with the running transaction.

    The ORM broker writes the task as a row of the same transaction; the Redis broker would hand it out before commit.
    """
    if settings.REDIS_URL:
        transaction.on_commit(lambda: async_task(task, *arguments))
    else:
        async_task(task, *arguments)


def enqueue_once(task: str) -> None:
    """Have a task queued at the next look at the schedules, within half a minute, however often it is asked for until then."""
    if not Schedule.objects.filter(func=task, schedule_type=Schedule.ONCE).exists():
        Schedule.objects.create(name=task, func=task, schedule_type=Schedule.ONCE, next_run=Now())


def unless_erased(task: Callable[[int], object]) -> Callable[[int], None]:
    """A task that ends quietly where it comes to lock its bond and finds it erased."""

    @wraps(task)
    def run(pk: int) -> None:
        try:
            task(pk)
        except Bond.DoesNotExist:
            logger.info("%s %s ended early, since its bond was erased", task.__name__, pk)

    return run
