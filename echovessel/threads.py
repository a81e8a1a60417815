"""Threads for the database work of turns and streams, beside the single one that all of Django's async code shares."""

import asyncio
import contextvars
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cache, partial
from typing import TypeVar

from channels.db import database_sync_to_async
from django.conf import settings
from django.db import close_old_connections

T = TypeVar("T")


async def in_database_thread(function: Callable[..., T], *args: object) -> T:
    """Run sync code that uses the database, and give its connection back afterwards."""
    if not settings.DATABASE_THREADS:
        return await database_sync_to_async(function)(*args)
    context = contextvars.copy_context()
    loop = asyncio.get_running_loop()
    return await loop.run_in_executor(_threads(), partial(context.run, _with_fresh_connection, function, *args))


@cache
def _threads() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(settings.DATABASE_THREADS, thread_name_prefix="database")


def _with_fresh_connection(function: Callable[..., T], *args: object) -> T:
    close_old_connections()
    try:
        return function(*args)
    finally:
        close_old_connections()
