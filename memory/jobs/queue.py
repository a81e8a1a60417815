import inspect
import logging
from collections.abc import Callable, Iterable, Mapping
from datetime import datetime, timedelta
from functools import wraps
from typing import Any

from django.conf import settings
from django.core.exceptions import ObjectDoesNotExist
from django.db import transaction
from django.db.models import DateTimeField, ExpressionWrapper, F, Model, Q
from django.db.models.functions import Now
from django.utils import timezone
from django.utils.module_loading import import_string
from django_q.conf import Conf
from django_q.models import OrmQ, Schedule, Task
from django_q.tasks import async_task

from memory.models.leased import SLACK, filter_too_far
from personas.models import Bond

logger = logging.getLogger("echovessel.tasks")


def enqueue(task: str, *arguments: int) -> None:
    """Queue a task, by dotted name and ids, together with the running transaction.

    The ORM broker writes the task as a row of the same transaction; the Redis broker would deliver it before commit.
    """
    if settings.REDIS_URL:
        # What is stored stands where Redis is away; the scanner queues again what is due.
        transaction.on_commit(lambda: async_task(task, *arguments), robust=True)
    else:
        async_task(task, *arguments)


def enqueue_missing(task: str, ids: Iterable[int]) -> None:
    """Queue a task for each of these ids that none waits for, as the scanner does every minute. Redis does not tell what waits."""
    waiting = [entry.task for entry in OrmQ.objects.filter(lock__lte=timezone.now())]
    queued = {entry["args"] for entry in waiting if entry.get("func") == task}
    for pk in ids:
        if (pk,) not in queued:
            enqueue(task, pk)


def enqueue_once(task: str) -> None:
    """Queue a task within half a minute, once, however often this is called until then."""
    if not Schedule.objects.filter(func=task, schedule_type=Schedule.ONCE).exists():
        Schedule.objects.create(name=task, func=task, schedule_type=Schedule.ONCE, next_run=Now())


def reschedule_after_clock_change(*, now: datetime) -> None:
    """Reschedule tasks after the clock was set back: they do not wait until the old time comes again."""
    periods = {Schedule.HOURLY: timedelta(hours=1), Schedule.DAILY: timedelta(days=1)}
    ahead = Q(next_run__gt=ExpressionWrapper(now + SLACK + F("minutes") * timedelta(minutes=1), DateTimeField()))
    late = Q(schedule_type=Schedule.MINUTES) & ahead
    for kind, period in periods.items():
        late |= Q(schedule_type=kind) & filter_too_far("next_run", now=now, most=period)
    Schedule.objects.filter(late).update(next_run=now)
    OrmQ.objects.filter(filter_too_far("lock", now=now, most=timedelta(seconds=Conf.RETRY))).update(lock=now)


def ignore_erased_bond(task: Callable[[int], object]) -> Callable[[int], None]:
    """Decorate a task so that it ends quietly where its bond, or the row that it is about, is erased."""

    @wraps(task)
    def run(pk: int) -> None:
        try:
            task(pk)
        except ObjectDoesNotExist as error:
            logger.info("%s %s ended early, since this was erased: %s", task.__name__, pk, error)

    return run


# The lookup from each kind of row to its bond.
BondPaths = Mapping[type[Model], str]
# Matches a task by its argument's name, like `session_id`, and value.
TaskFilter = Callable[[str, int], bool]


def delete_waiting_tasks(is_about: TaskFilter) -> None:
    waiting = [entry.pk for entry in OrmQ.objects.all() if is_about(*read_argument(entry.task))]
    OrmQ.objects.filter(pk__in=waiting).delete()


def delete_finished_tasks(is_about: TaskFilter) -> None:
    """Delete records of finished tasks: the traceback of a failed one may hold a row's text."""
    ran = [task.pk for task in Task.objects.only("func", "args") if is_about(*read_argument(vars(task)))]
    Task.objects.filter(pk__in=ran).delete()


def read_argument(task: Mapping[str, Any]) -> tuple[str, int]:
    """Return the name and value of a task's first argument; ("", 0) without a known one."""
    arguments = task.get("args") or ()
    try:
        parameters = inspect.signature(import_string(task.get("func") or "")).parameters
    except ImportError:
        # A task of an older version, or signed by another SECRET_KEY.
        return "", 0
    return (next(iter(parameters), ""), arguments[0]) if arguments else ("", 0)


def belongs_to_bond(bond: Bond, name: str, pk: int, *, below: BondPaths) -> bool:
    """Whether an argument of this name is the id of the bond or of a row below it."""
    if name == "bond_id":
        return bool(pk == bond.pk)
    for model, way in below.items():
        if name == f"{model._meta.model_name}_id":
            return model._base_manager.filter(pk=pk, **{way: bond.pk}).exists()
    return False
