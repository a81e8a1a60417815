"""Loaded by `-p` before Django: gives the tests a PostgreSQL and a data folder of their own, shared by all of pytest-xdist's workers."""

import atexit
import os
import shutil
import tempfile
from collections.abc import Generator
from pathlib import Path

import pytest

from echovessel.postgres import server as postgres_server
from echovessel.postgres import server_paths

_FAST_AND_FORGETFUL = ("fsync=off", "synchronous_commit=off", "full_page_writes=off", "max_connections=300")
_FROM_OUTSIDE = ("REDIS_URL", "OPENAI_API_KEY", "OPENAI_BASE_URL", "SECRET_KEY", "ALLOWED_HOSTS", "HTTPS", "DEBUG")


@pytest.hookimpl(wrapper=True)
def pytest_load_initial_conftests() -> Generator[None, object, object]:
    # Workers of xdist inherit the variables of the process that started the server.
    if "ECHOVESSEL_TEST_SERVER" not in os.environ:
        _start()
    return (yield)


def _start() -> None:
    folder = Path(tempfile.mkdtemp(prefix="echovessel-tests-"))
    atexit.register(shutil.rmtree, folder)
    folder.chmod(0o711)
    server = postgres_server.Server(folder, options=_FAST_AND_FORGETFUL, say=lambda _: None)
    atexit.register(server.stop)
    server.start()
    for name in _FROM_OUTSIDE:
        os.environ.pop(name, None)
    os.environ |= {
        "ECHOVESSEL_TEST_SERVER": str(folder),
        "ECHOVESSEL_DATA_DIR": str(folder),
        "DATABASE_URL": server_paths.build_database_url(folder),
        "EMBEDDING_BACKEND": "hash",
    }
