"""Validates outside values for columns: the type, the bounds and, for JSON, the declared shape."""

from collections.abc import Mapping
from datetime import date, datetime
from typing import Any

from django.contrib.postgres.fields import ArrayField
from django.core.exceptions import ValidationError
from django.db import models
from django.utils import timezone
from pydantic import TypeAdapter
from pydantic import ValidationError as ShapeError

from echovessel.times import FIRST_DAY, LAST_DAY

# The shape of each JSON column, by name.
JSONShapes = Mapping[str, TypeAdapter[Any]]
# The JSON types of each kind of column, and their name.
_KINDS: "tuple[tuple[type[models.Field[Any, Any]], tuple[type, ...], str], ...]" = (
    (models.CharField, (str,), "text"),
    (models.TextField, (str,), "text"),
    (models.BooleanField, (bool,), "yes or no"),
    (models.IntegerField, (int,), "whole number"),
    (models.FloatField, (int, float), "number"),
    (models.DateTimeField, (str,), "time"),
    (models.DateField, (str,), "day"),
    (models.UUIDField, (str,), "id"),
    (ArrayField, (list,), "list"),
    (models.JSONField, (dict, list), "list or object"),
)


class ColumnError(ValueError):
    """A value that a column cannot hold; the text is a clause."""


def clean_value(column: Any, given: Any, *, shapes: JSONShapes | None = None) -> Any:
    """Convert a value to its column's type. Raises ColumnError."""
    if given is None and column.null:
        return None
    require_kind(column, given)
    if isinstance(column, ArrayField):
        given = [clean_item(column, one) for one in given]
    elif isinstance(column, models.JSONField):
        require_shape(column, given, shapes or {})
    try:
        cleaned = column.clean(given, None)
    except (ValidationError, TypeError, ValueError, OverflowError) as error:
        raise make_error(column, given) from error
    if isinstance(column, models.DateTimeField) and timezone.is_naive(cleaned):
        raise ColumnError(f"{column.attname} has no time zone")
    if isinstance(column, models.DateField):
        require_shown(column, cleaned)
    return cleaned


def require_shown(column: Any, cleaned: date) -> None:
    """Refuse a day or time that pages cannot show in every zone."""
    day = cleaned.date() if isinstance(cleaned, datetime) else cleaned
    if not FIRST_DAY <= day <= LAST_DAY:
        raise ColumnError(f"{column.attname} is not between {FIRST_DAY} and {LAST_DAY}")


def require_kind(column: Any, given: Any) -> None:
    kinds, word = next((kinds, word) for of, kinds, word in _KINDS if isinstance(column, of))
    # In Python bool is a kind of int.
    if not isinstance(given, kinds) or (isinstance(given, bool) and bool not in kinds):
        raise ColumnError(f"{column.attname} is no {word}")


def clean_item(column: "ArrayField[Any, Any]", given: Any) -> Any:
    try:
        return clean_value(column.base_field, given)
    except ColumnError as error:
        raise make_error(column, given) from error


def require_shape(column: Any, given: Any, shapes: JSONShapes) -> None:
    try:
        shapes[column.name].validate_python(given, strict=True)
    except ShapeError as error:
        at = ".".join(str(part) for part in error.errors()[0]["loc"])
        raise ColumnError(f"{column.attname} has another shape ({at:.60})") from error


def make_error(column: Any, given: Any) -> ColumnError:
    return ColumnError(f"{column.attname} cannot be {given!r:.40}")
