"""`manage.py serve`: prepares, starts and stops a whole install on one machine."""

import errno
import http.client
import json
import socket
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from django.apps import apps
from django.conf import settings

from echovessel.archives import backups
from echovessel.configuration import data_folder
from echovessel.http import clients
from echovessel.postgres import server as postgres_server
from echovessel.processes.parent_process import ParentProcess
from echovessel.runtime import heartbeat, preparation
from echovessel.runtime.heartbeat import HeartbeatMonitor
from echovessel.runtime.supervisor import (
    HealthCheck,
    HealthCheckLimits,
    PythonProcess,
    SupervisedPart,
    Supervisor,
    interrupt_on_signals,
)

# The remains of a killed or stopping `serve` need a moment to end.
_PATIENCE_SECONDS = 5
_SLOW_SECONDS = 60
_TRIES = 3
_WEB_STOP_SECONDS = 15
_WORKER_STOP_SECONDS = 20
# How long the web process and the database may take to answer; three misses in a row are too many.
_ANSWER_SECONDS = 10
_CHECK_LIMITS = HealthCheckLimits()
# Longer than the time between two heartbeats.
_WORKER_CHECK_LIMITS = HealthCheckLimits(every_seconds=5 * heartbeat.BEAT_SECONDS)

Say = Callable[[str], None]


class ServeError(Exception):
    """The install cannot start; the text is a sentence for the operator."""


