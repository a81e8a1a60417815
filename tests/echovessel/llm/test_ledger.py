import asyncio
from contextlib import aclosing
from uuid import UUID

import pytest
from asgiref.sync import async_to_sync
from django.db import connection
from pydantic import BaseModel

from echovessel.llm import provider
from echovessel.llm.errors import LLMError, ModelUnavailableError
from echovessel.llm.ledger import RecordingLLM
from echovessel.llm.offline.voice import OfflineVoice
from echovessel.llm.protocol import ChatMessage, Origin, Usage
from echovessel.models import BondCounter, LedgerEntry
from personas.models import User
from tests.support.factories import UserFactory
from tests.support.fakes import FakeLLM
from tests.support.rules import HELLO

pytestmark = pytest.mark.django_db
ORIGIN = Origin(user_id=1, bond_id=2, turn_id=UUID(int=3), session_id=4)
ASKED: list[ChatMessage] = [{"role": "user", "content": "abcdefgh"}]
DOWN = ModelUnavailableError("The model server cannot be reached.", transient=True)


@pytest.fixture(autouse=True)
def there():
    """Whom the calls are made for."""
    UserFactory(pk=1)
    BondCounter.objects.create(bond_id=2)


def _read(llm, *, stop_after=None):
    async def read():
        parts = []
        async with aclosing(llm.stream(ASKED, origin=ORIGIN, inputs=HELLO)) as stream:
            async for part in stream:
                parts.append(part)
                if len(parts) == stop_after:
                    break
        return parts

    return async_to_sync(read)()


def _rows():
    fields = ("feature", "model", "tokens_in", "tokens_out", "tokens_cached", "outcome", "error_code", "user_id")
    return list(LedgerEntry.objects.order_by("pk").values_list(*fields, "bond_id", "turn_id", "session_id"))


def _row(feature, tokens, outcome, code="", model="fake"):
    return (feature, model, *tokens, outcome, code, 1, 2, UUID(int=3), 4)


def test_reply_is_written_down():
    assert _read(RecordingLLM(FakeLLM("Oh, a cat."))) == ["Oh, ", "a ", "cat.", Usage(100, 20, 50)]
    assert _rows() == [_row("reply", (100, 20, 50), "ok")]


def test_failed_reply_is_written_down():
    with pytest.raises(ModelUnavailableError):
        _read(RecordingLLM(FakeLLM(["Oh, a", DOWN])))

    assert _rows() == [_row("reply", (2, 2, 0), "failed", "model_unavailable")]


def test_stopped_reply_is_written_down():
    _read(RecordingLLM(FakeLLM("Oh, a cat.")), stop_after=2)

    assert _rows() == [_row("reply", (2, 2, 0), "stopped")]


def test_cancelled_reply_is_written_down():
    llm = FakeLLM("Oh, a cat.")

    async def cancel():
        waits, task = asyncio.Event(), None

        async def wait(at):
            if at == 1:
                waits.set()
                await asyncio.Event().wait()

        async def read():
            async with aclosing(RecordingLLM(llm).stream(ASKED, origin=ORIGIN)) as stream:
                return [part async for part in stream]

        llm.before_word = wait
        task = asyncio.ensure_future(read())
        await asyncio.wait_for(waits.wait(), 10)
        task.cancel()
        await asyncio.wait([task])

    async_to_sync(cancel)()

    assert _rows() == [_row("reply", (2, 1, 0), "stopped")]


def test_reply_that_meets_a_bug_is_written_down():
    with pytest.raises(IndexError):
        _read(RecordingLLM(FakeLLM()))

    assert _rows() == [_row("reply", (2, 0, 0), "failed")]


@pytest.mark.parametrize(
    ("answer", "row"),
    [
        ({"events": []}, _row("extraction", (100, 20, 50), "ok")),
        (DOWN, _row("extraction", (2, 0, 0), "failed", "model_unavailable")),
    ],
    ids=["answered", "failed"],
)
def test_answer_is_written_down(answer, row):
    llm = RecordingLLM(FakeLLM(answers={"extraction": answer}))

    try:
        text = llm.answer(ASKED, feature="extraction", schema=BaseModel, origin=ORIGIN).text
    except LLMError:
        text = None

    assert (text, _rows()) == (None if answer is DOWN else '{"events": []}', [row])


def test_offline_voice_costs_nothing(settings):
    settings.OFFLINE_TOKEN_SECONDS = 0

    _read(RecordingLLM(OfflineVoice()), stop_after=1)

    assert _rows() == [_row("reply", (0, 0, 0), "stopped", model="offline")]


@pytest.mark.parametrize("has_server", [True, False])
def test_current_voice_is_the_servers_where_there_is_one(settings, has_server):
    settings.MODEL_SERVER = has_server

    assert (provider.get_llm().offline, provider.get_fallback_llm().offline) == (not has_server, True)


def test_of_a_bond_that_was_erased_meanwhile_a_call_keeps_its_numbers():
    BondCounter.objects.all().delete()

    _read(RecordingLLM(FakeLLM("Oh, a cat.")))

    assert _rows() == [("reply", "fake", 100, 20, 50, "ok", "", 1, None, None, None)]


def test_of_an_account_that_was_erased_meanwhile_a_call_keeps_its_numbers():
    User.objects.all().delete()

    _read(RecordingLLM(FakeLLM("Oh, a cat.")))

    assert _rows() == [("reply", "fake", 100, 20, 50, "ok", "", None, None, None, None)]


class ConnectionWatcher(OfflineVoice):
    """Notes whether a connection is held while it answers."""

    def answer(self, messages, **asked):
        self.holds_connection = connection.connection is not None
        raise DOWN


@pytest.mark.django_db(transaction=True)
def test_no_connection_is_held_while_a_model_answers():
    voice = ConnectionWatcher()

    with pytest.raises(ModelUnavailableError):
        RecordingLLM(voice).answer(ASKED, feature="title", origin=ORIGIN, schema=BaseModel, inputs=HELLO)

    assert (voice.holds_connection, LedgerEntry.objects.count()) == (False, 1)
