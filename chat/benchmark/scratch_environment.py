"""A Python environment beside the benchmark's database with the libraries of the extra `bench`."""

import subprocess
import sys
import venv
from importlib.metadata import requires
from pathlib import Path

INSTALL_SECONDS = 900


class InstallError(Exception):
    """The environment cannot be made; the text is the last line of pip's output."""


def read_pins() -> list[str]:
    """Return the requirements of the extra `bench`."""
    asked = [one.partition(";") for one in requires("echovessel") or []]
    return [pin.strip() for pin, _, marker in asked if 'extra == "bench"' in marker.replace("'", '"')]


def prepare_python(folder: Path) -> Path:
    """Return the environment's interpreter; create and fill the environment first if necessary. Raises InstallError."""
    wanted, stamp, found = "\n".join(read_pins()), folder / "pins", folder / "bin" / "python"
    if stamp.exists() and stamp.read_text() == wanted:
        return found
    # With our own pip: installing pip into the environment takes seconds.
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
