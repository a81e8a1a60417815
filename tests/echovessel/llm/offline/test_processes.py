import asyncio
import json
import os
import pickle
import signal
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor, wait
from threading import Event

import psutil
import pytest
from asgiref.sync import async_to_sync

from echovessel.llm.errors import ModelTimeoutError, ModelUnavailableError
from echovessel.llm.offline import processes
from tests.support import rules
from tests.support.rules import HELLO, NOTHING, reply

# A program of ours, of which the rules' processes are children.
PROGRAM = "from echovessel.llm.offline import processes\nfrom tests.support.rules import NOTHING\nprocesses.ask(NOTHING, seconds=20)\n"
# The rules, one of which never comes to an end.
ENDLESS = """
import re, sys
from echovessel.llm.inputs import ReflectionInputs
from echovessel.llm.offline import rules
rules.ANSWERS = {ReflectionInputs: lambda inputs: {"": bool(re.match("(a+)+b", "a" * 60))}}
rules.serve(sys.stdin.buffer, sys.stdout.buffer)
"""


@pytest.fixture
def hung():
    with rules.hung(rules.replying()):
        yield


def test_what_takes_too_long_is_ended_and_the_next_call_answered(hung):
    with pytest.raises(ModelTimeoutError) as raised:
        reply(seconds=0.1)

    assert (raised.value.code, raised.value.transient) == ("model_timeout", False)
    assert reply()


def test_nobody_waits_for_a_call_that_hangs_and_it_ends_where_nobody_waits_for_it(hung):
    async def both():
        slow = asyncio.create_task(processes.ask_from_loop(HELLO, seconds=20))
        await asyncio.sleep(0)
        quick = await processes.ask_from_loop(HELLO, seconds=20)
        was_done = slow.done()
        (of_slow,) = processes._under_way
        slow.cancel()
        return quick, was_done, of_slow.process.running

    quick, was_done, of_slow = async_to_sync(both)()

    assert (bool(quick), was_done) == (True, False)
    assert of_slow.wait(timeout=10) == -signal.SIGKILL


def test_the_end_of_the_program_ends_what_is_still_worked_on(hung):
    with ThreadPoolExecutor() as threads:
        call = threads.submit(reply)
        while not wait([call], timeout=0.02).done:
            processes.close()

    assert isinstance(call.exception(), ModelUnavailableError)


def test_the_end_of_the_program_ends_what_was_not_begun():
    pool = processes._get_pool(of_replies=True)
    begun = Event()
    for _ in range(processes.MOST):
        pool.threads.submit(begun.wait)
    with ThreadPoolExecutor() as threads:
        call = threads.submit(reply)
        while not processes._under_way:
            wait([call], timeout=0.02)
        processes.close()
        begun.set()

    assert isinstance(call.exception(), ModelUnavailableError)


def test_one_that_was_killed_meanwhile_is_replaced_and_a_bug_in_the_rules_is_said_and_logged(capfd):
    for process in rules.replying():
        process.kill()
        process.wait()

    with pytest.raises(ModelUnavailableError, match="stopped in the middle of their answer"):
        processes.ask(None, seconds=20)

    assert "KeyError: <class 'NoneType'>" in capfd.readouterr().err
    assert reply()


@pytest.mark.parametrize("end", ["", "import os; os._exit(0)", "import os; os.kill(os.getpid(), 9)"])
def test_they_end_with_the_program_above(end):
    says = "import psutil; print(*[child.pid for child in psutil.Process().children()], flush=True)\n"

    said = subprocess.run([sys.executable, "-c", PROGRAM + says + end], stdout=subprocess.PIPE, text=True, check=False)

    left = [psutil.Process(int(pid)) for pid in said.stdout.split() if psutil.pid_exists(int(pid))]
    assert (len(said.stdout.split()), psutil.wait_procs(left, timeout=10)[1]) == (1, [])


def test_an_endless_call_ends_by_itself_where_nobody_is_left_to_end_it():
    ended = subprocess.run([sys.executable, "-c", ENDLESS], input=pickle.dumps((NOTHING, 1)), check=False)

    assert ended.returncode == -signal.SIGALRM


def test_a_forked_process_has_its_own():
    reply()
    if (child := os.fork()) == 0:
        os._exit(0 if reply() else 1)

    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


def test_processes_that_ended_after_their_last_answer_are_replaced():
    for process in rules.at_work():
        process.kill()

    assert reply()
    assert json.loads(processes.ask(NOTHING, seconds=20))["thoughts"] == []
