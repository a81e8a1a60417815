import asyncio
from contextlib import suppress
from datetime import timedelta

import pytest
from asgiref.sync import async_to_sync
from django.db import OperationalError
from django.utils import timezone
from redis.exceptions import RedisError

from chat.models import Turn
from chat.turns import claiming, endings, receiving, reply, runner
from chat.turns.prompting import prompt_context
from echovessel.postgres import threads
from tests.support import prompt_reader
from tests.support.factories import (
    NOW,
    BondFactory,
    MessageFactory,
    TurnFactory,
)
from tests.support.fakes import FakeLLM
from tests.support.running import LONG, claimed, ending, in_db, until

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def quick(monkeypatch):
    monkeypatch.setattr(reply, "RETRY_SECONDS", 0)
    monkeypatch.setattr(threads, "PAUSE_SECONDS", 0)


@pytest.fixture
def bond():
    return BondFactory(user__username="mara")


def test_a_sweep_ends_dead_turns_and_finds_late_ones(bond):
    dead = TurnFactory(session__bond=bond, status="running", text="So far")
    here = TurnFactory(session__bond__user__username="lin", status="running")
    late = TurnFactory(session__bond__user__username="ada")
    later = NOW + timedelta(minutes=1)

    assert runner.sweep(later, [here.pk]) == {bond.pk, late.bond_id}
    assert ending(dead)[:2] == ("interrupted", ("So far", True))
    assert Turn.objects.get(pk=here.pk).status == "running"


class Process:
    """The runner of a process whose turns this model answers."""

    def __init__(self, monkeypatch, llm):
        self.llm = llm
        monkeypatch.setattr("chat.turns.reply.provider.get_llm", lambda options: llm)

    async def __aenter__(self):
        await runner.start()

    async def __aexit__(self, *_):
        await runner.stop()


def statuses(bond):
    return list(Turn.objects.for_bond(bond).order_by("created_at").values_list("status", flat=True))


def test_a_notified_process_waits_for_the_burst_and_answers_it(bond, monkeypatch, settings):
    settings.DEBOUNCE = timedelta(seconds=0.2)
    llm = FakeLLM("Hello.", "Again.")

    async def talk():
        async with Process(monkeypatch, llm):
            for message in ("One.", "Two."):
                await in_db(receiving.receive)(bond=bond, content=message, channel="web", now=timezone.now())
                runner.notify(bond.pk)
            await until(lambda: statuses(bond) == ["done"])
            await in_db(receiving.receive)(
                bond=bond, content="Three.", channel="web", now=timezone.now(), debounce=False
            )
            runner.notify(bond.pk)
            await until(lambda: statuses(bond) == ["done", "done"])

    async_to_sync(talk)()
    said = [prompt_reader.burst(call.messages) for call in llm.calls]
    assert said == ["One.\nTwo.", "Three."]


def test_a_process_that_begins_takes_up_what_was_left(bond, monkeypatch):
    dead = TurnFactory(session__bond=bond, status="running", text="So far", lease_until=NOW - LONG)
    message = MessageFactory(session__bond=bond, session__channel="api", created_at=NOW - timedelta(days=1))
    TurnFactory(id=message.turn_id, session=message.session, due_at=NOW - LONG)

    async def talk():
        async with Process(monkeypatch, FakeLLM("Here I am.")):
            await until(lambda: sorted(statuses(bond)) == ["done", "interrupted"])

    async_to_sync(talk)()
    assert ending(dead)[1] == ("So far", True)


def test_a_process_that_stops_interrupts_its_turns_and_keeps_their_text(bond, monkeypatch):
    llm = FakeLLM("One two three.")
    reached = asyncio.Event()

    async def wait(word):
        if word == 2:
            reached.set()
            await asyncio.Event().wait()

    llm.before_word = wait

    async def talk():
        async with Process(monkeypatch, llm):
            await in_db(receiving.receive)(bond=bond, content="Hello.", channel="web", now=NOW, debounce=False)
            runner.notify(bond.pk)
            await asyncio.wait_for(reached.wait(), 20)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(timezone, "now", lambda: NOW + timedelta(minutes=1))
        async_to_sync(talk)()

    assert ending(Turn.objects.get()) == ("interrupted", ("One two", True), ("interrupted", True), ["done"])


