"""Talking with a real model server. What a tiny model says is anybody's guess; that it is said, counted, kept and bounded is not."""

from contextlib import aclosing
from datetime import timedelta

import pytest
from asgiref.sync import async_to_sync

from chat.pages.account import server_trial
from chat.turns.tools import definitions
from echovessel.llm import connection, provider, trial
from echovessel.llm.errors import BadAnswerError, ToolsRefusedError
from echovessel.llm.openai_protocol.server import OpenAIServer
from echovessel.llm.protocol import Origin, Usage
from echovessel.llm.tools import ToolCall
from echovessel.models import LedgerEntry
from echovessel.runtime import diagnosis
from memory.facts.checks.grounding import is_grounded
from memory.models import ConceptNode, Message, Scene, Session, StoryStep
from memory.story.inclusion import included
from memory.story.inclusion.budget import FIRM_TOKENS
from memory.storytelling.work import story_worker
from tests.support import llama_server
from tests.support.factories import NOW, BondFactory
from tests.support.scenes import say_turns
from tests.support.talking import close, reply, say

pytestmark = [pytest.mark.live, pytest.mark.django_db]

LINES = ("We have a white cat called Nimbus.", "He jumps on my face at night.", "My sister Ana gave him to me.")
ASKED = ("Please remember that I eat no nuts.", "I live in Leeds. What do you know of me?")
# A busy machine needs more than the usual minute for a call.
PATIENCE_SECONDS = 240.0
MARKUP = ("<tool_call>", '"arguments"', *(tool.name for tool in definitions.ALL))


@pytest.fixture(scope="module")
def address():
    with llama_server.running() as url:
        yield url


@pytest.fixture(autouse=True)
def model(settings, address, monkeypatch):
    for limit in ("first_token_limit", "turn_limit", "answer_limit"):
        monkeypatch.setattr(OpenAIServer, limit, PATIENCE_SECONDS)
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


def test_trial_tells_that_it_replies_and_answers_in_shape_and_whether_it_calls_tools():
    tried = list(trial.run(connection.get_active(), origin=Origin(), seconds=PATIENCE_SECONDS, first=trial.REPLY))

    assert [(one.kind, one.mode) for one in tried] == [
        ("reply", ""),
        ("tools", ""),
        ("options", ""),
        ("json", "schema"),
    ]
    assert [one.error for one in tried if one.kind != "tools"] == [None, None, None]
    assert tried[0].said
    # It has been seen to talk of the weather instead; a call would be right, too.
    assert tried[1].error is None or isinstance(tried[1].error, BadAnswerError)


def test_turns_survive_calls_that_are_nonsense_and_the_next_one_is_offered_tools_again():
    bond = BondFactory(user__username="mara")

    first = say(bond, ASKED[0], now=NOW, llm=NonsenseCaller(connection.get_active()))
    second = say(bond, ASKED[1], now=NOW + timedelta(minutes=1), llm=provider.get_llm())

    assert has_ended_honestly(first)
    assert has_ended_honestly(second)
    assert provider.get_llm().takes_tools
    assert list_invented(bond) == []


def test_server_that_refuses_tools_replies_without_them_and_is_found_to_refuse(settings):
    bond = BondFactory(user__username="mara")
    with llama_server.running(takes_tools=False) as settings.OPENAI_BASE_URL:
        llm = provider.get_llm()
        had_tools = llm.takes_tools
        turns = [say(bond, line, now=NOW + timedelta(minutes=at), llm=llm) for at, line in enumerate(ASKED)]
        _, tools, *_ = trial.run(connection.get_active(), origin=Origin(), seconds=PATIENCE_SECONDS, first=trial.REPLY)
        found = {finding.text: finding.mend for finding in diagnosis.examine() if finding.part == "model tiny"}

    assert (had_tools, llm.takes_tools) == (True, False)
    assert all(has_ended_honestly(turn) for turn in turns)
    assert list_invented(bond) == []
    assert isinstance(tools.error, ToolsRefusedError)
    assert server_trial.describe_trial(tools).hint == str(server_trial.NO_TOOLS)
    assert found["a call of a tool: The model server takes no tools (500)."] == ""


class NonsenseCaller(OpenAIServer):
    """Begins with calls that mean nothing; all that follows is the model's own."""

    async def stream(self, messages, *, origin, inputs=None, tools=()):
        if not tools or messages[-1]["role"] == "tool":
            async with aclosing(super().stream(messages, origin=origin, inputs=inputs, tools=tools)) as pieces:
                async for piece in pieces:
                    yield piece
            return
        yield ToolCall("1", "memory_dance", '{"content": "Mara dances."}')
        yield ToolCall("2", "memory_save", '{"content": ')
        yield ToolCall("3", "memory_save", '{"content": "Mara is the queen of Denmark."}')
        yield Usage(1, 1)


def has_ended_honestly(turn):
    """With a reply that shows no call, or with an error that says what is wrong."""
    if turn.status == "failed":
        return turn.error["code"] in ("model_bad_answer", "model_timeout")
    return turn.status == "done" and not turn.offline and not any(mark in reply(turn) for mark in MARKUP)


def list_invented(bond):
    """List what counts as told by the user, who never said it."""
    told = ConceptNode.objects.facts().filter(bond=bond, tier=ConceptNode.Tier.STATED)
    return [
        fact.description
        for fact in told
        if not is_grounded(fact.description, ASKED, today=NOW.date(), speakers=["mara"])
    ]


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


def test_story_is_told_or_the_failure_is_seen_and_no_message_is_lost(settings):
    settings.STORY_ENABLED = True
    bond = BondFactory(user__username="mara")
    for at, said in enumerate(LINES):
        say_turns(bond, 5, text=said, now=NOW + at * timedelta(hours=2))
    later = NOW + timedelta(days=1)

    story_worker.tell(bond_id=bond.pk, llm=provider.get_llm(), clock=lambda: later)

    scenes = list(Scene.objects.for_bond(bond).select_related("recap"))
    steps = StoryStep.objects.for_bond(bond)
    assert len(scenes) == len(LINES)
    assert all(scene.recap.content["outcomes"] for scene in scenes)
    assert set(steps.values_list("state", flat=True)) <= {"done", "failed", "waiting"}
    assert [step.kind for step in steps if bool(step.error) != (step.state == "failed")] == []
    assert "scene_recap" in LedgerEntry.objects.values_list("feature", flat=True)
    shown = included.load_inclusion(bond, firm_tokens=FIRM_TOKENS)
    assert (shown.uncovered, shown.messages.states.keys()) == (0, {*Message.objects.values_list("pk", flat=True)})
