"""The data folder: everything of an install except an external database."""

import fcntl
import os
import secrets
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import IO

from django.core.exceptions import ImproperlyConfigured


class FolderInUseError(Exception):
    """Another `serve` uses the folder."""


def load_secret_key(folder: Path) -> str:
    """Return the install's key, created once and readable only by its owner. Raises ImproperlyConfigured if it cannot be stored."""
    return _load_or_create_secret(folder, "secret_key", secrets.token_urlsafe(50))


def load_setup_code(folder: Path) -> str:
    """Return the code that the first account needs if strangers can reach the sign-up page. `serve` creates it once."""
    return _load_or_create_secret(folder, "setup_code", secrets.token_hex(5))


def needs_setup_code(folder: Path) -> bool:
    return (folder / "setup_code").exists()


def drop_setup_code(folder: Path) -> None:
    (folder / "setup_code").unlink(missing_ok=True)


@contextmanager
def lock(folder: Path, *, patience_seconds: float) -> Iterator[None]:
    """Lock the folder for one `serve`; the system releases it when the process ends. Raises FolderInUseError."""
    deadline = time.monotonic() + patience_seconds
    with _report_unwritable(folder):
        file = (make(folder) / "serve.lock").open("a+")
    with file:
        while not _try_lock(file):
            if time.monotonic() > deadline:
                raise FolderInUseError(folder)
            time.sleep(0.1)
        yield


def _try_lock(file: IO[str]) -> bool:
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def make(folder: Path) -> Path:
    """Create the folder, private. For root others may pass through, since the database runs as another user. Raises ImproperlyConfigured."""
    with _report_unwritable(folder):
        if not folder.is_dir():
            folder.mkdir(parents=True, exist_ok=True)  # another process that starts now may create it first
            folder.chmod(0o700 if os.geteuid() else 0o711)
    return folder


def make_private(folder: Path) -> Path:
    """Make a folder within the data folder private, also if it exists and was open."""
    with _report_unwritable(folder):
        folder.mkdir(parents=True, exist_ok=True)
        folder.chmod(0o700)
    return folder


def _load_or_create_secret(folder: Path, name: str, fresh: str) -> str:
    path = make(folder) / name
    with _report_unwritable(folder):
        if not path.exists():
            # Linked when complete: processes that start together read the same value.
            with NamedTemporaryFile("w", dir=folder) as file, suppress(FileExistsError):
                file.write(fresh)
                file.flush()
                # Before it has its name: a power cut would leave an empty file under it.
                os.fsync(file.fileno())
                os.link(file.name, path)
        # What is no text stays as marks that a key never holds.
        secret = path.read_text(errors="replace").strip()
    if not secret or not secret.isprintable() or "\ufffd" in secret:
        raise ImproperlyConfigured(
            f"{path} is {'broken' if secret else 'empty'}; put back the one that was there, or delete it: then a new one is made, and people "
            "sign in again."
        )
    return secret


@contextmanager
def _report_unwritable(folder: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise ImproperlyConfigured(
            f"ECHOVESSEL_DATA_DIR is {str(folder)!r} and cannot be written ({error.strerror}); name a folder that can."
        ) from error
