"""`manage.py serve` as a real process on a scratch data folder."""

import http.client
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import psutil
from django.conf import settings

# For a busy machine; a condition that holds is waited for no longer.
SECONDS = 180


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def command_of(process: psutil.Process) -> list[str]:
    try:
        command: list[str] = process.cmdline()
    except psutil.Error:
        # It has just ended.
        return []
    return command


class Install:
    """A data folder of its own, and at most one `serve` that was started here, with these variables."""

    def __init__(self, folder: Path, **variables: str) -> None:
        self.folder = folder
        self.variables = variables
        self.port = free_port()
        self.log = folder / "serve.log"
        self.serve: subprocess.Popen[bytes] | None = None

    def environment(self, **more: str) -> dict[str, str]:
        kept = {name: os.environ[name] for name in os.environ if not name.startswith(("ECHOVESSEL_", "DATABASE_URL"))}
        own = {"ECHOVESSEL_DATA_DIR": str(self.folder), "EMBEDDING_BACKEND": "hash"}
        return {**kept, **own, **self.variables, **more}

    def command(self, *arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "manage.py", *arguments],
            cwd=settings.BASE_DIR,
            env=self.environment(**variables),
            capture_output=True,
            text=True,
            check=False,
        )

    def take_static_files(self) -> None:
        """Take what the fixture `static_files` collected, so that the next start need not do it again."""
        shutil.copytree(settings.STATIC_ROOT, self.folder / "static", copy_function=os.link)
        shutil.copy(settings.DATA_DIR / "static.fingerprint", self.folder)

    def start(self, *arguments: str) -> None:
        self.serve = self._spawned(sys.executable, "manage.py", "serve", "--port", str(self.port), *arguments)
        self._wait_until_ready(self.serve)

    def start_by_make(self) -> subprocess.Popen[bytes]:
        make = self._spawned("make", "run", f"PORT={self.port}")
        self._wait_until_ready(make)
        return make

    def _spawned(self, *command: str) -> subprocess.Popen[bytes]:
        with self.log.open("wb") as log:
            return subprocess.Popen(command, cwd=settings.BASE_DIR, env=self.environment(), stdout=log, stderr=log)

    def _wait_until_ready(self, started: subprocess.Popen[bytes]) -> None:
        self.wait_for(lambda: "is ready at" in self.said() or started.poll() is not None)
        assert started.poll() is None, self.said()

    def said(self) -> str:
        return self.log.read_text()

    def get(self, path: str) -> tuple[int, bytes]:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=10)
        try:
            connection.request("GET", path)
            answer = connection.getresponse()
            return answer.status, answer.read()
        except OSError:
            return 0, b""
        finally:
            connection.close()

    def is_ready(self) -> bool:
        return self.get("/readyz")[0] == 200

    def part(self, name: str) -> psutil.Process:
        """The first process of a part: `web`, `worker` or `postgres`."""
        found: list[psutil.Process] = []

        def is_there() -> bool:
            found[:] = self.running(name)
            return bool(found)

        self.wait_for(is_there)
        return found[0]

    def running(self, name: str) -> list[psutil.Process]:
        """The same, or nothing while it is not there."""
        assert self.serve is not None
        wanted = {"web": "echovessel.runtime.web", "worker": "echovessel.runtime.worker", "postgres": "-D"}[name]
        return [child for child in psutil.Process(self.serve.pid).children() if wanted in command_of(child)]

    def processes(self) -> list[psutil.Process]:
        assert self.serve is not None
        below: list[psutil.Process] = psutil.Process(self.serve.pid).children(recursive=True)
        return below

    def wait_for(self, condition: Callable[[], bool]) -> None:
        deadline = time.monotonic() + SECONDS
        while not condition():
            assert time.monotonic() < deadline, self.said()[-10_000:]
            time.sleep(0.05)

    def stop(self, number: signal.Signals = signal.SIGTERM) -> int:
        assert self.serve is not None
        if self.serve.poll() is None:
            self.serve.send_signal(number)
        try:
            return self.serve.wait(SECONDS)
        except subprocess.TimeoutExpired:
            # Left alone it would fail whatever test comes next, and say nothing.
            self.serve.kill()
            self.serve.wait()
            raise AssertionError(f"serve did not end within {SECONDS} s: {self.said()[-10_000:]}") from None