@dataclass(frozen=True)
class Address:
    host: str
    port: int

    def is_loopback(self) -> bool:
        return clients.is_loopback(self.host)

    @property
    def reached_by(self) -> str:
        """Return the host by which this machine reaches it."""
        return {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(self.host, self.host)

    def __str__(self) -> str:
        host = f"[{self.reached_by}]" if ":" in self.reached_by else self.reached_by
        return f"http://{host}:{self.port}"


def serve(address: Address, *, with_worker: bool, with_parent: bool, say: Say) -> None:
    """Run until a signal or, with `with_parent`, until our parent ends. Raises ServeError."""
    is_asked_to_stop = interrupt_on_signals()
    parent = ParentProcess() if with_parent else None
    supervisor = Supervisor(say)
    try:
        with data_folder.lock(settings.DATA_DIR, patience_seconds=_PATIENCE_SECONDS):
            _require_whole_folder()
            _require_free_port(address)
            try:
                announcement = _start(supervisor, address, with_worker=with_worker, say=say)
                supervisor.watch(
                    announcement.look, until=lambda: is_asked_to_stop() or (parent is not None and parent.is_over())
                )
                say("Stopping")
            except KeyboardInterrupt:
                say("Stopping")
            finally:
                supervisor.stop()
    except KeyboardInterrupt:
        # Interrupted before anything was started.
        return
    except data_folder.FolderInUseError as error:
        raise ServeError(
            f"Another EchoVessel serves the data folder {settings.DATA_DIR}; stop it, or name another in ECHOVESSEL_DATA_DIR."
        ) from error
    except (postgres_server.EmbeddedPostgresError, preparation.PreparationError) as error:
        raise ServeError(str(error)) from error


def _start(supervisor: Supervisor, address: Address, *, with_worker: bool, say: Say) -> "_ReadyAnnouncer":
    if settings.DATABASE_IS_EMBEDDED:
        server = postgres_server.Server(settings.DATA_DIR, say=say)
        supervisor.start(
            "database", server, HealthCheck(partial(server.answers, seconds=_ANSWER_SECONDS), _CHECK_LIMITS)
        )
    preparation.prepare(say)
    _require_setup_code(address, say)
    arguments = ["-m", "echovessel.runtime.web", "--host", address.host, "--port", str(address.port)]
    process = PythonProcess(arguments, stop_seconds=_WEB_STOP_SECONDS)
    web = supervisor.start("web process", process, HealthCheck(partial(is_alive, address), _CHECK_LIMITS))
    if with_worker:
        worker = PythonProcess(["-m", "echovessel.runtime.worker"], stop_seconds=_WORKER_STOP_SECONDS)
        beats = HeartbeatMonitor(heartbeat.get_folder(settings.DATA_DIR))
        supervisor.start("worker", worker, HealthCheck(beats.are_fresh, _WORKER_CHECK_LIMITS))
    return _ReadyAnnouncer(address, web, say)


def _require_whole_folder() -> None:
    if backups.is_half_restored(settings.DATA_DIR):
        raise ServeError(
            f"A backup was being restored into {settings.DATA_DIR} and was broken off; run `manage.py restore` again."
        )


def is_alive(address: Address, *, seconds: float = _ANSWER_SECONDS) -> bool:
    """Whether the web process answers."""
    return _fetch(address, "/healthz", seconds=seconds) is not None


def _fetch(address: Address, path: str, *, seconds: float) -> tuple[int, bytes] | None:
    """Return the status and the body of a page; None if the web process does not answer."""
    connection = http.client.HTTPConnection(address.reached_by, address.port, timeout=seconds)
    try:
        connection.request("GET", path, headers={"Host": _get_allowed_host()})
        answer = connection.getresponse()
        return answer.status, answer.read()
    except (OSError, http.client.HTTPException):
        return None
    finally:
        connection.close()


def _require_free_port(address: Address) -> None:
    deadline = time.monotonic() + _PATIENCE_SECONDS
    family = socket.AF_INET6 if ":" in address.host else socket.AF_INET
    while True:
        try:
            with socket.socket(family) as probe:
                probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
                probe.bind((address.host, address.port))
                return
        except OSError as error:
            if error.errno != errno.EADDRINUSE:
                raise ServeError(f"{address.host} port {address.port} cannot be used: {error.strerror}.") from error
            if time.monotonic() > deadline:
                raise ServeError(f"Port {address.port} is taken; choose another: make run PORT=8001.") from error
            time.sleep(0.1)


def _require_setup_code(address: Address, say: Say) -> None:
    """If strangers can reach the sign-up page, create the code for the first account and show it to the operator."""
    is_reached = not (address.is_loopback() and clients.is_local_only())
    if is_reached and not apps.get_model("personas", "Install").objects.exists():
        code = data_folder.load_setup_code(settings.DATA_DIR)
        say(
            f"Nobody has signed up yet. The first to do so becomes the administrator and needs this set-up code: {code}"
        )
    else:
        data_folder.drop_setup_code(settings.DATA_DIR)


class _ReadyAnnouncer:
    """Says once that the pages answer, or why they do not."""

    def __init__(self, address: Address, web: SupervisedPart, say: Say) -> None:
        self.address = address
        self.web = web
        self.say = say
        self.slow_at = time.monotonic() + _SLOW_SECONDS
        self.is_made = False

    def look(self) -> None:
        if self.is_made:
            return
        if self.web.end_count >= _TRIES:
            raise ServeError("The web process does not start; its own messages above say why.")
        reasons = self._fetch_reasons()
        if not reasons:
            self.say(f"EchoVessel is ready at {self.address}")
            self.is_made = True
        elif time.monotonic() > self.slow_at:
            self.say(f"Not ready yet. {' '.join(reasons)}")
            self.slow_at += _SLOW_SECONDS

    def _fetch_reasons(self) -> list[str]:
        answer = _fetch(self.address, "/readyz", seconds=5)
        if answer is None:
            return ["The web process does not answer."]
        status, body = answer
        if status not in {200, 503}:
            return [f"The web process answers with status {status}."]
        reasons: list[str] = json.loads(body)["reasons"]
        return reasons


def _get_allowed_host() -> str:
    host = settings.ALLOWED_HOSTS[0] if settings.ALLOWED_HOSTS else "localhost"
    return "localhost" if host == "*" else host.lstrip(".")
