import subprocess
import sys
from threading import Event

import pytest

from echovessel.embeddings.models import EmbeddingError
from echovessel.embeddings.queue import EmbeddingQueue


class Desk:
    """A queue whose first job holds the thread until all others wait; notes each piece that is made."""

    def __init__(self):
        self.queue = EmbeddingQueue()
        self.made = []
        self.opened = Event()
        self.jobs = [self.queue.submit(self.door(), size=0, is_turn=True, person="door")]

    def door(self):
        self.opened.wait(10)
        yield
        return []

    def steps(self, name, pieces):
        for at in range(pieces):
            self.made.append(name)
            if at < pieces - 1:
                yield
        return [name]

    def wants(self, person, name, *, pieces=1, is_turn=True):
        job = self.queue.submit(self.steps(name, pieces), size=pieces, is_turn=is_turn, person=person)
        self.jobs.append(job)
        return job

    def open(self):
        self.opened.set()
        for job in self.jobs:
            if not job.cancelled():
                job.result(10)
        return "".join(self.made)


@pytest.fixture
def desk():
    return Desk()


def test_what_is_short_goes_before_what_is_long_between_its_pieces(desk):
    desk.wants("mara", "L", pieces=3)
    desk.wants("lin", "s")

    assert desk.open() == "sLLL"


def test_nobodys_second_goes_before_anothers_first(desk):
    for _ in range(3):
        desk.wants("mara", "m")
    desk.wants("lin", "L", pieces=2)
    desk.wants("teo", "t")

    assert desk.open() == "mtLmLm"


def test_turns_go_before_everything_else(desk):
    desk.wants(None, "b", is_turn=False)
    desk.wants("mara", "L", pieces=3)

    assert desk.open() == "LLLb"


def test_who_comes_while_a_long_text_is_made_waits_for_one_piece(desk):
    def long():
        desk.made.append("L")
        desk.wants("lin", "s")
        yield
        desk.made.append("L")
        return []

    desk.jobs.append(desk.queue.submit(long(), size=2, is_turn=True, person="mara"))

    assert desk.open() == "LsL"


def test_what_is_given_up_is_not_made(desk):
    given_up = desk.wants("mara", "L", pieces=3)
    desk.wants("mara", "s")

    given_up.cancel()

    assert desk.open() == "s"


def test_error_reaches_who_waits_and_the_next_goes_on(desk):
    def failing():
        raise EmbeddingError("No model.")
        yield

    failed = desk.queue.submit(failing(), size=0, is_turn=True, person="mara")
    desk.wants("lin", "s")

    assert desk.open() == "s"
    with pytest.raises(EmbeddingError, match="No model"):
        failed.result(10)


def test_a_program_that_ends_does_not_wait_for_what_is_long():
    script = """
import itertools, threading
from echovessel.embeddings.queue import EmbeddingQueue
begun = threading.Event()
def endless():
    while True:
        begun.set()
        yield
wanted = EmbeddingQueue().submit(endless(), size=1, is_turn=True, person=1)
begun.wait()
"""
    ended = subprocess.run([sys.executable, "-c", script], timeout=30, capture_output=True, text=True, check=False)

    assert (ended.returncode, ended.stderr) == (0, "")
