"""Threads for the database work of turns and streams, beside the single one that all of Django's async code shares."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import TypeVar

from channels.db import database_sync_to_async
from django.conf import settings
from django.db import connection

T = TypeVar("T")


async def in_database_thread(function: Callable[..., T], *args: object) -> T:
    """Run sync code that uses the database, and give its connection back afterwards."""
    if not settings.DATABASE_THREADS:
        return await database_sync_to_async(function)(*args)
    return await database_sync_to_async(function, thread_sensitive=False, executor=_threads())(*args)


def give_back_connection() -> None:
    """Hold no database connection while a model is waited for; the next query takes another one."""
    # Within a transaction, which no caller but a test has open, there is nothing that could be given back.
    if not connection.in_atomic_block:
        connection.close()


@cache
def _threads() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(settings.DATABASE_THREADS, thread_name_prefix="database")


def beside(function: Callable[..., T], *args: object) -> Callable[[], T]:
    """Run sync code that uses the database at the same time, in another thread. Returns what waits for its result.

    Where database threads are not wanted it runs at once, in this one.
    """
    if not settings.DATABASE_THREADS:
        found = function(*args)
        return lambda: found
    return _helpers().submit(_and_give_back, function, *args).result


def _and_give_back(function: Callable[..., T], *args: object) -> T:
    try:
        return function(*args)
    finally:
        connection.close()


# Not the same threads: these would wait for one another.
@cache
def _helpers() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(settings.DATABASE_THREADS, thread_name_prefix="beside")
