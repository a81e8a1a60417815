"""A whole install in one file: the database, people's files, and the key that encrypts secrets.

A backup is a zip: `manifest.json`, `database.dump` by pg_dump, `media/`, `secret_key`. The install may run while it is written. It
can only be restored into an empty folder and database. A backup and a restore either complete or leave nothing.
"""

import json
import os
import shutil
import subprocess
import zipfile
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from datetime import datetime
from pathlib import Path, PurePosixPath
from typing import IO, Any

from django.conf import settings
from django.db import OperationalError, connection
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder
from psycopg.conninfo import make_conninfo

from echovessel.configuration import data_folder
from echovessel.postgres import server as postgres_server
from echovessel.postgres import server_paths

FORMAT, VERSION = "echovessel-backup", 1
OWN_APPS = ("echovessel", "personas", "memory", "chat")
MANIFEST, DUMP, KEY, MEDIA = "manifest.json", "database.dump", "secret_key", "media/"
# Marks a folder with an unfinished restore.
UNFINISHED = "restore.unfinished"
CHUNK_BYTES = 2**20
BYTES_PER_REPORT = 100 * 2**20
Say = Callable[[str], None]
# What Django adds for its own connections, and the password, which must not stand on a command line.
_NOT_FOR_PROGRAMS = ("cursor_factory", "context", "pool", "password", "options")


class BackupError(Exception):
    """A backup that cannot be made or restored; the text is a sentence for the operator."""


def write(path: Path, *, now: datetime, say: Say) -> None:
    """Back up the install, running or not. Raises BackupError."""
    if path.exists():
        raise BackupError(f"{path} already exists. Name another file, or remove it first.")
    try:
        with (
            open_atomically(path) as file,
            zipfile.ZipFile(file, "w", zipfile.ZIP_STORED) as archive,
            run_database(say),
        ):
            files = add_files(archive, known=set())
            add_dump(archive, say)
            # Add pictures that were uploaded meanwhile. Those deleted meanwhile are in the backup already.
            files |= add_files(archive, known=files)
            say(f"{len(files)} files of people")
            archive.writestr(KEY, settings.SECRET_KEY)
            migrations = sorted([app, name] for app, name in MigrationRecorder(connection).applied_migrations())
            about = {"format": FORMAT, "version": VERSION, "made_at": now.isoformat(), "migrations": migrations}
            archive.writestr(MANIFEST, json.dumps(about, indent=2))
    except OSError as error:
        raise BackupError(f"{path} cannot be written: {error.strerror}.") from error


def restore(path: Path, *, say: Say) -> None:
    """Restore a backup into the configured data folder and database. Raises BackupError."""
    try:
        with zipfile.ZipFile(path) as archive, lock_folder() as folder:
            require_known(archive)
            require_empty(folder)
            with clear_on_failure(folder), run_database(say):
                if connection.introspection.table_names():
                    raise BackupError("The database already has tables. Name an empty one in DATABASE_URL.")
                load_dump(archive, say)
                say(f"{unpack_files(archive)} files of people")
                # Last: a folder with a key is complete.
                with open_atomically(folder / KEY) as file:
                    file.write(archive.read(KEY))
    except (zipfile.BadZipFile, zlib.error, EOFError) as error:
        raise BackupError(f"{path} is not a backup, or is incomplete.") from error
    except OSError as error:
        raise BackupError(f"{path} cannot be restored: {error.strerror}.") from error


