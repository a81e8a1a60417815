"""What hangs is found and started again, by real processes and small patience."""

import queue
import signal
import socket
import time
from functools import partial

import psutil
import pytest

from echovessel.runtime import heartbeat, serving
from echovessel.runtime.heartbeat import HeartbeatMonitor
from echovessel.runtime.serving import Address
from echovessel.runtime.supervisor import HealthCheck, HealthCheckLimits, PythonProcess, Supervisor

QUICK = HealthCheckLimits(every_seconds=0.05, misses=3, start_seconds=30)
WEB = """
import sys
from http.server import BaseHTTPRequestHandler, HTTPServer

class Pages(BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(400)
        self.end_headers()

    def log_message(self, *args):
        pass

HTTPServer(("127.0.0.1", int(sys.argv[1])), Pages).serve_forever()
"""
WORKER = """
import os, sys, time
from pathlib import Path
from echovessel.runtime import heartbeat

heartbeat.BEAT_SECONDS = 0.01
beats = Path(sys.argv[1])
heartbeat.clear(beats)
os.register_at_fork(after_in_child=lambda: heartbeat.start_beating(beats))
heartbeat.start_beating(beats)
os.fork()
# A task that takes long.
time.sleep(600)
"""


class Watched:
    """A process under a supervisor, with what it said."""

    def __init__(self, arguments, answers, patience=QUICK):
        self.said = []
        self.answers = []

        def noted():
            self.answers.append(answers())
            return self.answers[-1]

        self.process = PythonProcess(arguments, stop_seconds=5)
        self.supervisor = Supervisor(self.said.append)
        self.kept = self.supervisor.start("part", self.process, HealthCheck(noted, patience))

    def watch_until(self, condition):
        deadline = time.monotonic() + 60
        held = []

        def is_over():
            held.append(condition())
            return held[-1] or time.monotonic() > deadline

        self.supervisor.watch(lambda: None, until=is_over)
        assert held[-1], self.said

    def is_started_anew(self, pid):
        return self.process.process.pid != pid and self.answers[-1]


@pytest.fixture
def web():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    answers = partial(serving.is_alive, Address("127.0.0.1", port), seconds=0.2)
    watched = Watched(["-c", WEB, str(port)], answers)
    yield watched
    watched.supervisor.stop()


@pytest.fixture
def worker(tmp_path):
    beats = tmp_path / "heartbeats"
    watched = Watched(
        ["-c", WORKER, str(beats)], HeartbeatMonitor(beats).are_fresh, HealthCheckLimits(every_seconds=0.3)
    )
    watched.beats = beats
    yield watched
    watched.supervisor.stop()


def test_part_is_asked_each_second_until_it_has_answered():
    asked = queue.Queue()
    watch = HealthCheck(lambda: asked.put(True) or True, HealthCheckLimits(every_seconds=5))
    watch.begin(100)

    times = []
    for now in (100.9, 101, 101, 102, 102, 106.9, 107):
        watch.is_hanging(now)
        if watch._asking is not None:
            watch._asking.result()
            times.append(now)

    assert (times, asked.qsize()) == ([101, 102, 107], 3)


def test_web_process_that_hangs_is_started_again(web):
    web.watch_until(lambda: any(web.answers))
    pid = web.process.process.pid

    web.process.process.send_signal(signal.SIGSTOP)
    web.watch_until(lambda: web.is_started_anew(pid))

    assert web.said == ["The part did not answer and was ended; starting it again in 0.5 s"]


@pytest.mark.parametrize("which", ["main", "child"])
def test_process_of_a_worker_that_hangs_has_it_started_again(worker, which):
    worker.watch_until(lambda: len(list(worker.beats.glob("*"))) == 2)
    main = psutil.Process(worker.process.process.pid)
    [child] = main.children()

    (main if which == "main" else child).suspend()
    worker.watch_until(lambda: worker.process.process.pid != main.pid)

    assert worker.said == ["The part did not answer and was ended; starting it again in 0.5 s"]
    psutil.wait_procs([main, child], timeout=10)


def test_worker_that_works_long_goes_on(worker):
    worker.watch_until(lambda: len(list(worker.beats.glob("*"))) == 2)
    first = len(worker.answers)

    worker.watch_until(lambda: len(worker.answers) == first + 5)

    assert (worker.answers[first:], worker.said) == ([True] * 5, [])


def test_child_of_a_worker_that_has_ended_is_not_waited_for(worker):
    beats = HeartbeatMonitor(worker.beats)
    worker.watch_until(lambda: len(list(worker.beats.glob("*"))) == 2)
    [child] = psutil.Process(worker.process.process.pid).children()

    child.kill()
    worker.watch_until(lambda: beats.are_fresh() and list(beats.seen) == [str(worker.process.process.pid)])

    assert not (worker.beats / str(child.pid)).exists()


def test_no_signs_of_life_are_no_life(tmp_path):
    assert not HeartbeatMonitor(tmp_path / "none").are_fresh()


class Clocked:
    """A watch whose questions are answered at once, at times that the test says."""

    def __init__(self, **patience):
        self.answer = False
        self.watch = HealthCheck(lambda: self.answer, HealthCheckLimits(**patience))
        self.now = 100.0
        self.watch.begin(self.now)

    def asked(self):
        self.now += self.watch.patience.every_seconds
        self.watch.is_hanging(self.now)
        self.watch._asking.result()
        return self.watch.is_hanging(self.now)


def test_part_hangs_at_the_third_miss_in_a_row():
    part = Clocked(every_seconds=5, misses=3)
    hung = []
    for part.answer in (True, False, False, True, False, False, False):
        hung.append(part.asked())

    assert hung == [False] * 6 + [True]


def test_part_may_take_a_minute_to_answer_for_the_first_time():
    part = Clocked(every_seconds=10, misses=3, start_seconds=60)

    assert [part.asked() for _ in range(8)] == [False] * 7 + [True]

    # On a busy machine the next start has twice the time, until one succeeds.
    part.watch.begin(part.now)
    assert [part.asked() for _ in range(14)] == [False] * 13 + [True]
    part.watch.begin(part.now)
    part.answer = True
    part.asked()
    part.watch.begin(part.now)
    part.answer = False
    assert [part.asked() for _ in range(8)] == [False] * 7 + [True]


def test_part_that_was_started_again_is_asked_anew():
    part = Clocked(every_seconds=10, misses=1, start_seconds=0)
    assert part.asked()

    part.watch.begin(part.now)
    part.answer = True

    assert not part.asked()


def test_heartbeats_are_kept_in_the_data_folder(tmp_path):
    assert heartbeat.get_folder(tmp_path) == tmp_path / "heartbeats"