def test_a_second_cancellation_waits_for_the_end_to_be_written(bond, monkeypatch):
    turn = claimed(bond)
    finishing = asyncio.Event()

    async def talk():
        finish = runner.finish

        async def slow(reply):
            finishing.set()
            await asyncio.sleep(0)
            await finish(reply)

        monkeypatch.setattr(runner, "finish", slow)
        task = asyncio.create_task(runner.run(turn, llm=FakeLLM("One two.")))
        await asyncio.wait_for(finishing.wait(), 20)
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task

    async_to_sync(talk)()
    assert ending(turn) == ("done", ("One two.", False), None, ["done"])


def test_a_process_leaves_alone_what_runs_in_another(bond, monkeypatch):
    turn = claimed(bond)
    later = NOW + timedelta(minutes=2)
    receiving.receive(bond=bond, content="Two.", channel="web", now=later, debounce=False)
    Turn.objects.update(lease_until=timezone.now() + claiming.LEASE, due_at=timezone.now())

    async def talk():
        async with Process(monkeypatch, FakeLLM("Second.")):
            runner.notify(bond.pk)
            await until(lambda: runner._runner._serving == {})
            before = await in_db(statuses)(bond)
            await in_db(endings.finish)(turn=turn, ending=endings.Ending(status="done", text="First."), now=NOW)
            runner.notify(bond.pk)
            await until(lambda: statuses(bond) == ["done", "done"])
            return before

    assert async_to_sync(talk)() == ["running", "pending"]


def test_a_bug_in_one_turn_does_not_keep_the_next_one_waiting(bond, monkeypatch, caplog):
    read, failures = prompt_context.load, [KeyError("missing")]

    def fail_once(*asked, **more):
        if failures:
            receiving.receive(bond=bond, content="Two.", channel="web", now=timezone.now(), debounce=False)
            runner.notify(bond.pk)
            raise failures.pop()
        return read(*asked, **more)

    monkeypatch.setattr(prompt_context, "load", fail_once)

    async def talk():
        async with Process(monkeypatch, FakeLLM("Second.")):
            await in_db(receiving.receive)(bond=bond, content="One.", channel="web", now=timezone.now(), debounce=False)
            runner.notify(bond.pk)
            await until(lambda: statuses(bond) == ["failed", "done"])

    async_to_sync(talk)()
    assert caplog.messages == [f"a turn of bond {bond.pk} ended with a bug"]


def test_a_turn_that_finds_no_database_is_taken_up_by_the_next_sweep(bond, monkeypatch, caplog):
    monkeypatch.setattr(runner, "SWEEP_SECONDS", 0.01)
    monkeypatch.setattr(claiming, "OVERDUE", timedelta())
    claim, failures = claiming.claim, [OperationalError("away")]

    def failing(**arguments):
        if failures:
            raise failures.pop()
        return claim(**arguments)

    monkeypatch.setattr(claiming, "claim", failing)

    async def talk():
        async with Process(monkeypatch, FakeLLM("Here.")):
            await in_db(receiving.receive)(bond=bond, content="One.", channel="web", now=timezone.now(), debounce=False)
            await until(lambda: statuses(bond) == ["done"])

    async_to_sync(talk)()
    assert caplog.messages == [f"the turns of bond {bond.pk} wait until the database is back: away"]


@pytest.mark.parametrize(
    ("failure", "said"),
    [
        (OperationalError("away"), "the sweep could not reach the database or the queue: away"),
        (RedisError("away"), "the sweep could not reach the database or the queue: away"),
        (RuntimeError("a bug"), "a sweep ended with a bug"),
    ],
)
def test_a_sweep_that_failed_comes_again(failure, said, monkeypatch, caplog):
    monkeypatch.setattr(runner, "SWEEP_SECONDS", 0)
    came_again = asyncio.Event()
    failures = [failure]

    def sweep(now, running_here):
        if failures:
            raise failures.pop()
        came_again.set()
        return set()

    monkeypatch.setattr(runner, "sweep", sweep)

    async def talk():
        async with Process(monkeypatch, FakeLLM()):
            await asyncio.wait_for(came_again.wait(), 20)

    async_to_sync(talk)()
    assert caplog.messages == [said]


def test_a_process_without_a_runner_leaves_turns_to_those_that_have_one(bond):
    receiving.receive(bond=bond, content="Hello.", channel="web", now=NOW)

    runner.notify(bond.pk)
    runner.notify_stop(bond.pk)
    async_to_sync(runner.stop)()

    assert statuses(bond) == ["pending"]
