import sys

import pytest

from chat.benchmark import libraries
from chat.benchmark.competitors import task
from chat.benchmark.competitors.task import Task, Text
from chat.benchmark.libraries import InstallError, LibraryError


@pytest.fixture
def given(tmp_path):
    return Task("dbname=none", tmp_path, [Text("She paints.", [1.0, 0.5])], [Text("Who paints?", [0.25, 0.5])], 10)


def test_a_task_is_read_as_it_was_written(given, monkeypatch):
    monkeypatch.setattr(sys, "argv", ["rival", str(libraries.write_task(given))])

    assert task.read_task() == given
    assert given.get_vectors() == {"She paints.": [1.0, 0.5], "Who paints?": [0.25, 0.5]}


def test_a_library_that_fails_says_why(given, monkeypatch):
    monkeypatch.setattr(libraries, "prepare_python", lambda folder: sys.executable)

    with pytest.raises(LibraryError, match="failed: ModuleNotFoundError: No module named 'mem0'"):
        libraries.run(given)


def test_libraries_that_cannot_be_installed_say_why(given, monkeypatch):
    def refuse(folder):
        raise InstallError("No matching distribution")

    monkeypatch.setattr(libraries, "prepare_python", refuse)

    with pytest.raises(LibraryError, match="could not be installed: No matching distribution"):
        libraries.run(given)
