import shutil
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
