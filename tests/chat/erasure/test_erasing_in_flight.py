from itertools import count
from threading import Barrier, Thread

import pytest
from asgiref.sync import async_to_sync
from django.db import connection
from django.urls import reverse
from django.utils import timezone

from chat.erasure import erasing
from chat.pages import requests
from chat.turns import claiming, endings, receiving, runner
from echovessel.llm import provider
from echovessel.llm.ledger import RecordingLLM
from echovessel.models import BondCounter, BondEvent, LedgerEntry
from memory import sessions, tasks
from memory.consolidation import run
from memory.consolidation.slow_tick import run as slow_tick
from memory.importing import run as importing
from memory.jobs.queue import ignore_erased_bond
from memory.models import Message
from personas.models import Bond
from personas.rest import views
from tests.memory.importing import files
from tests.support.dumping import tables_with
from tests.support.factories import NOW, BondFactory, ConceptNodeFactory, SessionFactory
from tests.support.fakes import FakeLLM
from tests.support.following import in_db
from tests.support.rest import api
from tests.support.running import LONG
from tests.support.sockets import close_code, connected, cookie_of
from tests.support.talks import closed_talk, event, extraction, model, thoughts

pytestmark = pytest.mark.django_db

MARK = "Zymurgy"


@pytest.fixture
def bond():
    return BondFactory(user__username="mara")


def erase(bond):
    erasing.erase_bond(bond=bond, confirm=bond.persona.name)


class Erasing(FakeLLM):
    """Erases the bond in the middle of a call for one feature, then answers."""

    def __init__(self, bond, during, **answers):
        super().__init__(answers=answers)
        self.bond, self.during = bond, during

    def answer(self, messages, *, feature, **more):
        if feature == self.during:
            erase(self.bond)
        return super().answer(messages, feature=feature, **more)


def left(bond):
    """Return what still refers to the bond: rows with the mark, events, ids in the ledger."""
    ids = LedgerEntry.objects.exclude(bond_id=None, turn_id=None, session_id=None).count()
    return tables_with(MARK), BondEvent.objects.filter(bond_id=bond.pk).count(), ids


NOTHING: tuple[list[str], int, int] = [], 0, 0


@pytest.mark.parametrize("word", [0, 2])
def test_a_turn_ends_quietly_and_writes_nothing(bond, word, caplog):
    llm = FakeLLM(f"I know {MARK} well enough.")

    async def leave(at):
        if at == word:
            await in_db(erase)(bond)

    llm.before_word = leave
    receiving.receive(bond=bond, content=f"Do you know {MARK}?", channel="web", now=NOW, debounce=False)
    turn = claiming.claim(bond_id=bond.pk, now=NOW + LONG)

    async_to_sync(runner.run)(turn, llm=RecordingLLM(llm))

    assert left(bond) == NOTHING
    assert LedgerEntry.objects.get().user_id == bond.user_id
    assert [record.message for record in caplog.records if record.levelname == "ERROR"] == []


def test_a_turn_that_was_about_to_begin_is_none(bond):
    receiving.receive(bond=bond, content="Hello.", channel="web", now=NOW, debounce=False)
    erase(bond)

    assert claiming.claim(bond_id=bond.pk, now=NOW) is None
    assert claiming.get_next_due(bond.pk, NOW) is None


def test_a_turn_whose_process_died_leaves_nothing_to_end(bond):
    receiving.receive(bond=bond, content="Hello.", channel="web", now=NOW, debounce=False)
    turn = claiming.claim(bond_id=bond.pk, now=NOW)
    erase(bond)

    assert endings.interrupt(turn=turn, now=NOW + LONG) is False


@pytest.mark.parametrize("during", ["extraction", "reflection"])
def test_a_consolidation_ends_quietly_and_writes_nothing(bond, during, monkeypatch):
    session = closed_talk(f"{MARK} is my cat.", "She is white.", "She is old.", bond=bond)
    llm = Erasing(
        bond,
        during,
        extraction=extraction(event(f"The cat {MARK}.", impact=9, lines=(1,)), session_summary=MARK),
        reflection=thoughts({"description": MARK, "emotional_impact": 1, "filling": [1]}),
    )
    monkeypatch.setattr(provider, "get_llm", lambda: RecordingLLM(llm))

    tasks.consolidate(session.pk)

    assert left(bond) == NOTHING
    assert llm.calls[-1].feature == during


def erasing_clock(bond, *, step):
    """A clock that erases the bond from one step on, as soon as no transaction holds it."""
    asked = count()

    def clock():
        if next(asked) >= step and not connection.savepoint_ids:
            erasing.delete_bond(bond)
        return NOW

    return clock


