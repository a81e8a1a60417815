"""What else tells of a row: the queue, the admin's log, and files. All of it goes when the row is erased."""

import inspect
from collections.abc import Iterable, Mapping
from functools import partial
from typing import Any

from django.apps import apps
from django.contrib.admin.models import LogEntry
from django.contrib.contenttypes.models import ContentType
from django.db import models, transaction
from django.utils.module_loading import import_string
from django_q.models import OrmQ, Task

from personas.models import Bond

Ways = Mapping[type[models.Model], str]


def drop_queued(bond: Bond, *, below: Ways) -> None:
    """Take tasks that were queued for a bond, and what is kept of those that ran."""
    OrmQ.objects.filter(pk__in=[entry.pk for entry in OrmQ.objects.all() if is_for(bond, entry.task, below)]).delete()
    ran = Task.objects.only("func", "args")
    Task.objects.filter(pk__in=[task.pk for task in ran if is_for(bond, vars(task), below)]).delete()


def is_for(bond: Bond, task: Mapping[str, Any], below: Ways) -> bool:
    """Whether a task is about the bond or a row below it: its first argument is named for what it is the id of."""
    arguments = task.get("args") or ()
    if not arguments:
        return False
    named = next(iter(inspect.signature(import_string(task["func"])).parameters), "")
    if named == "bond_id":
        return bool(arguments[0] == bond.pk)
    for model, way in below.items():
        if named == f"{model._meta.model_name}_id":
            return model._base_manager.filter(pk=arguments[0], **{way: bond.pk}).exists()
    return False


def drop_admin_log(model: type[models.Model], rows: "models.QuerySet[Any] | Iterable[int]") -> None:
    """Take what the admin's log says of these rows; the log is small, the rows may be many."""
    kinds = [kind for kind in apps.get_models() if issubclass(kind, model)]
    types = ContentType.objects.get_for_models(*kinds, for_concrete_models=False).values()
    logged = LogEntry.objects.filter(content_type__in=types)
    ids = set(logged.values_list("object_id", flat=True))
    if not ids:
        return
    known = rows.filter(pk__in=ids).values_list("pk", flat=True) if isinstance(rows, models.QuerySet) else rows
    logged.filter(object_id__in=[str(pk) for pk in known]).delete()


def drop_files(model: type[models.Model], rows: "models.QuerySet[Any]") -> None:
    """Delete the files of these rows once the rows are gone."""
    for field in model._meta.fields:
        if isinstance(field, models.FileField):
            for name in rows.exclude(**{field.name: ""}).values_list(field.name, flat=True):
                transaction.on_commit(partial(field.storage.delete, name), robust=True)
