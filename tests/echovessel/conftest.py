import shutil
import signal
import tempfile
from pathlib import Path

import pytest


@pytest.fixture
def open_folder():
    """A folder that other users may pass through: pytest's are private, and root's database runs as another user."""
    folder = Path(tempfile.mkdtemp(prefix="echovessel-test-"))
    folder.chmod(0o711)
    yield folder
    shutil.rmtree(folder)


@pytest.fixture
def signals_as_they_were():
    """Restore signal handlers after commands, which install their own."""
    before = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)}
    yield
    for number, handler in before.items():
        signal.signal(number, handler)
