"""The system user that runs PostgreSQL if root starts us: PostgreSQL refuses root. It must be able to reach its files."""

import os
import pwd
import shutil
import stat
import subprocess
from hashlib import sha256
from pathlib import Path

NAME = "echovessel"
FOLDER = Path("/var/lib/echovessel")


class NoAccountError(Exception):
    """No system user exists and none can be created; the text says what to do."""


def is_root() -> bool:
    return os.geteuid() == 0


def is_unreachable(path: Path) -> bool:
    """Whether the path or a folder above it is closed to other users."""
    return any(folder.exists() and not folder.stat().st_mode & stat.S_IXOTH for folder in (path, *path.parents))


def get_stand_in_folder(path: Path) -> Path:
    """Return the folder that replaces an unreachable path; the same path always gets the same folder."""
    return FOLDER / sha256(os.fsencode(path)).hexdigest()[:16]


def get_account(owned: Path) -> tuple[int, int]:
    """Return user and group of a folder's owner, or of our system user, which is created if it is missing."""
    if owned.exists() and owned.stat().st_uid:
        try:
            entry = pwd.getpwuid(owned.stat().st_uid)
        except KeyError:
            entry = _get_or_create_account()
    else:
        entry = _get_or_create_account()
    return entry.pw_uid, entry.pw_gid


def _get_or_create_account() -> pwd.struct_passwd:
    try:
        return pwd.getpwnam(NAME)
    except KeyError:
        pass
    useradd = shutil.which("useradd", path="/usr/sbin:/sbin:/usr/bin:/bin")
    command = [useradd or "useradd", "--system", "--user-group", "--no-create-home", "--home-dir", str(FOLDER)]
    try:
        subprocess.run([*command, "--shell", "/usr/sbin/nologin", NAME], check=True, capture_output=True)
    except (OSError, subprocess.CalledProcessError) as error:
        raise NoAccountError(
            f"PostgreSQL does not run as root, and the system user {NAME!r} could not be made for it. "
            "Make that user, or start EchoVessel as another user, or set DATABASE_URL."
        ) from error
    return pwd.getpwnam(NAME)


def chown_tree(folder: Path, owner: tuple[int, int]) -> None:
    """Change the owner of a folder and its content, unless the owner has it already."""
    if folder.stat().st_uid == owner[0]:
        return
    os.chown(folder, *owner)
    for path in folder.rglob("*"):
        os.chown(path, *owner, follow_symlinks=False)


def copy_if_unreachable(package: Path, version: str) -> Path:
    """Return the package of programs or, if it is unreachable, a copy in a system folder."""
    if not is_unreachable(package):
        return package
    copy = FOLDER / f"{package.name}-{version}"
    if not copy.exists():
        unfinished = copy.with_suffix(".unfinished")
        shutil.rmtree(unfinished, ignore_errors=True)
        make_traversable(FOLDER)
        # The programs load libraries from a folder beside the package.
        for part in package.parent.glob(f"{package.name}*"):
            if part.suffix != ".dist-info":
                shutil.copytree(part, unfinished / part.name, symlinks=True)
        make_traversable(unfinished)
        unfinished.rename(copy)
    return copy / package.name


def make_traversable(folder: Path) -> None:
    """Create a folder that other users may pass through, whatever the umask."""
    folder.mkdir(parents=True, exist_ok=True)
    folder.chmod(0o755)
