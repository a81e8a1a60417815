"""Columns for raw SQL whose rows become models by `from_db`."""

from django.db.models import Model


def list_columns(model: type[Model], *but: str) -> list[str]:
    """Return the names of a model's columns in their order, without some: those that only the database reads, or that the driver
    cannot convert."""
    return [column.attname for column in model._meta.concrete_fields if column.name not in but]
