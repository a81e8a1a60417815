"""A Python environment beside the benchmark's database, with the libraries of the extra `bench` and nothing of ours."""

import subprocess
import sys
import venv
from importlib.metadata import requires
from pathlib import Path

INSTALL_SECONDS = 900


class InstallError(Exception):
    """The environment cannot be made; the text is pip's last word."""


def read_pins() -> list[str]:
    """What the extra `bench` asks for."""
    asked = [one.partition(";") for one in requires("echovessel") or []]
    return [pin.strip() for pin, _, marker in asked if 'extra == "bench"' in marker.replace("'", '"')]


def prepare_python(folder: Path) -> Path:
    """The interpreter of the environment, made and filled where it is not yet. Raises InstallError."""
    wanted, stamp, found = "\n".join(read_pins()), folder / "pins", folder / "bin" / "python"
    if stamp.exists() and stamp.read_text() == wanted:
        return found
    # By our own pip, since to give the environment one takes seconds.
    pip = [sys.executable, "-m", "pip", "--python", str(found), "--disable-pip-version-check"]
    command = [*pip, "install", "--quiet", *read_pins()]
    try:
        venv.create(folder, clear=True)
        subprocess.run(command, capture_output=True, text=True, timeout=INSTALL_SECONDS, check=True)
    except subprocess.CalledProcessError as error:
        raise InstallError((error.stderr or str(error)).strip().splitlines()[-1]) from error
    except subprocess.TimeoutExpired as error:
        raise InstallError(f"pip was not done after {INSTALL_SECONDS} s") from error
    stamp.write_text(wanted)
    return found
