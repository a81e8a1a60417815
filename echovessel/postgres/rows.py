"""For statements of our own, whose rows become models by `from_db`."""

from django.db.models import Model


def list_columns(model: type[Model], *but: str) -> list[str]:
    """The names of a model's columns in their order, but some: those that only the database looks at, or that need more than the driver
    makes of them."""
    return [column.attname for column in model._meta.concrete_fields if column.name not in but]
