"""Threads for the database work of turns and streams, beside the single one that all of Django's async code shares."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import TypeVar

from channels.db import database_sync_to_async
from django.conf import settings
from django.db import connection

T = TypeVar("T")


async def run_in_database_thread(function: Callable[..., T], *args: object) -> T:
    """Run sync code that uses the database, and give its connection back afterwards."""
    if not settings.DATABASE_THREADS:
        return await database_sync_to_async(function)(*args)
    return await database_sync_to_async(function, thread_sensitive=False, executor=_get_database_pool())(*args)


def release_connection() -> None:
    """Hold no database connection while a model is waited for; the next query takes another one."""
    # Within a transaction, which no caller but a test has open, there is nothing that could be given back.
    if not connection.in_atomic_block:
        connection.close()


@cache
def _get_database_pool() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(settings.DATABASE_THREADS, thread_name_prefix="database")


def start_in_thread(function: Callable[..., T], *args: object) -> Callable[[], T]:
    """Run sync code that uses the database at the same time, in another thread. Returns what waits for its result.

    Where database threads are not wanted it runs at once, in this one.
    """
    if not settings.DATABASE_THREADS:
        found = function(*args)
        return lambda: found
    return _get_helper_pool().submit(_run_and_release, function, *args).result


def _run_and_release(function: Callable[..., T], *args: object) -> T:
    try:
        return function(*args)
    finally:
        connection.close()


# Not the same threads: these would wait for one another.
@cache
def _get_helper_pool() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(settings.DATABASE_THREADS, thread_name_prefix="beside")
