"""Statements that a connection plans once: those of a turn took as long to plan as to run."""

import re
from collections.abc import Mapping
from datetime import datetime
from functools import cache
from itertools import count
from typing import Any
from weakref import WeakKeyDictionary

from django.db import ProgrammingError, connection
from psycopg.abc import Buffer
from psycopg.adapt import Loader
from psycopg.errors import InvalidSqlStatementName

_PLACEHOLDER = re.compile(r"%\((\w+)\)s")
# Otherwise PostgreSQL plans for each value anew wherever it expects less rows from that.
_PLAN_ONCE = "SET plan_cache_mode = force_generic_plan"
_numbers = count(1)
# For each connection to the server, the names under which it holds statements.
_held: WeakKeyDictionary[Any, dict[str, str]] = WeakKeyDictionary()


def fetch_all(statement: str, parameters: Mapping[str, Any]) -> list[tuple[Any, ...]]:
    """Fetch all rows. Each parameter of the statement has its type there: `%(bond)s::bigint`."""
    connection.ensure_connection()
    held = _held.setdefault(connection.connection, {})
    body, given = _number_parameters(statement)
    with connection.cursor() as cursor:
        cursor.adapters.register_loader("timestamptz", _TimeLoader)
        if statement not in held or not _execute(f"{held[statement]}{given}", parameters, cursor):
            # One round trip. The name is new, as a statement may be held whose first execution failed.
            name = f"echovessel_{next(_numbers)}"
            cursor.execute(f"{_PLAN_ONCE}; PREPARE {name} AS {body}; EXECUTE {name}{given}", parameters)
            cursor.nextset()
            cursor.nextset()
            held[statement] = name
        rows: list[tuple[Any, ...]] = cursor.fetchall()
    return rows


class _TimeLoader(Loader):
    """Reads times, of which a turn has hundreds, in a tenth of the time that Django's loader takes."""

    def load(self, data: Buffer) -> datetime:
        return datetime.fromisoformat(str(data, "ascii"))


def _execute(call: str, parameters: Mapping[str, Any], cursor: Any) -> bool:
    """Execute a statement that was held. Return False where it is no longer: a pooler may give each statement another connection."""
    try:
        cursor.execute(f"EXECUTE {call}", parameters)
    except ProgrammingError as error:
        if connection.in_atomic_block or not isinstance(error.__cause__, InvalidSqlStatementName):
            raise
        return False
    return True


@cache
def _number_parameters(statement: str) -> tuple[str, str]:
    """Return the statement with `$1` and so on for its parameters, and these in brackets."""
    names = list(dict.fromkeys(_PLACEHOLDER.findall(statement)))
    body = _PLACEHOLDER.sub(lambda found: f"${names.index(found[1]) + 1}", statement)
    return body, f"({', '.join(f'%({name})s' for name in names)})" if names else ""
