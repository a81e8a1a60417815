import os
import signal

from echovessel.processes.parent_process import ParentProcess


def test_parent_that_lives_is_not_over():
    assert not ParentProcess().is_over()


def test_parent_that_ended_is_over(monkeypatch):
    parent = ParentProcess()

    monkeypatch.setattr(os, "getppid", lambda: 1)

    assert parent.is_over()


def test_parent_that_was_interrupted_is_over(monkeypatch):
    monkeypatch.setattr(os, "getppid", os.getpid)
    # Tests that a script starts in the background ignore it from the beginning.
    handler = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        parent = ParentProcess()
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        assert parent.is_over()
    finally:
        signal.signal(signal.SIGINT, handler)


def test_parent_that_cannot_be_looked_at_is_not_over(monkeypatch):
    monkeypatch.setattr(os, "getppid", lambda: 4_000_000)

    assert not ParentProcess().is_over()
