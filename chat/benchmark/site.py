"""Start a web process and a model server for it, as in an install, on the benchmark's database."""

import http.client
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import psutil

from echovessel.processes import child_process

READY_SECONDS = 120
STOP_SECONDS = 20
# The operator's settings would change the measurement.
_NEUTRAL = {"ALLOWED_HOSTS": "127.0.0.1", "HTTPS": "off", "REDIS_URL": "", "DATABASE_URL": "", "DEBUG": "off"}
_UNLIMITED = {"RATE_MESSAGES": "1000000", "RATE_WRITES": "1000000", "RATE_READS": "1000000", "DEBOUNCE_SECONDS": "0"}


class SiteError(Exception):
    """A process of the benchmark does not start."""


@dataclass(frozen=True)
class Site:
    port: int
    web: psutil.Process

    def measure_memory_mb(self) -> float:
        used: float = self.web.memory_info().rss / 1_000_000
        return used


@contextmanager
def serve_site(folder: Path) -> Iterator[Site]:
    """Serve the site. The data folder's database must be running. Raises SiteError."""
    port, model_port = find_free_port(), find_free_port()
    model = {"OPENAI_BASE_URL": f"http://127.0.0.1:{model_port}/v1", "OPENAI_API_KEY": "none"}
    env = build_environment(folder) | _UNLIMITED | model
    with (
        run_process(
            ["-m", "chat.benchmark.model_server", "--port", str(model_port)], env=env, log=folder / "model.log"
        ),
        run_process(["-m", "echovessel.runtime.web", "--port", str(port)], env=env, log=folder / "web.log") as web,
    ):
        wait_until_ready(port, "/readyz", process=web)
        yield Site(port=port, web=psutil.Process(web.pid))


def build_environment(folder: Path) -> dict[str, str]:
    """Build the environment of an install with this data folder and default settings."""
    return os.environ | _NEUTRAL | {"ECHOVESSEL_DATA_DIR": str(folder)}


def find_free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


@contextmanager
def run_process(arguments: Sequence[str], *, env: dict[str, str], log: Path) -> Iterator[subprocess.Popen[bytes]]:
    with log.open("wb") as output:
        process = child_process.spawn([sys.executable, *arguments], death_signal=signal.SIGKILL, env=env, output=output)
        try:
            yield process
        finally:
            process.terminate()
            child_process.finish(process, seconds=STOP_SECONDS)


def wait_until_ready(port: int, path: str, *, process: subprocess.Popen[bytes]) -> None:
    """Wait until a page answers. Raises SiteError."""
    deadline = time.monotonic() + READY_SECONDS
    while time.monotonic() < deadline and process.poll() is None:
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=5)
        try:
            connection.request("GET", path)
            if connection.getresponse().status == 200:
                return
        except OSError:
            pass
        finally:
            connection.close()
        time.sleep(0.02)
    raise SiteError(f"{' '.join(map(str, process.args))} did not answer; its log is beside the database.")  # type: ignore[arg-type]  # we give it a list
