"""Loaded by `-p` before Django: gives the tests a PostgreSQL and a data folder of their own, shared by all of pytest-xdist's workers."""

import os
import shutil
import tempfile
from collections.abc import Generator
from pathlib import Path

import pytest

from echovessel import embedded

_FAST_AND_FORGETFUL = ("fsync=off", "synchronous_commit=off", "full_page_writes=off", "max_connections=300")
_FROM_OUTSIDE = ("REDIS_URL", "OPENAI_API_KEY", "OPENAI_BASE_URL", "SECRET_KEY", "ALLOWED_HOSTS", "HTTPS", "DEBUG")


class _Own:
    folder: Path | None = None
    server: embedded.Server | None = None


@pytest.hookimpl(wrapper=True)
def pytest_load_initial_conftests() -> Generator[None, object, object]:
    # Workers of xdist inherit the variables of the process that started the server.
    if "ECHOVESSEL_TEST_SERVER" not in os.environ:
        _start()
    return (yield)


def pytest_unconfigure() -> None:
    if _Own.server is not None and _Own.folder is not None:
        _Own.server.stop()
        shutil.rmtree(_Own.folder)
        _Own.server = None


def _start() -> None:
    _Own.folder = Path(tempfile.mkdtemp(prefix="echovessel-tests-"))
    _Own.folder.chmod(0o711)
    _Own.server = embedded.Server(_Own.folder, options=_FAST_AND_FORGETFUL, say=lambda _: None)
    _Own.server.start()
    for name in _FROM_OUTSIDE:
        os.environ.pop(name, None)
    os.environ |= {
        "ECHOVESSEL_TEST_SERVER": str(_Own.folder),
        "ECHOVESSEL_DATA_DIR": str(_Own.folder),
        "DATABASE_URL": embedded.database_url(_Own.folder),
        "EMBEDDING_BACKEND": "hash",
    }
