"""Run other memory libraries as programs in the scratch environment."""

import json
import os
import subprocess
from pathlib import Path

from chat.benchmark import competitors, scratch_environment
from chat.benchmark.competitors.task import Task
from chat.benchmark.scratch_environment import InstallError

SCRIPTS = {"mem0": "with_mem0.py", "LangGraph PostgresStore": "with_langgraph.py"}
TIMEOUT_SECONDS = 3600
_OWN_VARIABLES = ("DJANGO_SETTINGS_MODULE", "PYTHONPATH", "OPENAI_BASE_URL", "OPENAI_API_KEY")


class LibraryError(Exception):
    """A library cannot be measured; the text says why."""


def run(name: str, task: Task) -> tuple[list[float], list[float]]:
    """Return the milliseconds of each write and of each search. Raises LibraryError."""
    try:
        python = scratch_environment.prepare_python(task.folder / "libraries")
    except InstallError as error:
        raise LibraryError(f"could not be installed: {error}") from error
    script = Path(competitors.__file__).parent / SCRIPTS[name]
    environment = {key: value for key, value in os.environ.items() if key not in _OWN_VARIABLES}
    command = [str(python), str(script), str(write_task(task))]
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
