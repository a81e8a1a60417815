"""Vacuum deleted rows out of the tables' files.

A plain VACUUM frees the space for new rows; a full one rewrites and locks the table. Small tables are rewritten at
once, large ones only when an operator asks. ANALYZE clears the samples of texts from the statistics.
"""

from django.apps import apps
from django.db import OperationalError, connection
from django.db.backends.utils import CursorWrapper

# A table of this size is rewritten within two seconds.
SMALL_BYTES = 32_000_000
# How long a full vacuum waits for a lock.
LOCK_SECONDS = 3
# The first version that can clear the statistics of an empty table.
CLEARS_STATISTICS = 180_000


def vacuum(*, is_full: bool = False) -> int:
    """Vacuum all tables: an account's name and address are in those of other packages. Returns how many. Call it outside
    transactions; it may be interrupted.
    """
    tables = list_tables()
    with connection.cursor() as cursor:
        for table in tables:
            clear_statistics(cursor, table)
            # Always first: while a transaction runs in another database of the server, a full vacuum fails on a deleted
            # row ("missing chunk") whose long values a plain one has taken away.
            cursor.execute(f"VACUUM (ANALYZE) {connection.ops.quote_name(table)}")
            if is_full or is_small(cursor, table):
                rewrite_table(cursor, table)
    return len(tables)


def list_tables() -> list[str]:
    models = apps.get_models(include_auto_created=True)
    return sorted({model._meta.db_table for model in models if model._meta.managed})


def is_small(cursor: CursorWrapper, table: str) -> bool:
    cursor.execute("SELECT pg_total_relation_size(%s::regclass) <= %s", [table, SMALL_BYTES])
    [is_small] = cursor.fetchone()
    return bool(is_small)


def rewrite_table(cursor: CursorWrapper, table: str) -> bool:
    """Rewrite a table. Returns whether its lock was free in time."""
    cursor.execute(f"SET lock_timeout = '{LOCK_SECONDS}s'")
    try:
        cursor.execute(f"VACUUM (FULL) {connection.ops.quote_name(table)}")
    except OperationalError:
        return False
    finally:
        cursor.execute("RESET lock_timeout")
    return True


def clear_statistics(cursor: CursorWrapper, table: str) -> None:
    """Clear statistics of empty tables, which ANALYZE leaves."""
    cursor.execute("SELECT current_setting('server_version_num')::int")
    [version] = cursor.fetchone()
    if version >= CLEARS_STATISTICS:
        cursor.execute(
            "SELECT pg_clear_attribute_stats(schemaname, tablename, attname, inherited) FROM pg_stats "
            "WHERE schemaname = current_schema() AND tablename = %s",
            [table],
        )
