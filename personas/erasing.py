"""Erase personas, and what names a row outside its tables: files and the admin's log."""

from collections.abc import Iterable
from datetime import datetime
from functools import partial
from typing import Any

from django.apps import apps
from django.contrib.admin.models import LogEntry
from django.contrib.contenttypes.models import ContentType
from django.db import transaction
from django.db.models import FileField, Model, QuerySet

from personas import editing
from personas.models import Persona


@transaction.atomic
def retire(persona: Persona, *, now: datetime) -> None:
    """Archive a persona whose bonds continue; erase one without bonds, whose texts its owner could not reach any more."""
    locked = Persona.objects.select_for_update().filter(pk=persona.pk).first()
    if locked is not None and not locked.bonds.exists():
        delete_persona(locked)
    elif locked is not None:
        editing.archive(persona=locked, now=now)


def delete_persona(persona: Persona) -> None:
    drop_admin_log(Persona, {persona.pk})
    drop_files(Persona, Persona.objects.filter(pk=persona.pk))
    persona.delete()


def drop_admin_log(model: type[Model], rows: QuerySet[Any] | Iterable[int]) -> None:
    """Delete the admin log's entries about these rows. The log is small; there may be many rows."""
    kinds = [kind for kind in apps.get_models() if issubclass(kind, model)]
    types = ContentType.objects.get_for_models(*kinds, for_concrete_models=False).values()
    logged = LogEntry.objects.filter(content_type__in=types)
    ids = set(logged.values_list("object_id", flat=True))
    if not ids:
        return
    known = rows.filter(pk__in=ids).values_list("pk", flat=True) if isinstance(rows, QuerySet) else rows
    logged.filter(object_id__in=[str(pk) for pk in known]).delete()


def drop_files(model: type[Model], rows: QuerySet[Any]) -> None:
    """Delete the files of these rows once the rows are gone."""
    for field in model._meta.fields:
        if isinstance(field, FileField):
            for name in rows.exclude(**{field.name: ""}).values_list(field.name, flat=True):
                transaction.on_commit(partial(field.storage.delete, name), robust=True)
