"""The processes of the rules, as a test meets them."""

import signal
from contextlib import contextmanager, suppress

import psutil

from echovessel.llm.inputs import ReflectionInputs
from echovessel.llm.offline import processes
from tests.support.reply_inputs import inputs
from tests.support.serving import command_of

HELLO = inputs("hello")
NOTHING = ReflectionInputs(())


def reply(seconds=20.0):
    return processes.ask(HELLO, seconds=seconds)


def at_work():
    """Those that are there: at least one for replies and one for other answers."""
    processes.ask(NOTHING, seconds=20)
    return replying()


def replying():
    """Those that are there: at least one for replies. Each that is started costs a second of a processor."""
    reply()
    return [child for child in psutil.Process().children() if "echovessel.llm.offline.rules" in command_of(child)]


@contextmanager
def hung(held):
    """From here on these answer nothing, as in a pattern that has no end."""
    for process in held:
        process.send_signal(signal.SIGSTOP)
    yield
    for process in held:
        with suppress(psutil.NoSuchProcess):
            process.kill()
