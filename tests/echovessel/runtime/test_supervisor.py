import os
import signal
import subprocess
import sys

import psutil
import pytest

from echovessel.postgres.server import EmbeddedPostgresError
from echovessel.processes import child_process
from echovessel.runtime.supervisor import PythonProcess, SupervisedPart, Supervisor, interrupt_on_signals


class FakePart:
    def __init__(self, *, fails=()):
        self.running = False
        self.fails = list(fails)
        self.calls = []

    def start(self):
        self.calls.append("start")
        if self.fails:
            raise EmbeddedPostgresError(self.fails.pop(0))
        self.running = True

    def is_running(self):
        return self.running

    def ask_to_stop(self):
        self.calls.append("ask")

    def stop(self):
        self.calls.append("stop")


@pytest.fixture
def old_handlers():
    numbers = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
    handlers = [signal.getsignal(number) for number in numbers]
    yield
    for number, handler in zip(numbers, handlers, strict=True):
        signal.signal(number, handler)


def _kept(part, said, now=0.0):
    kept = SupervisedPart("part", part, said.append)
    kept.start(now)
    return kept


def test_part_that_ends_is_started_again_after_growing_pauses():
    part, said, started_at = FakePart(), [], []
    kept = _kept(part, said)

    for tick in range(100):
        now = tick / 10
        if part.running:
            started_at.append(now)
            part.running = False
        kept.check(now)

    assert started_at == [0, 0.6, 1.7, 3.8, 7.9]
    assert said == [f"The part ended; starting it again in {pause} s" for pause in ("0.5", "1", "2", "4", "8")]


def test_pause_is_short_again_after_a_minute_without_trouble():
    part, said = FakePart(), []
    kept = _kept(part, said)
    for now in (1, 3):
        part.running = False
        kept.check(now)
        kept.check(now + 1)

    kept.check(70)
    part.running = False
    kept.check(71)

    assert said[-1] == "The part ended; starting it again in 0.5 s"


def test_part_that_cannot_start_now_says_why_and_is_tried_again():
    part, said = FakePart(), []
    kept = _kept(part, said)
    part.running, part.fails = False, ["No space left."]

    for now in (1, 2, 4):
        kept.check(now)

    assert (part.running, kept.end_count) == (True, 2)
    assert said == ["The part ended; starting it again in 0.5 s", "No space left.; starting it again in 1 s"]


def test_parts_are_all_asked_and_then_stopped_from_the_last_to_the_first():
    order = []

    class Listed(FakePart):
        def __init__(self, name):
            super().__init__()
            self.name = name

        def ask_to_stop(self):
            order.append(f"ask {self.name}")

        def stop(self):
            order.append(f"stop {self.name}")

    supervisor = Supervisor(lambda _: None)
    for name in ("database", "web", "worker"):
        supervisor.start(name, Listed(name))

    supervisor.stop()

    assert order == ["ask worker", "ask web", "ask database", "stop worker", "stop web", "stop database"]


def test_watch_keeps_parts_running_until_it_is_told_to_end():
    part = FakePart()
    supervisor = Supervisor(lambda _: None)
    supervisor.start("part", part)
    part.running = False
    looks = []

    supervisor.watch(lambda: looks.append(part.running), until=lambda: part.running)

    assert looks[0] is False
    assert looks[-1] is True


def test_process_is_asked_and_ends():
    process = PythonProcess(["-c", "import time; time.sleep(60)"], stop_seconds=10)
    process.start()

    process.ask_to_stop()
    process.stop()

    assert (process.is_running(), process.process.returncode) == (False, -signal.SIGTERM)


def test_process_that_does_not_listen_is_ended_with_all_it_started():
    script = (
        "import signal, subprocess, sys;"
        "signal.signal(signal.SIGTERM, signal.SIG_IGN);"
        "child = subprocess.Popen(['cat'], stdin=subprocess.PIPE);"
        "print(child.pid, flush=True); signal.pause()"
    )
    read, write = os.pipe()
    with os.fdopen(write, "wb") as output, os.fdopen(read) as said:
        process = child_process.spawn([sys.executable, "-c", script], death_signal=signal.SIGKILL, output=output)
        grandchild = psutil.Process(int(said.readline()))
        process.send_signal(signal.SIGTERM)

        child_process.finish(process, seconds=0.1)

    assert process.returncode == -signal.SIGKILL
    grandchild.wait(10)


def test_process_started_again_leaves_none_of_the_first_behind():
    script = "import signal, subprocess; subprocess.Popen(['sleep', '60']); signal.pause()"
    process = PythonProcess(["-c", script], stop_seconds=1)
    process.start()
    first = psutil.Process(process.process.pid)
    while not (below := first.children()):
        assert process.is_running()
    first.kill()
    process.process.wait()

    process.start()

    below[0].wait(10)
    process.ask_to_stop()
    process.stop()


def test_child_ends_with_a_parent_that_is_killed():
    script = (
        "import signal, sys; from echovessel.processes import child_process;"
        "print(child_process.spawn(['sleep', '60'], death_signal=signal.SIGKILL).pid, flush=True); signal.pause()"
    )
    with subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True) as parent:
        child = psutil.Process(int(parent.stdout.readline()))
        parent.kill()

    child.wait(10)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_signals_interrupt_once(old_handlers, number):
    # Tests that were started by nohup ignore hang-ups.
    signal.signal(number, signal.SIG_DFL)

    interrupt_on_signals()

    with pytest.raises(KeyboardInterrupt):
        signal.raise_signal(number)
    signal.raise_signal(number)


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_a_signal_whose_interrupt_python_drops_is_known(old_handlers):
    class Finalized:
        def __del__(self):
            signal.raise_signal(signal.SIGTERM)

    is_asked_to_stop = interrupt_on_signals()
    before = is_asked_to_stop()
    finalized = Finalized()
    del finalized

    assert (before, is_asked_to_stop()) == (False, True)


def test_hang_up_that_is_ignored_stays_ignored(old_handlers):
    signal.signal(signal.SIGHUP, signal.SIG_IGN)

    interrupt_on_signals()

    assert signal.getsignal(signal.SIGHUP) == signal.SIG_IGN


def test_child_whose_parent_is_gone_already_ends_itself():
    script = "import signal; from echovessel.processes import child_process; child_process.end_with_parent(signal.SIGTERM, -1)"

    ended = subprocess.run([sys.executable, "-c", script], check=False)

    assert ended.returncode == -signal.SIGTERM
