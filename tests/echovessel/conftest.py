import shutil
import signal
import tempfile
from pathlib import Path

import pytest


@pytest.fixture
def open_folder():
    """A folder that another user may pass through: pytest's own bar everybody else, and root's database runs as somebody else."""
    folder = Path(tempfile.mkdtemp(prefix="echovessel-test-"))
    folder.chmod(0o711)
    yield folder
    shutil.rmtree(folder)


@pytest.fixture
def signals_as_they_were():
    """For commands, which take the signals that end them."""
    before = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)}
    yield
    for number, handler in before.items():
        signal.signal(number, handler)