@pytest.mark.parametrize("step", range(9))
def test_a_consolidation_ends_quietly_wherever_it_is(bond, step):
    session = closed_talk(f"{MARK} is my cat.", "She is white.", "She is old.", bond=bond)
    answer = extraction(event(f"The cat {MARK}.", impact=9, lines=(1,)), session_summary=MARK)
    clock = erasing_clock(bond, step=step)

    assert run.consolidate(session_id=session.pk, llm=RecordingLLM(model(answer)), clock=clock) is False
    assert left(bond) == NOTHING


@pytest.mark.parametrize("step", range(5))
def test_an_import_ends_quietly_wherever_it_is(bond, step):
    imported = files.started(f"I have a white cat called {MARK}.", bond=bond)
    llm = files.model(files.said(files.told(f"The cat {MARK}.", quote=f"called {MARK}")))

    importing.run(import_id=imported.pk, llm=RecordingLLM(llm), clock=erasing_clock(bond, step=step))

    assert left(bond) == NOTHING


@pytest.mark.parametrize("step", range(3))
def test_a_slow_tick_ends_quietly_wherever_it_is(bond, step):
    ConceptNodeFactory(bond=bond, emotional_impact=9, description=f"The cat {MARK}.")
    session = SessionFactory(bond=bond, status="closed")
    BondCounter.objects.create(bond_id=bond.pk)
    llm = RecordingLLM(FakeLLM(answers={"slow_tick": {}}))

    @ignore_erased_bond
    def task(pk):
        slow_tick.run(session_id=pk, llm=llm, clock=erasing_clock(bond, step=step))

    task(session.pk)

    assert left(bond) == NOTHING


@pytest.mark.parametrize("task", [tasks.consolidate, tasks.slow_tick, tasks.summarise, tasks.read_import])
def test_a_task_of_what_is_gone_does_nothing(bond, task):
    session = SessionFactory(bond=bond, status="closing")
    erase(bond)

    task(session.pk)

    assert left(bond) == NOTHING


def test_open_sockets_are_closed(bond):
    cookie = cookie_of(bond.user)

    async def talk():
        async with connected(bond, cookie=cookie) as communicator:
            await in_db(erase)(bond)
            await communicator.send_json_to({"type": "resume", "after": 0})
            return await close_code(communicator)

    assert async_to_sync(talk)() == 4404


def test_a_message_that_comes_too_late_ends_its_socket(bond):
    cookie = cookie_of(bond.user)

    async def talk():
        async with connected(bond, cookie=cookie) as communicator:
            await in_db(erase)(bond)
            await communicator.send_json_to({"type": "message.send", "content": MARK, "client_id": "c-1"})
            return await close_code(communicator)

    assert async_to_sync(talk)() == 4404
    assert left(bond) == NOTHING


def test_a_request_that_waited_for_the_erasing_finds_nothing(bond, client, monkeypatch):
    client.force_login(bond.user)
    known = Bond.objects.select_related("user", "persona").get()
    # Pages that are loaded only now would keep what stands in for the function.
    add_fact, persona = (reverse(page, args=[known.pk]) for page in ("add_fact", "persona"))
    monkeypatch.setattr(requests, "get_own_bond", lambda *_: known)
    monkeypatch.setattr(views, "get_own_bond", lambda *_: known)
    erase(bond)

    fact = {"description": MARK, "facet": "about_you"}
    block = {"user-content": MARK}
    answers = [
        client.post(add_fact, fact),
        client.post(persona, block),
        api(known.user).post(f"/api/bonds/{known.pk}/memory/facts/", fact),
    ]

    assert [answer.status_code for answer in answers] == [404, 404, 404]
    assert left(known) == NOTHING


@pytest.mark.django_db(transaction=True)
def test_messages_that_come_at_the_same_moment_are_erased_or_refused():
    bond = BondFactory(user__username="mara")
    ready, outcomes = Barrier(3), []

    def work(act):
        ready.wait()
        try:
            outcomes.append(act())
        except Bond.DoesNotExist:
            outcomes.append(None)
        finally:
            connection.close()

    def say():
        return receiving.receive(bond=bond, content=MARK, channel="web", now=timezone.now())

    threads = [Thread(target=work, args=[act]) for act in (say, say, lambda: erase(bond))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert len(outcomes) == 3
    assert (Message.objects.count(), BondEvent.objects.count(), tables_with(MARK)) == (0, 0, [])


def test_a_session_off_the_record_goes_with_its_bond(bond):
    session = sessions.start_new(bond=bond, channel="web", now=NOW, off_record=True)
    receiving.receive(bond=bond, content=MARK, channel="web", now=NOW)
    erase(bond)

    sessions.scan(now=NOW + LONG)

    assert (left(bond), session.off_record) == (NOTHING, True)
