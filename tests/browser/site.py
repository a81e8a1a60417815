"""The real web process, and the worker where a test needs it, on the test's own database."""

import http.client
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit

from django.db import connection

from echovessel.processes import child_process
from tests.support.serving import free_port

# For a busy machine; a condition that holds is waited for no longer.
SECONDS = 180
BUSY = """
SELECT count(*) FROM pg_stat_activity
WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend' AND state <> 'idle'
"""


class Site:
    def __init__(self, folder: Path, **variables: str) -> None:
        self.folder = folder
        self.variables = variables
        self.port = free_port()
        self.address = f"http://127.0.0.1:{self.port}"
        self.processes: dict[str, subprocess.Popen[bytes]] = {}

    def environment(self) -> dict[str, str]:
        place = urlsplit(os.environ["DATABASE_URL"])
        # What is killed writes down no coverage.
        kept = {name: os.environ[name] for name in os.environ if not name.startswith("COVERAGE_")}
        return {
            **kept,
            "DATABASE_URL": urlunsplit(place._replace(path=f"/{connection.settings_dict['NAME']}")),
            "DEBOUNCE_SECONDS": "0.2",
            "RATE_MESSAGES": "1000",
            **self.variables,
        }

    def start(self, part: str) -> None:
        arguments = {
            "web": ["-m", "echovessel.runtime.web", "--port", str(self.port)],
            "worker": ["-m", "echovessel.runtime.worker"],
        }[part]
        with (self.folder / f"{part}.log").open("ab") as log:
            # It ends with the tests, also where they are killed.
            self.processes[part] = child_process.spawn(
                [sys.executable, *arguments],
                death_signal=signal.SIGKILL,
                env=self.environment(),
                output=log,
            )

    def said(self, part: str) -> str:
        return (self.folder / f"{part}.log").read_text()

    def wait_until_it_answers(self) -> None:
        deadline = time.monotonic() + SECONDS
        while not self.answers():
            assert time.monotonic() < deadline, self.said("web")
            time.sleep(0.05)

    def answers(self) -> bool:
        line = http.client.HTTPConnection("127.0.0.1", self.port, timeout=5)
        try:
            line.request("GET", "/healthz")
            return line.getresponse().status == 200
        except OSError:
            return False
        finally:
            line.close()

    def wait_until_it_rests(self) -> None:
        """Until no other process is in a transaction for a fifth of a second: emptying the tables beside one ends in a deadlock.

        A page that was closed still tells the server that it has left.
        """
        deadline = time.monotonic() + SECONDS
        quiet_looks = 0
        while quiet_looks < 4:
            assert time.monotonic() < deadline, self.said("web")
            with connection.cursor() as cursor:
                cursor.execute(BUSY)
                quiet_looks = quiet_looks + 1 if cursor.fetchone() == (0,) else 0
            time.sleep(0.05)

    def kill(self, part: str) -> None:
        """Kill a part and all its children."""
        process = self.processes.pop(part)
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()

    def stop(self) -> None:
        for part in list(self.processes):
            self.kill(part)
