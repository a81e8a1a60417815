import inspect
import logging
from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from functools import wraps
from typing import Any

from django.conf import settings
from django.db import transaction
from django.db.models import DateTimeField, ExpressionWrapper, F, Model, Q
from django.db.models.functions import Now
from django.utils.module_loading import import_string
from django_q.conf import Conf
from django_q.models import OrmQ, Schedule, Task
from django_q.tasks import async_task

from memory.models.expiry import SLACK, filter_too_far
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


def reschedule_after_clock_change(*, now: datetime) -> None:
    """After the clock was set back: what is on schedule or waits for a worker does not wait until it is as late again."""
    periods = {Schedule.HOURLY: timedelta(hours=1), Schedule.DAILY: timedelta(days=1)}
    ahead = Q(next_run__gt=ExpressionWrapper(now + SLACK + F("minutes") * timedelta(minutes=1), DateTimeField()))
    late = Q(schedule_type=Schedule.MINUTES) & ahead
    for kind, period in periods.items():
        late |= Q(schedule_type=kind) & filter_too_far("next_run", now=now, most=period)
    Schedule.objects.filter(late).update(next_run=now)
    OrmQ.objects.filter(filter_too_far("lock", now=now, most=timedelta(seconds=Conf.RETRY))).update(lock=now)


def ignore_erased_bond(task: Callable[[int], object]) -> Callable[[int], None]:
    """A task that ends quietly where it comes to lock its bond and finds it erased."""

    @wraps(task)
    def run(pk: int) -> None:
        try:
            task(pk)
        except Bond.DoesNotExist:
            logger.info("%s %s ended early, since its bond was erased", task.__name__, pk)

    return run


# Kinds of rows, each with the way from it to its bond.
BondPaths = Mapping[type[Model], str]
# Whether a task is about something, by the name of its argument, like `session_id`, and the argument.
TaskFilter = Callable[[str, int], bool]


def delete_waiting_tasks(is_about: TaskFilter) -> None:
    waiting = [entry.pk for entry in OrmQ.objects.all() if is_about(*read_argument(entry.task))]
    OrmQ.objects.filter(pk__in=waiting).delete()


def delete_finished_tasks(is_about: TaskFilter) -> None:
    """Delete what is kept of tasks that ran: the traceback of one that failed may hold a row's text."""
    ran = [task.pk for task in Task.objects.only("func", "args") if is_about(*read_argument(vars(task)))]
    Task.objects.filter(pk__in=ran).delete()


def read_argument(task: Mapping[str, Any]) -> tuple[str, int]:
    """The first argument of a task, after its name: that says what it is the id of. ("", 0) where it has none or is not known."""
    arguments = task.get("args") or ()
    try:
        parameters = inspect.signature(import_string(task.get("func") or "")).parameters
    except ImportError:
        # Of an older version; or it cannot be read, under another SECRET_KEY.
        return "", 0
    return (next(iter(parameters), ""), arguments[0]) if arguments else ("", 0)


def belongs_to_bond(bond: Bond, name: str, pk: int, *, below: BondPaths) -> bool:
    """Whether an argument of this name is the id of the bond, or of one of these kinds of rows below it."""
    if name == "bond_id":
        return bool(pk == bond.pk)
    for model, way in below.items():
        if name == f"{model._meta.model_name}_id":
            return model._base_manager.filter(pk=pk, **{way: bond.pk}).exists()
    return False
