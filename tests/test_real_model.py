"""Talking with a real model server. What a tiny model says is anybody's guess; that it is said, counted, kept and bounded is not."""

from contextlib import aclosing
from datetime import timedelta

import pytest
from asgiref.sync import async_to_sync

from echovessel.llm import connection, provider, trial
from echovessel.llm.protocol import Origin, Usage
from echovessel.llm.server import OpenAIServer
from echovessel.models import LedgerEntry
from memory.models import ConceptNode, Message, Session
from tests.support import llama_server
from tests.support.factories import NOW, BondFactory
from tests.support.talking import close, reply, say

pytestmark = [pytest.mark.live, pytest.mark.django_db]

LINES = ("We have a white cat called Nimbus.", "He jumps on my face at night.", "My sister Ana gave him to me.")


@pytest.fixture(scope="module")
def address():
    with llama_server.running() as url:
        yield url


@pytest.fixture(autouse=True)
def model(settings, address):
    settings.MODEL_SERVER, settings.OPENAI_API_KEY, settings.OPENAI_BASE_URL = True, "none", address
    settings.LLM_MODELS = {"main": "tiny", "medium": "tiny", "small": "tiny"}


def test_reply_comes_in_pieces_and_is_counted():
    async def read():
        asked = [{"role": "user", "content": "Say hello to Mara in one short sentence."}]
        async with aclosing(OpenAIServer(connection.get_active()).stream(asked, origin=Origin())) as parts:
            return [part async for part in parts]

    *words, usage = async_to_sync(read)()

    assert len(words) > 1
    assert isinstance(usage, Usage)
    assert usage.tokens_in > 5
    assert usage.tokens_out >= len(words)


def test_trial_of_the_server_finds_that_it_replies_and_answers_in_the_shape_asked_for():
    tried = list(trial.run(connection.get_active(), origin=Origin()))

    assert [(one.kind, one.mode, one.error) for one in tried] == [("reply", "", None), ("json", "schema", None)]
    assert tried[0].said


def test_session_is_answered_and_ends_as_memory_or_as_a_failure_that_is_seen():
    bond = BondFactory(user__username="mara")

    turns = [say(bond, line, now=NOW + timedelta(minutes=at), llm=provider.get_llm()) for at, line in enumerate(LINES)]

    assert [turn.status for turn in turns] == ["done"] * len(LINES)
    assert not any(turn.offline for turn in turns)
    assert all(reply(turn) for turn in turns)

    session = close(bond, now=NOW + timedelta(hours=1), llm=provider.get_llm())

    assert [line.content for line in Message.objects.filter(bond=bond, role="user").order_by("id")] == list(LINES)
    assert session.status in (Session.Status.CLOSED, Session.Status.FAILED)
    assert bool(session.failure_code) == (session.status == Session.Status.FAILED)
    for event in ConceptNode.objects.events().filter(bond=bond):
        assert event.source_messages.exists()
    features = LedgerEntry.objects.values_list("feature", flat=True)
    assert {"reply", "extraction"} <= set(features)
