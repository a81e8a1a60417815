"""Raw SQL: its columns, its rows, and those that become models."""

from collections.abc import Mapping, Sequence
from typing import Any, TypeVar

from django.db import DEFAULT_DB_ALIAS, connection
from django.db.models import Model
from django.db.models.base import ModelState

M = TypeVar("M", bound=Model)


def fetch_all(statement: str, parameters: Sequence[Any] | Mapping[str, Any] | None = None) -> list[tuple[Any, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(statement, parameters)
        rows: list[tuple[Any, ...]] = cursor.fetchall()
    return rows


def list_columns(model: type[Model], *but: str) -> list[str]:
    """Return the names of a model's columns in their order, without some: those that only the database reads, or that the driver
    cannot convert."""
    return [column.attname for column in model._meta.concrete_fields if column.name not in but]


def build_model(model: type[M], columns: Sequence[str], values: Sequence[Any]) -> M:
    """Build what `from_db` builds, in a quarter of the time: a turn reads a hundred rows. Other columns are deferred."""
    row = model.__new__(model)
    row._state = ModelState()
    row._state.adding, row._state.db = False, DEFAULT_DB_ALIAS
    row.__dict__.update(zip(columns, values, strict=True))
    return row
