"""The databases of a run: one is migrated, each process works with a copy of it. The server is the run's own, and ends with it.

To migrate from nothing takes ten seconds and more, so what came of it is kept for later runs of the same migrations.
"""

import fcntl
import os
import subprocess
import sys
import time
from contextlib import suppress
from hashlib import sha256
from pathlib import Path

import psycopg
from django.conf import settings
from django.core.management import call_command
from django.db import OperationalError, connection
from psycopg.errors import DeadlockDetected

from echovessel.postgres import server as postgres_server

MIGRATED = "migrated"
# All that the migrated database is made of: migrations, the models of which Django adds types and permissions, versions.
_MADE_OF = ("*/migrations/*.py", "*/models.py", "*/models/*.py", "echovessel/settings.py", "constraints.txt")
_DUMPS_MOST = 20
# Written by migrations and what Django does after them: they are there for every test.
_KEPT = ("django_migrations", "django_content_type", "auth_permission")
# Above this, to make a table's file anew is quicker than to delete its rows, and leaves none behind to read past.
_LARGE_BYTES = 1_000_000
_EMPTY = """
DO $$
DECLARE
    one record;
BEGIN
    -- No trigger of a foreign key looks for rows of tables that are emptied with it.
    SET LOCAL session_replication_role = replica;
    FOR one IN
        SELECT relid::regclass AS name, pg_relation_size(relid) AS size
        FROM pg_stat_user_tables
        WHERE schemaname = 'public' AND relname <> ALL (ARRAY[{kept}])
    LOOP
        IF one.size > {large} THEN
            EXECUTE format('TRUNCATE %s CASCADE', one.name);
        ELSIF one.size > 0 THEN
            EXECUTE format('DELETE FROM %s', one.name);
        END IF;
    END LOOP;
END
$$
""".format(kept=", ".join(f"'{name}'" for name in _KEPT), large=_LARGE_BYTES)


def use_copy() -> None:
    """Let this process work with a copy of the migrated database, which the first process of the run makes."""
    name = f"test_{os.environ.get('PYTEST_XDIST_WORKER', 'echovessel')}"
    is_migrated = Path(os.environ["ECHOVESSEL_TEST_SERVER"], MIGRATED)
    with is_migrated.with_suffix(".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not is_migrated.exists():
            _create(MIGRATED, "template1")
            _use(MIGRATED)
            _fill()
            is_migrated.touch()
        _create(name, MIGRATED)
    _use(name)


def empty_tables() -> None:
    """Delete all rows; once more where it ends in a deadlock with what the web process still writes for a page that was closed."""
    for is_last in (False, False, True):
        try:
            with connection.cursor() as cursor:
                cursor.execute(_EMPTY)
        except OperationalError as error:
            if is_last or not isinstance(error.__cause__, DeadlockDetected):
                raise
        else:
            return


def until_somebody_waits() -> None:
    """Until another connection waits for what this one has locked."""
    deadline = time.monotonic() + 10
    with connection.cursor() as cursor:
        while time.monotonic() < deadline:
            cursor.execute(
                "SELECT count(*) FROM pg_locks WHERE NOT granted AND pg_backend_pid() = ANY(pg_blocking_pids(pid))"
            )
            if cursor.fetchone()[0]:
                return
    raise AssertionError("Nobody waits.")


def _fill() -> None:
    dump = _find_dump()
    if dump.exists():
        _run("psql", "-X", "-q", "-v", "ON_ERROR_STOP=1", "-f", dump)
        dump.touch()
        return
    call_command("migrate", verbosity=0, interactive=False)
    call_command("createcachetable", "cache")
    dump.parent.mkdir(parents=True, exist_ok=True)
    # Under its own name only when it is whole.
    part = dump.with_suffix(f".{os.getpid()}")
    _run("pg_dump", "-f", part)
    part.rename(dump)
    # Another run may do the same at this moment.
    with suppress(FileNotFoundError):
        for old in sorted(dump.parent.iterdir(), key=lambda one: one.stat().st_mtime)[:-_DUMPS_MOST]:
            old.unlink()


def _find_dump() -> Path:
    made_of = sha256(sys.version.encode())
    for path in sorted(path for pattern in _MADE_OF for path in settings.BASE_DIR.glob(pattern)):
        made_of.update(str(path.relative_to(settings.BASE_DIR)).encode() + b"\0" + path.read_bytes() + b"\0")
    folder = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    return folder / "echovessel-tests" / f"{made_of.hexdigest()[:32]}.sql"


def _run(program: str, *arguments: str | Path) -> None:
    given = connection.get_connection_params()
    address = {key: given[key] for key in ("host", "port", "user", "password", "dbname") if key in given}
    command = [
        postgres_server.find_client_program(program),
        "-d",
        psycopg.conninfo.make_conninfo(**address),
        *arguments,
    ]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)


def _create(name: str, template: str) -> None:
    # A template is copied while nobody is connected with it.
    connection.close()
    with connection._nodb_cursor() as cursor:
        cursor.execute(f"CREATE DATABASE {name} TEMPLATE {template}")


def _use(name: str) -> None:
    connection.close()
    settings.DATABASES["default"]["NAME"] = connection.settings_dict["NAME"] = name
