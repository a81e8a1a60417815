"""Whether the process is alive (`/healthz`) and can serve (`/readyz`)."""

import asyncio
import shutil
from collections.abc import Awaitable, Callable
from functools import cache
from pathlib import Path
from typing import Any
from uuid import uuid4

import psycopg
from channels.db import database_sync_to_async
from channels.layers import channel_layers
from django.conf import settings
from django.db import DatabaseError, connection
from django.db.migrations.executor import MigrationExecutor
from django.http import HttpRequest, JsonResponse
from redis.exceptions import RedisError

from echovessel.postgres import server_paths

_LAYER_SECONDS = 5
# PostgreSQL writes its log in files of this size and stops if the next one has no room.
_FREE_LEAST = 16 * 1024 * 1024
ALIVE = {"status": "alive"}


class UnmigratedError(Exception):
    """The database lacks migrations."""


async def healthz(request: HttpRequest) -> JsonResponse:
    return JsonResponse(ALIVE)


async def send_alive(send: Callable[[dict[str, Any]], Awaitable[None]]) -> None:
    """Answer an ASGI request as `healthz` does."""
    headers = [(b"content-type", b"application/json")]
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    await send({"type": "http.response.body", "body": JsonResponse(ALIVE).content})


async def readyz(request: HttpRequest) -> JsonResponse:
    reasons = [check_disk(), await database_sync_to_async(check_database)(), await check_channel_layer()]
    if any(reasons):
        return JsonResponse({"status": "not ready", "reasons": [reason for reason in reasons if reason]}, status=503)
    return JsonResponse({"status": "ready", "reasons": []})


def check_disk() -> str:
    """Return why the disk can store nothing more, or nothing if it can."""
    free, folder = measure_room()
    if free < _FREE_LEAST:
        return f"The disk of {folder} is full ({free // 1024**2} MB free): make room, and all goes on by itself."
    return ""


def measure_room() -> tuple[int, Path]:
    """Return how many bytes are free where the least are, and that folder."""
    folders = {settings.DATA_DIR}
    if settings.DATABASE_IS_EMBEDDED:
        folders.add(server_paths.ServerPaths(settings.DATA_DIR).home)
    return min((shutil.disk_usage(folder).free, folder) for folder in folders)


def check_database() -> str:
    """Return why the database cannot be used, or nothing if it can."""
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
        _require_migrations()
    except DatabaseError as error:
        return f"The database does not answer: {format_error(error)}"
    except UnmigratedError:
        return "The database lacks migrations: run `manage.py migrate`."
    return ""


async def check_channel_layer() -> str:
    """Return why the channel layer cannot be used, or nothing if it delivers a test message."""
    try:
        async with asyncio.timeout(_LAYER_SECONDS):
            await _deliver(channel_layers["default"])
    except TimeoutError:
        return "The channel layer delivers nothing."
    except (psycopg.Error, RedisError, OSError) as error:
        return f"The channel layer does not answer: {format_error(error)}"
    return ""


async def _deliver(layer: Any) -> None:
    """Send a message to a group of one's own and wait for it; the group is left however that ends."""
    group, channel = f"health.{uuid4().hex}", await layer.new_channel()
    try:
        await layer.group_add(group, channel)
        await layer.group_send(group, {"type": "health"})
        await layer.receive(channel)
    finally:
        async with asyncio.timeout(_LAYER_SECONDS):
            await layer.group_discard(group, channel)


def format_error(error: Exception) -> str:
    return " ".join(str(error).split())


@cache
def _require_migrations() -> None:
    """Raise until all migrations are applied; success is cached, since it lasts while the process runs."""
    executor = MigrationExecutor(connection)
    if executor.migration_plan(executor.loader.graph.leaf_nodes()):
        raise UnmigratedError