@contextmanager
def open_atomically(path: Path) -> Iterator[IO[bytes]]:
    """Open a private file that is moved to its path when it is complete. A failure leaves no file."""
    beside = path.with_name(f"{path.name}.part")
    beside.unlink(missing_ok=True)
    try:
        with os.fdopen(os.open(beside, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        beside.replace(path)
    finally:
        beside.unlink(missing_ok=True)


@contextmanager
def run_database(say: Say) -> Iterator[None]:
    """Use the running database, or start it for the duration of the block."""
    server = postgres_server.Server(settings.DATA_DIR, say=say) if settings.DATABASE_IS_EMBEDDED else None
    if server is None or is_database_running():
        yield
        return
    try:
        server.start()
        yield
    except postgres_server.EmbeddedPostgresError as error:
        raise BackupError(str(error)) from error
    finally:
        connection.close()
        server.stop()


def is_database_running() -> bool:
    try:
        connection.ensure_connection()
    except OperationalError:
        return False
    return True


def add_dump(archive: zipfile.ZipFile, say: Say) -> None:
    command = ["pg_dump", "--format=custom", "--no-owner", "--no-privileges", "--no-comments"]
    with run_program(command, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None  # by the call
        with archive.open(DUMP, "w", force_zip64=True) as to:
            say(f"The database: {copy_stream(process.stdout, to, say)}")


def load_dump(archive: zipfile.ZipFile, say: Say) -> None:
    # One transaction, also in an external database.
    command = [
        "pg_restore",
        "--exit-on-error",
        "--single-transaction",
        "--no-owner",
        "--no-privileges",
        "--no-comments",
    ]
    with run_program(command, stdin=subprocess.PIPE) as process, archive.open(DUMP) as dump:
        assert process.stdin is not None  # by the call
        # If it ends early, its error output says why.
        with suppress(BrokenPipeError), process.stdin:
            say(f"The database: {copy_stream(dump, process.stdin, say)}")


@contextmanager
def run_program(command: list[str], **pipes: int) -> Iterator["subprocess.Popen[bytes]"]:
    """Run one of PostgreSQL's programs on our database. Raises BackupError with its error output."""
    given = connection.get_connection_params()
    address = make_conninfo(**{name: given[name] for name in given if name not in _NOT_FOR_PROGRAMS})
    environment = os.environ | {"PGPASSWORD": given.get("password") or ""}
    line = [str(postgres_server.find_client_program(command[0])), *command[1:], f"--dbname={address}"]
    started: subprocess.Popen[bytes] = subprocess.Popen(line, env=environment, stderr=subprocess.PIPE, **pipes)  # type: ignore[call-overload]  # pipes by name
    with started as process, ExitStack() as unless_done:
        assert process.stderr is not None  # by the call
        unless_done.callback(process.kill)
        yield process
        said = process.stderr.read().decode(errors="replace").strip()
        unless_done.pop_all()
    if process.returncode:
        raise BackupError(f"The database: {said or f'{command[0]} ended with {process.returncode}'}")


def copy_stream(source: IO[bytes], to: IO[bytes], say: Say) -> str:
    """Copy a stream and report progress. Returns the size as text."""
    count, said = 0, BYTES_PER_REPORT
    while chunk := source.read(CHUNK_BYTES):
        to.write(chunk)
        count += len(chunk)
        if count >= said:
            say(f"  {count // 2**20} MiB")
            said += BYTES_PER_REPORT
    return f"{count / 2**20:.1f} MiB"


def add_files(archive: zipfile.ZipFile, *, known: set[str]) -> set[str]:
    """Add the files that are not in `known`. Returns their names."""
    root = Path(settings.MEDIA_ROOT)
    names = {path.relative_to(root).as_posix() for path in root.rglob("*") if path.is_file()} - known
    for name in sorted(names):
        # It may have been replaced meanwhile; then no row in the dump refers to it.
        with suppress(FileNotFoundError):
            archive.write(root / name, MEDIA + name)
    return names


def unpack_files(archive: zipfile.ZipFile) -> int:
    names = [name for name in archive.namelist() if name.startswith(MEDIA)]
    for name in names:
        inside = PurePosixPath(name.removeprefix(MEDIA))
        if inside.is_absolute() or ".." in inside.parts:
            raise BackupError("This is not a backup: one of its files is outside of it.")
        path = Path(settings.MEDIA_ROOT) / inside
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        with archive.open(name) as source, path.open("wb") as to:
            shutil.copyfileobj(source, to)
    return len(names)


def require_known(archive: zipfile.ZipFile) -> None:
    """Refuse a file that is no backup, and a backup of a newer version."""
    try:
        about: dict[str, Any] = json.loads(archive.read(MANIFEST))
        is_ours = about["format"] == FORMAT and {DUMP, KEY} <= set(archive.namelist())
    except (KeyError, TypeError, ValueError, RuntimeError):
        # RuntimeError: it is encrypted.
        is_ours = False
    if not is_ours:
        raise BackupError("This is not a backup of EchoVessel. Restore the export of a companion with `import_bond`.")
    if about["version"] != VERSION or is_newer(about["migrations"]):
        raise BackupError("This backup was made by a newer version of EchoVessel; restore it with that version.")


def is_newer(migrations: Iterable[Sequence[str]]) -> bool:
    """Whether a database with these migrations, as pairs of app and name, was made by a newer version."""
    known = MigrationLoader(None, ignore_no_migrations=True).disk_migrations
    return any(app in OWN_APPS and (app, name) not in known for app, name in migrations)


@contextmanager
def lock_folder() -> Iterator[Path]:
    try:
        with data_folder.lock(settings.DATA_DIR, patience_seconds=0):
            yield settings.DATA_DIR
    except data_folder.FolderInUseError as error:
        raise BackupError(f"EchoVessel is running in {settings.DATA_DIR}. Stop it first.") from error


def require_empty(folder: Path) -> None:
    """Refuse a folder that holds an install; clear the remains of an unfinished restore."""
    if is_half_restored(folder):
        clear(folder)
    media = Path(settings.MEDIA_ROOT)
    has_database = settings.DATABASE_IS_EMBEDDED and server_paths.ServerPaths(folder).files.exists()
    if has_database or (media.exists() and any(media.iterdir())):
        raise BackupError(
            f"{folder} already has an installation. Name an empty folder in ECHOVESSEL_DATA_DIR, or move that one away."
        )


def is_half_restored(folder: Path) -> bool:
    return (folder / UNFINISHED).exists()


@contextmanager
def clear_on_failure(folder: Path) -> Iterator[None]:
    mark = folder / UNFINISHED
    mark.touch()
    with ExitStack() as unless_done:
        unless_done.callback(clear, folder)
        yield
        unless_done.pop_all()
    mark.unlink()


def clear(folder: Path) -> None:
    if settings.DATABASE_IS_EMBEDDED:
        place = server_paths.ServerPaths(folder)
        postgres_server.stop_left_over(place.files)
        shutil.rmtree(place.files, ignore_errors=True)
        shutil.rmtree(place.socket, ignore_errors=True)
        # The link to the files' place, if root runs us.
        (folder / "postgres").unlink(missing_ok=True)
    shutil.rmtree(settings.MEDIA_ROOT, ignore_errors=True)
    (folder / UNFINISHED).unlink(missing_ok=True)
