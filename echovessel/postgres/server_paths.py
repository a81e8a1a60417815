"""Where the server of a data folder keeps its files and answers. It is only computed, so that every command finds it."""

import os
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from urllib.parse import quote

from django.core.exceptions import ImproperlyConfigured

from echovessel.postgres import system_user

DATABASE = "echovessel"
USER = "postgres"
# Names the socket; nothing listens on a network. Passed explicitly to both sides, since PGPORT would override it.
PORT = 5432
# The system limits socket paths to 107 bytes.
_LONGEST_SOCKET_PATH = 100


def build_database_url(data_dir: Path) -> str:
    return f"postgres://{USER}:@/{DATABASE}?host={quote(str(ServerPaths(data_dir).socket))}&port={PORT}"


@dataclass(frozen=True)
class ServerPaths:
    data_dir: Path

    @cached_property
    def home(self) -> Path:
        """Return the data folder. If root runs us and the server's user cannot reach it, return a system folder behind a link."""
        link = self.data_dir / "postgres"
        if link.is_symlink():
            return link.readlink().parent
        stand_in = system_user.get_stand_in_folder(self.data_dir)
        if not system_user.is_root() or link.exists():
            return self.data_dir
        if stand_in.exists() or system_user.is_unreachable(self.data_dir):
            return stand_in
        return self.data_dir

    @property
    def files(self) -> Path:
        return self.home / "postgres"

    @property
    def socket(self) -> Path:
        folder = self.home / "socket"
        if len(os.fsencode(folder / f".s.PGSQL.{PORT}")) <= _LONGEST_SOCKET_PATH:
            return folder
        return _get_short_folder(self.data_dir)

    @property
    def log(self) -> Path:
        return self.data_dir / "postgres.log"


def _get_short_folder(data_dir: Path) -> Path:
    digest = sha256(os.fsencode(data_dir)).hexdigest()[:16]
    folder = Path(f"/tmp/echovessel-{os.geteuid()}-{digest}")
    # Another user may create this folder first and impersonate our server.
    if folder.exists() and not system_user.is_root() and folder.stat().st_uid != os.geteuid():
        raise ImproperlyConfigured(
            f"{folder} belongs to another user; name a data folder with a shorter path in ECHOVESSEL_DATA_DIR."
        )
    return folder
