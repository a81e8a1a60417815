"""Delete what refers to a row outside its own tables: queued tasks, admin log entries and files."""

from collections.abc import Iterable
from functools import partial
from typing import Any

from django.apps import apps
from django.contrib.admin.models import LogEntry
from django.contrib.contenttypes.models import ContentType
from django.db import models, transaction

from memory.jobs import queue
from personas.models import Bond


def drop_queued(bond: Bond, *, below: queue.BondPaths) -> None:
    """Delete queued tasks of a bond and the records of those that ran."""
    is_about = partial(queue.belongs_to_bond, bond, below=below)
    queue.delete_waiting_tasks(is_about)
    queue.delete_finished_tasks(is_about)


def drop_admin_log(model: type[models.Model], rows: "models.QuerySet[Any] | Iterable[int]") -> None:
    """Delete the admin log's entries about these rows. The log is small; there may be many rows."""
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
