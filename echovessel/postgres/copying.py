"""Writes many rows fast, by COPY."""

import json
from collections.abc import Iterable, Sequence
from typing import Any

from django.db import connection, models
from pgvector.django import HalfVectorField

from echovessel.postgres.rows import fetch_all


def copy_rows(model: type[models.Model], rows: Iterable[models.Model], *, with_ids: bool = False) -> None:
    """Insert unsaved rows, `with_ids` with their own ids. Values of unusual types must be text that PostgreSQL parses."""
    fields = [
        field for field in model._meta.concrete_fields if not field.generated and (with_ids or not field.primary_key)
    ]
    quote = connection.ops.quote_name
    columns = ", ".join(quote(str(field.column)) for field in fields)
    statement = f"COPY {quote(model._meta.db_table)} ({columns}) FROM STDIN"
    as_json = [isinstance(field, HalfVectorField | models.JSONField) for field in fields]
    with connection.wrap_database_errors, connection.cursor() as cursor, cursor.copy(statement) as copying:
        for row in rows:
            values = [getattr(row, field.attname) for field in fields]
            copying.write_row([encode_value(*pair) for pair in zip(values, as_json, strict=True)])


def encode_value(value: Any, is_json: bool) -> Any:  # noqa: FBT001 - one of a pair
    # JSON encodes a vector several times faster than its field does.
    return json.dumps(value) if is_json and value is not None else value


def assign_ids(rows: Sequence[models.Model]) -> None:
    meta = rows[0]._meta
    sequence = "SELECT nextval(pg_get_serial_sequence(%s, %s)) FROM generate_series(1, %s)"
    for row, (pk,) in zip(rows, fetch_all(sequence, [meta.db_table, meta.pk.column, len(rows)]), strict=True):
        row.pk = pk
