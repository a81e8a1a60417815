"""Taking out of the tables' files what was deleted from the tables.

A plain VACUUM gives the room free, and the next rows are written over it; a full one writes the table anew and locks it meanwhile.
Small tables are written anew at once, large ones only when an operator asks. ANALYZE, since the statistics hold samples of the texts.
"""

from collections.abc import Callable

from django.apps import apps
from django.db import OperationalError, connection
from django.db.backends.utils import CursorWrapper

# Whose tables may hold what people said, or what was made of it.
APPS = ("memory", "chat", "echovessel", "django_q", "admin")
# A table that is written anew within a second or two.
SMALL_BYTES = 32_000_000
# So long a full one waits for a table that is in use.
LOCK_SECONDS = 3
# From this version on the statistics of a table that is empty now can be cleared.
CLEARS_STATISTICS = 180_000


def vacuum(*, is_full: bool = False, say: Callable[[str], None] = lambda table: None) -> None:
    """Vacuum all tables that may hold text of people. It must not be called within a transaction; it may be interrupted."""
    with connection.cursor() as cursor:
        for table in list_tables():
            clear_statistics(cursor, table)
            if not ((is_full or is_small(cursor, table)) and rewrite_table(cursor, table)):
                cursor.execute(f"VACUUM (ANALYZE) {connection.ops.quote_name(table)}")
            say(table)


def list_tables() -> list[str]:
    models = apps.get_models(include_auto_created=True)
    return sorted({model._meta.db_table for model in models if model._meta.app_label in APPS and model._meta.managed})


def is_small(cursor: CursorWrapper, table: str) -> bool:
    cursor.execute("SELECT pg_total_relation_size(%s::regclass) <= %s", [table, SMALL_BYTES])
    [is_small] = cursor.fetchone()
    return bool(is_small)


def rewrite_table(cursor: CursorWrapper, table: str) -> bool:
    """Write a table anew; whether it could be: others may use it for longer than one should wait."""
    cursor.execute(f"SET lock_timeout = '{LOCK_SECONDS}s'")
    try:
        cursor.execute(f"VACUUM (FULL, ANALYZE) {connection.ops.quote_name(table)}")
    except OperationalError:
        return False
    finally:
        cursor.execute("RESET lock_timeout")
    return True


def clear_statistics(cursor: CursorWrapper, table: str) -> None:
    """ANALYZE leaves the old statistics to a table in which no row is left."""
    cursor.execute("SELECT current_setting('server_version_num')::int")
    [version] = cursor.fetchone()
    if version >= CLEARS_STATISTICS:
        cursor.execute(
            "SELECT pg_clear_attribute_stats(schemaname, tablename, attname, inherited) FROM pg_stats "
            "WHERE schemaname = current_schema() AND tablename = %s",
            [table],
        )
