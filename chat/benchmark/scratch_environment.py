"""A Python environment beside the benchmark's database, with the libraries of the extra `bench` and nothing of ours."""

import subprocess
import venv
from importlib.metadata import requires
from pathlib import Path

INSTALL_SECONDS = 900


class InstallError(Exception):
    """The environment cannot be made; the text is pip's last word."""


def pins() -> list[str]:
    """What the extra `bench` asks for."""
    asked = [one.partition(";") for one in requires("echovessel") or []]
    return [pin.strip() for pin, _, marker in asked if 'extra == "bench"' in marker.replace("'", '"')]


def python(folder: Path) -> Path:
    """The interpreter of the environment, made and filled where it is not yet. Raises InstallError."""
    wanted, stamp, found = "\n".join(pins()), folder / "pins", folder / "bin" / "python"
    if stamp.exists() and stamp.read_text() == wanted:
        return found
    venv.create(folder, with_pip=True, clear=True)
    command = [str(found), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *pins()]
    ended = subprocess.run(command, capture_output=True, text=True, timeout=INSTALL_SECONDS, check=False)
    if ended.returncode:
        raise InstallError((ended.stderr.strip() or "pip failed").splitlines()[-1])
    stamp.write_text(wanted)
    return found
