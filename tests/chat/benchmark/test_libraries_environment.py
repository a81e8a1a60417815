import subprocess
import zipfile

import pytest

from chat.benchmark import libraries
from chat.benchmark.libraries import InstallError


def test_what_is_installed_is_pinned():
    pins = libraries.read_pins()

    assert [pin.partition("==")[0] for pin in pins if "==" in pin] == [
        "mem0ai",
        "psycopg[binary,pool]",
        "pgvector",
        "numpy",
    ]
    assert len(pins) == 4


@pytest.fixture
def wheel(tmp_path):
    """The smallest possible package, so that no network is needed."""
    path = tmp_path / "nothing-1.0-py3-none-any.whl"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("nothing.py", "")
        archive.writestr("nothing-1.0.dist-info/METADATA", "Metadata-Version: 2.1\nName: nothing\nVersion: 1.0\n")
        archive.writestr(
            "nothing-1.0.dist-info/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
        )
        archive.writestr("nothing-1.0.dist-info/RECORD", "")
    return path


def test_an_environment_is_made_once(tmp_path, wheel, monkeypatch):
    monkeypatch.setattr(libraries, "read_pins", lambda: [str(wheel)])
    made = libraries.prepare_python(tmp_path / "libraries")
    before = (tmp_path / "libraries" / "pins").stat().st_mtime_ns

    assert subprocess.run([made, "-c", "import nothing"], check=False).returncode == 0
    assert libraries.prepare_python(tmp_path / "libraries") == made
    assert (tmp_path / "libraries" / "pins").stat().st_mtime_ns == before


def test_what_pip_refuses_is_said_and_tried_again(tmp_path, monkeypatch):
    monkeypatch.setattr(libraries, "read_pins", lambda: ["./nothing-is-here"])

    with pytest.raises(InstallError, match="nothing-is-here"):
        libraries.prepare_python(tmp_path / "libraries")
    assert not (tmp_path / "libraries" / "pins").exists()
