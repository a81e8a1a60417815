import pytest

from chat.benchmark import scratch_environment
from chat.benchmark.scratch_environment import InstallError


def test_what_is_installed_is_pinned():
    pins = scratch_environment.pins()

    assert [pin.partition("==")[0] for pin in pins if "==" in pin] == [
        "mem0ai",
        "langgraph-checkpoint-postgres",
        "psycopg[binary,pool]",
        "pgvector",
        "numpy",
    ]
    assert len(pins) == 5


def test_an_environment_is_made_once(tmp_path, monkeypatch):
    monkeypatch.setattr(scratch_environment, "pins", lambda: ["pip"])
    made = scratch_environment.python(tmp_path / "libraries")
    before = (tmp_path / "libraries" / "pins").stat().st_mtime_ns

    assert scratch_environment.python(tmp_path / "libraries") == made
    assert (tmp_path / "libraries" / "pins").stat().st_mtime_ns == before


def test_what_pip_refuses_is_said_and_tried_again(tmp_path, monkeypatch):
    monkeypatch.setattr(scratch_environment, "pins", lambda: ["./nothing-is-here"])

    with pytest.raises(InstallError, match="nothing-is-here"):
        scratch_environment.python(tmp_path / "libraries")
    assert not (tmp_path / "libraries" / "pins").exists()
