"""Run mem0 as a program, in a Python environment beside the benchmark's database with the extra `bench`."""

import json
import os
import subprocess
import sys
import venv
from importlib.metadata import requires
from pathlib import Path

from chat.benchmark import competitors
from chat.benchmark.competitors.task import Task

SCRIPT = Path(competitors.__file__).parent / "with_mem0.py"
TIMEOUT_SECONDS = 3600
_OWN_VARIABLES = ("DJANGO_SETTINGS_MODULE", "PYTHONPATH", "OPENAI_BASE_URL", "OPENAI_API_KEY")
INSTALL_SECONDS = 900


class LibraryError(Exception):
    """The library cannot be measured; the text says why."""


def run(task: Task) -> tuple[list[float], list[float]]:
    """Return the milliseconds of each write and of each search. Raises LibraryError."""
    try:
        python = prepare_python(task.folder / "libraries")
    except InstallError as error:
        raise LibraryError(f"could not be installed: {error}") from error
    environment = {key: value for key, value in os.environ.items() if key not in _OWN_VARIABLES}
    command = [str(python), str(SCRIPT), str(write_task(task))]
    try:
        ended = subprocess.run(
            command, capture_output=True, text=True, timeout=TIMEOUT_SECONDS, env=environment, check=False
        )
    except subprocess.TimeoutExpired as error:
        raise LibraryError(f"was not done after {TIMEOUT_SECONDS} s") from error
    if ended.returncode:
        raise LibraryError(f"failed: {(ended.stderr.strip() or 'without a word').splitlines()[-1]}")
    told = json.loads(ended.stdout.splitlines()[-1])
    return told["add"], told["search"]


def write_task(task: Task) -> Path:
    import numpy

    path = task.folder / "task.json"
    texts = [*task.memories, *task.queries]
    numpy.save(path.with_suffix(".npy"), numpy.array([text.vector for text in texts], dtype="float32"))
    asked = {
        "database_url": task.database_url,
        "texts": [text.content for text in texts],
        "memories": len(task.memories),
        "most": task.most,
    }
    path.write_text(json.dumps(asked))
    return path


class InstallError(Exception):
    """The environment cannot be made; the text is the last line of pip's output."""


def read_pins() -> list[str]:
    """Return the requirements of the extra `bench`."""
    asked = [one.partition(";") for one in requires("echovessel") or []]
    return [pin.strip() for pin, _, marker in asked if 'extra == "bench"' in marker.replace("'", '"')]


def prepare_python(folder: Path) -> Path:
    """Return the environment's interpreter; create and fill the environment first if necessary. Raises InstallError."""
    wanted, stamp, found = "\n".join(read_pins()), folder / "pins", folder / "bin" / "python"
    if stamp.exists() and stamp.read_text() == wanted:
        return found
    # With our own pip: installing pip into the environment takes seconds.
    pip = [sys.executable, "-m", "pip", "--python", str(found), "--disable-pip-version-check"]
    command = [*pip, "install", "--quiet", *read_pins()]
    try:
        venv.create(folder, clear=True)
        subprocess.run(command, capture_output=True, text=True, timeout=INSTALL_SECONDS, check=True)
    except subprocess.CalledProcessError as error:
        raise InstallError((error.stderr or str(error)).strip().splitlines()[-1]) from error
    except subprocess.TimeoutExpired as error:
        raise InstallError(f"pip was not done after {INSTALL_SECONDS} s") from error
    stamp.write_text(wanted)
    return found
