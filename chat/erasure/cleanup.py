"""Delete what refers to a row outside its own tables: queued tasks and files."""

from functools import partial
from typing import Any

from django.db import models, transaction

from memory.jobs import queue
from personas.models import Bond


def drop_queued(bond: Bond, *, below: queue.BondPaths) -> None:
    """Delete queued tasks of a bond and the records of those that ran."""
    is_about = partial(queue.belongs_to_bond, bond, below=below)
    queue.delete_waiting_tasks(is_about)
    queue.delete_finished_tasks(is_about)


def drop_files(model: type[models.Model], rows: "models.QuerySet[Any]") -> None:
    """Delete the files of these rows once the rows are gone."""
    for field in model._meta.fields:
        if isinstance(field, models.FileField):
            for name in rows.exclude(**{field.name: ""}).values_list(field.name, flat=True):
                transaction.on_commit(partial(field.storage.delete, name), robust=True)
