"""Database threads for turns and streams, beside the single thread that all of Django's async code shares."""

import asyncio
import logging
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import TypeVar

from channels.db import database_sync_to_async
from django.conf import settings
from django.db import InterfaceError, OperationalError, connection
from psycopg.errors import QueryCanceled

T = TypeVar("T")
# Threads that mostly wait.
MODEL_THREADS = 16
# How often, and how far apart, what a turn needs is tried while the database is away.
TRIES = 30
PAUSE_SECONDS = 2.0
logger = logging.getLogger("echovessel.turns")


async def run_in_database_thread(function: Callable[..., T], *args: object, **more: object) -> T:
    """Run sync code that uses the database, then release its connection."""
    if not settings.DATABASE_THREADS:
        return await database_sync_to_async(function)(*args, **more)
    return await database_sync_to_async(function, thread_sensitive=False, executor=_get_database_pool())(*args, **more)


async def run_when_reachable(function: Callable[..., T], *args: object, **more: object) -> T:
    """Run it in a database thread, again for a while where the database is away. A statement that took too long is not tried again."""
    for _ in range(TRIES):
        try:
            return await run_in_database_thread(function, *args, **more)
        except (OperationalError, InterfaceError) as error:
            if isinstance(error.__cause__, QueryCanceled):
                raise
            logger.warning("a turn waits until the database is back: %s", error)
            await asyncio.sleep(PAUSE_SECONDS)
    return await run_in_database_thread(function, *args, **more)


def release_connection() -> None:
    """Release the database connection while waiting for a model; the next query gets another one."""
    # In a transaction (only tests have one here) the connection cannot be released.
    if not connection.in_atomic_block:
        connection.close()


async def run_in_model_thread(function: Callable[..., T], *args: object) -> T:
    """Run sync code that waits for a model, in threads of their own: nobody who needs the database waits behind it."""
    if not settings.DATABASE_THREADS:
        return await database_sync_to_async(function)(*args)
    return await asyncio.wrap_future(_get_model_pool().submit(_run_and_release, function, *args))


@cache
def _get_database_pool() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(settings.DATABASE_THREADS, thread_name_prefix="database")


@cache
def _get_model_pool() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(MODEL_THREADS, thread_name_prefix="model")


def start_in_thread(function: Callable[..., T], *args: object) -> Callable[[], T]:
    """Run sync code that uses the database in another thread. Returns a function that waits for the result.

    Without database threads it runs at once, in this thread.
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


# A separate pool: threads of one pool would wait for each other.
@cache
def _get_helper_pool() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(settings.DATABASE_THREADS, thread_name_prefix="beside")
