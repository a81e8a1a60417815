"""Statements that a connection plans once: those of a turn took as long to plan as to run."""

import re
from collections.abc import Callable, Mapping
from datetime import datetime
from functools import cache, wraps
from itertools import count
from typing import Any, ParamSpec, TypeVar
from weakref import WeakKeyDictionary

from django.db import ProgrammingError, connection
from psycopg.abc import Buffer
from psycopg.adapt import Loader
from psycopg.errors import InvalidSqlStatementName

P = ParamSpec("P")
T = TypeVar("T")
_PLACEHOLDER = re.compile(r"%\((\w+)\)s")
# Otherwise PostgreSQL plans for each value anew wherever it expects less rows from that.
_PLAN_ONCE = "SET plan_cache_mode = force_generic_plan"
_numbers = count(1)
# For each connection to the server, the names under which it holds statements.
_held: WeakKeyDictionary[Any, dict[str, str]] = WeakKeyDictionary()


def fetch_all(statement: str, parameters: Mapping[str, Any]) -> list[tuple[Any, ...]]:
    """Fetch all rows. Each parameter of the statement has its type there, at its first place: `%(bond)s::bigint`.

    In a transaction it raises ProgrammingError where the server holds the statement no longer (`retry_where_lost`).
    """
    connection.ensure_connection()
    held = _held.setdefault(connection.connection, {})
    body, given = _number_parameters(statement)
    with connection.cursor() as cursor:
        cursor.adapters.register_loader("timestamptz", _TimeLoader)
        if statement not in held or not _execute_held(held, statement, given, parameters, cursor):
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


def retry_where_lost(function: Callable[P, T]) -> Callable[P, T]:
    """Call a function again whose transaction ended because the server holds one of its statements no longer."""

    @wraps(function)
    def call(*args: P.args, **kwargs: P.kwargs) -> T:
        try:
            return function(*args, **kwargs)
        except ProgrammingError as error:
            if not _is_lost(error):
                raise
        return function(*args, **kwargs)

    return call


def _execute_held(held: dict[str, str], statement: str, given: str, parameters: Mapping[str, Any], cursor: Any) -> bool:
    """Execute a statement that was held. Return False where it is no longer: a pooler may give each statement another connection."""
    try:
        cursor.execute(f"EXECUTE {held[statement]}{given}", parameters)
    except ProgrammingError as error:
        if not _is_lost(error):
            raise
        del held[statement]
        if connection.in_atomic_block:
            raise
        return False
    return True


def _is_lost(error: ProgrammingError) -> bool:
    return isinstance(error.__cause__, InvalidSqlStatementName)


@cache
def _number_parameters(statement: str) -> tuple[str, str]:
    """Return the statement with `$1` and so on for its parameters, and these in brackets."""
    names = list(dict.fromkeys(_PLACEHOLDER.findall(statement)))
    body = _PLACEHOLDER.sub(lambda found: f"${names.index(found[1]) + 1}", statement)
    return body, f"({', '.join(f'%({name})s' for name in names)})" if names else ""
