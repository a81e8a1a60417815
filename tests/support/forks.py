"""Commands of `manage.py`, each a fork of one process, so that Python and what all of them import start once."""

import json
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager

from django.conf import settings

Run = Callable[..., "subprocess.CompletedProcess[str]"]
# Without the settings, which each command reads for itself; with them, and all that a command imports.
DJANGO = "import django.core.management"
APPS = "import django; django.setup(); import memory.tasks"
FORK_EACH = """
import json, os, sys, tempfile
import manage
for line in sys.stdin:
    arguments, variables = json.loads(line)
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        if (child := os.fork()) == 0:
            os.dup2(out.fileno(), 1)
            os.dup2(err.fileno(), 2)
            os.environ |= variables
            sys.argv[1:] = arguments
            manage.main()
            sys.exit()
        code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        said = [file.seek(0) or file.read().decode() for file in (out, err)]
    print(json.dumps([code, *said]), flush=True)
"""


@contextmanager
def commands(*, after: str, environment: Mapping[str, str]) -> Iterator[Run]:
    """Give a function that runs one with its arguments and variables; what stands in `after` is done once, before all."""
    with subprocess.Popen(
        [sys.executable, "-c", f"{after}\n{FORK_EACH}"],
        cwd=settings.BASE_DIR,
        env=environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        calls, answers = process.stdin, process.stdout

        def run(*arguments: str, **variables: str) -> "subprocess.CompletedProcess[str]":
            print(json.dumps([arguments, variables]), file=calls, flush=True)
            return subprocess.CompletedProcess(arguments, *json.loads(answers.readline()))

        yield run
        # At the end of its input it ends.
        calls.close()
