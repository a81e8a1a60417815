"""Prepares an install before the first page: tables, cache, static files, schedules. It does only what is missing."""

import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from typing import Any

from django.conf import settings
from django.contrib.staticfiles.finders import get_finders
from django.core.management import call_command
from django.db import DatabaseError, OperationalError, connection, connections
from django.db.migrations.executor import MigrationExecutor
from redis import Redis
from redis.exceptions import RedisError

from echovessel.archives import backups
from echovessel.configuration import data_folder
from echovessel.embeddings import embedding, models
from echovessel.http import bundling
from echovessel.http.health import format_error

# Any fixed number: of several machines only one prepares the database at a time.
_PREPARATION_LOCK = 7_201_002
_ANSWER_SECONDS = 5


class PreparationError(Exception):
    """The install cannot start; the text is a sentence for the operator."""


def prepare(say: Callable[[str], None]) -> None:
    """Bring database and static files up to date. Raises PreparationError."""
    if settings.EMBEDDING_BACKEND == "sentence-transformers" and settings.EMBEDDING_MODEL != "bundled":
        try:
            models.has_to_be_offline(settings.EMBEDDING_MODEL)
        except models.EmbeddingError as error:
            raise PreparationError(f"{error} {embedding.MEND}") from error
    _wait_for("The database", connection.ensure_connection, OperationalError, setting="DATABASE_URL")
    wait_for_redis()
    try:
        with _lock_preparation():
            _migrate(say)
            if not settings.REDIS_URL:
                call_command("createcachetable", verbosity=0)
            call_command("ensure_schedules")
    except DatabaseError as error:
        raise PreparationError(f"The database could not be prepared: {format_error(error)}") from error
    finally:
        connections.close_all()
    data_folder.make_private(Path(settings.MEDIA_ROOT))
    collect_static(say)


def wait_for_redis() -> None:
    """Return once Redis answers, where it is used. Raises PreparationError after some seconds."""
    if settings.REDIS_URL:
        with Redis.from_url(settings.REDIS_URL) as server:
            _wait_for("Redis", server.ping, RedisError, setting="REDIS_URL")


def _wait_for(name: str, ask: Callable[[], Any], failure: type[Exception], *, setting: str) -> None:
    deadline = time.monotonic() + _ANSWER_SECONDS
    while True:
        try:
            ask()
        except failure as error:
            if time.monotonic() > deadline:
                raise PreparationError(f"{name} does not answer: {format_error(error)} Check {setting}.") from error
            time.sleep(0.2)
        else:
            return


@contextmanager
def _lock_preparation() -> Iterator[None]:
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_lock(%s)", [_PREPARATION_LOCK])
    # Released with the connection.
    yield


def _migrate(say: Callable[[str], None]) -> None:
    executor = MigrationExecutor(connection)
    # It would start, and fail at the first row that needs what this version does not know.
    if backups.is_newer(executor.loader.applied_migrations):
        raise PreparationError(
            "The database was made by a newer version of EchoVessel. Start that version, or restore a backup from before into an empty "
            "folder."
        )
    plan = executor.migration_plan(executor.loader.graph.leaf_nodes())
    if plan:
        say(f"Preparing the database ({len(plan)} steps)")
        call_command("migrate", interactive=False, verbosity=0)


def collect_static(say: Callable[[str], None]) -> None:
    """Collect static files where they changed."""
    stamp = Path(settings.DATA_DIR) / "static.fingerprint"
    fingerprint = _compute_static_fingerprint()
    if stamp.exists() and stamp.read_text() == fingerprint and Path(settings.STATIC_ROOT).is_dir():
        return
    say("Collecting static files")
    # Cleared: otherwise collectstatic keeps a copy that is newer than its source, even one of another version.
    call_command("collectstatic", interactive=False, clear=True, verbosity=0)
    stamp.write_text(fingerprint)


def _compute_static_fingerprint() -> str:
    storages: dict[str, Any] = settings.STORAGES
    digest = sha256(storages["staticfiles"]["BACKEND"].encode())
    digest.update(Path(bundling.__file__).read_bytes())
    for finder in get_finders():
        for path, storage in finder.list([]):
            found = os.stat(storage.path(path))  # noqa: PTH116 - the storage gives a string
            digest.update(f"{path} {found.st_size} {found.st_mtime_ns}\n".encode())
    return digest.hexdigest()
