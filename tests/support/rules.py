"""The processes of the rules, as a test meets them."""

import signal
from contextlib import contextmanager, suppress

import psutil

from echovessel.llm.inputs import ReflectionInputs
from echovessel.llm.offline import processes
from tests.support.reply_inputs import inputs

HELLO = inputs("hello")
NOTHING = ReflectionInputs(())


def reply(seconds=20.0):
    return processes.ask(HELLO, seconds=seconds)


def at_work():
    """Those that are there: at least one for replies and one for other answers."""
    reply()
    processes.ask(NOTHING, seconds=20)
    return [child for child in psutil.Process().children() if "echovessel.llm.offline.rules" in child.cmdline()]


@contextmanager
def hung():
    """From here on those that are there answer nothing, as in a pattern that has no end."""
    held = at_work()
    for process in held:
        process.send_signal(signal.SIGSTOP)
    yield held
    for process in held:
        with suppress(psutil.NoSuchProcess):
            process.kill()
