"""Dumps the whole database as text, to show that something was erased."""

from django.db import connection
from django_q.models import OrmQ, Task


def rows_by_table():
    """Each table's rows as PostgreSQL writes them, with tasks unpacked from their pickles."""
    quote = connection.ops.quote_name
    with connection.cursor() as cursor:
        found = {}
        for table in connection.introspection.table_names(cursor):
            cursor.execute(f"SELECT t::text FROM {quote(table)} AS t")
            found[table] = [row for (row,) in cursor.fetchall()]
    found["django_q_ormq"] = [repr(entry.task) for entry in OrmQ.objects.all()]
    found["django_q_task"] += [repr((task.args, task.kwargs, task.result)) for task in Task.objects.all()]
    return found


def tables_with(*texts):
    """Return the tables in which one of these texts occurs."""
    return sorted(
        table for table, rows in rows_by_table().items() if any(text in row for row in rows for text in texts)
    )
