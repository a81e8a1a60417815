import asyncio

import pytest
from asgiref.sync import async_to_sync
from django.db import OperationalError
from django.utils import timezone

from chat.broadcast import hub
from chat.models import Turn
from chat.turns import actions, claiming, endings, reply, runner, writes
from chat.turns.prompting import base_context, prompt_context
from echovessel.embeddings import embedding
from echovessel.embeddings.embedding import EmbeddingError
from echovessel.llm.errors import (
    BadAnswerError,
    ModelRefusedError,
    ModelTimeoutError,
    ModelUnavailableError,
    TooLongError,
)
from echovessel.postgres import threads
from tests.support.factories import (
    NOW,
    BondFactory,
)
from tests.support.fakes import FakeLLM
from tests.support.running import LONG, claimed, ending, in_db, in_loop, until
from tests.support.talking import say

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def quick(monkeypatch):
    monkeypatch.setattr(reply, "RETRY_SECONDS", 0)
    monkeypatch.setattr(threads, "PAUSE_SECONDS", 0)


@pytest.fixture
def bond():
    return BondFactory(user__username="mara")


def ran(bond, *replies):
    """The turn's end: its status, the reply with whether it was cut off, the error, and the events that told of it."""
    turn = claimed(bond)
    async_to_sync(runner.run)(turn, llm=FakeLLM(*replies))
    return ending(turn)


def test_a_reply_is_streamed_stored_and_announced(bond):
    turn = claimed(bond)
    llm = FakeLLM("Good evening, Mara.")

    async_to_sync(runner.run)(turn, llm=llm)

    assert ending(turn) == ("done", ("Good evening, Mara.", False), None, ["done"])
    assert (turn.tokens_in, turn.tokens_out, turn.tokens_cached, turn.offline) == (100, 20, 50, False)
    assert set(turn.timings) == {"recall_ms", "embed_ms", "prompt_ms", "first_token_ms", "total_ms"}
    assert all(isinstance(took, int) for took in turn.timings.values())
    [call] = llm.calls
    assert (call.origin.user_id, call.origin.bond_id, call.origin.turn_id) == (bond.user_id, bond.pk, turn.pk)


@pytest.mark.parametrize(
    ("replies", "expected"),
    [
        ([ModelUnavailableError("No.", transient=True), "There."], ("done", ("There.", False), None, ["done"])),
        ([ModelTimeoutError("Slow.", retry_after=0), "There."], ("done", ("There.", False), None, ["done"])),
        ([ModelTimeoutError("Slow.")] * 2, ("failed", None, ("model_timeout", True), ["error"])),
        ([ModelUnavailableError("No.", transient=True)] * 2, ("failed", None, ("model_unavailable", True), ["error"])),
        ([ModelUnavailableError("No.", transient=False)], ("failed", None, ("model_unavailable", True), ["error"])),
        ([ModelRefusedError("No.")], ("failed", None, ("model_refused", True), ["error"])),
        ([BadAnswerError("What?")], ("failed", None, ("model_bad_answer", True), ["error"])),
        ([["Half a", ModelTimeoutError("Slow.")]], ("failed", ("Half a", True), ("model_timeout", True), ["done"])),
        ([["Half a", ModelRefusedError("No.")]], ("failed", ("Half a", True), ("model_refused", True), ["done"])),
        ([""], ("failed", None, ("model_bad_answer", True), ["error"])),
        ([["", ModelTimeoutError("Slow.")], "There."], ("done", ("There.", False), None, ["done"])),
        (["A\x00 \ud83d b."], ("done", ("A  b.", False), None, ["done"])),
    ],
    ids=[
        "passes by",
        "slow once",
        "slow twice",
        "away twice",
        "away for good",
        "refuses",
        "bad answer",
        "slow in the middle",
        "refuses in the middle",
        "empty",
        "nothing, then slow",
        "characters that cannot be stored",
    ],
)
def test_every_end_of_a_model_is_one_end_of_the_turn(bond, replies, expected):
    assert ran(bond, *replies) == expected


def test_only_white_space_is_no_reply(bond):
    class Blank(FakeLLM):
        async def stream(self, messages, *, origin, inputs, tools):
            yield " \n"

    turn = claimed(bond)
    async_to_sync(runner.run)(turn, llm=Blank())

    assert ending(turn) == ("failed", None, ("model_bad_answer", True), ["error"])


@pytest.mark.parametrize(("window", "status", "error"), [(8_000, "done", None), (100, "failed", ("too_long", True))])
def test_a_prompt_over_the_window_of_the_model_is_sent_shorter(bond, window, status, error):
    class Narrow(FakeLLM):
        async def stream(self, messages, **more):
            self.lengths.append(sum(len(message["content"]) for message in messages))
            if self.lengths[-1] > window:
                raise TooLongError("400")
            async for piece in super().stream(messages, **more):
                yield piece

    for at in range(6):
        say(bond, f"{at}: {'It rains on the mill again. ' * 80}", now=NOW, llm=FakeLLM("Yes."))
    llm, turn = Narrow("There."), claimed(bond)
    llm.lengths = []
    async_to_sync(runner.run)(turn, llm=llm)

    assert (ending(turn)[0], ending(turn)[2]) == (status, error)
    assert llm.lengths == sorted(llm.lengths, reverse=True)
    assert 2 <= len(llm.lengths) <= 5


def test_a_reply_without_end_is_cut(bond, monkeypatch):
    monkeypatch.setattr(reply, "REPLY_CHARACTERS", 10)

    assert ran(bond, "one two three four") == (
        "failed",
        ("one two three", True),
        ("model_bad_answer", True),
        ["done"],
    )


def test_what_is_too_long_for_the_model_says_so(bond, settings):
    settings.CONTEXT_TOKENS = 50

    assert ran(bond) == ("failed", None, ("too_long", False), ["error"])


@pytest.mark.parametrize("error", [EmbeddingError("Not loaded."), TimeoutError()])
def test_a_reply_goes_on_without_the_embedding_model(bond, monkeypatch, error):
    async def embed_question(said, *, person):
        raise error

    monkeypatch.setattr(embedding, "embed_question", embed_question)

    assert ran(bond, "There.") == ("done", ("There.", False), None, ["done"])


def test_a_bug_releases_the_bond_too(bond, monkeypatch):
    turn = claimed(bond)
    with monkeypatch.context() as broken:
        broken.setattr(prompt_context, "load", lambda *_, **__: {}["missing"])
        with pytest.raises(KeyError):
            async_to_sync(runner.run)(turn, llm=FakeLLM("Never."))

    assert ending(turn) == ("failed", None, ("interrupted", True), ["error"])
    assert say(bond, "Again.", now=NOW, llm=FakeLLM("Here.")).status == "done"


def test_a_stop_asked_for_elsewhere_is_found_at_the_next_sign_of_life(bond, monkeypatch):
    monkeypatch.setattr(reply, "SAVE_SECONDS", 0)
    turn = claimed(bond)
    llm = FakeLLM("One two three four.")

    async def stop(word):
        if word == 2:
            await in_db(actions.request_stop)(bond=bond, now=NOW)
            await asyncio.Event().wait()

    llm.before_word = stop
    async_to_sync(runner.run)(turn, llm=llm)

    assert ending(turn) == ("stopped", ("One two", True), None, ["done"])


def test_a_stop_asked_for_here_is_at_once(bond):
    turn = claimed(bond)
    llm = FakeLLM("One two three four.")

    async def stop(word):
        if word == 1:
            runner._stop_here(bond.pk)
            await asyncio.Event().wait()

    llm.before_word = stop
    async_to_sync(runner.run)(turn, llm=llm)

    assert ending(turn) == ("stopped", ("One", True), None, ["done"])
    async_to_sync(in_loop(lambda: runner._stop_here(bond.pk)))()


def test_a_stop_before_the_first_word_ends_with_an_error(bond):
    turn = claimed(bond)
    llm = FakeLLM("One two.")

    async def stop(_):
        runner._stop_here(bond.pk)
        await asyncio.Event().wait()

    llm.before_word = stop
    async_to_sync(runner.run)(turn, llm=llm)

    assert ending(turn) == ("stopped", None, ("interrupted", True), ["error"])


def test_the_text_so_far_is_saved_with_the_lease(bond, monkeypatch):
    monkeypatch.setattr(reply, "SAVE_SECONDS", 0)
    turn = claimed(bond)
    llm = FakeLLM("One two.")
    saved = []

    async def look(word):
        while word == 1 and not saved:
            found = await in_db(Turn.objects.get)(pk=turn.pk)
            saved.extend([(found.text, found.lease_until > turn.lease_until)] if found.text else [])

    llm.before_word = look
    Turn.objects.update(lease_until=NOW - LONG)
    turn.lease_until = NOW - LONG
    async_to_sync(runner.run)(turn, llm=llm)

    assert saved == [("One ", True)]


def test_with_redis_processes_that_follow_are_handed_what_is_said(bond, monkeypatch, settings):
    settings.REDIS_URL = "redis://nowhere"
    monkeypatch.setattr(reply, "SHARE_SECONDS", 0)
    turn = claimed(bond)
    llm = FakeLLM("One two three.")
    heard = []

    async def talk():
        elsewhere = hub.Hub()
        async with elsewhere.follow(bond.pk) as mailbox:

            async def listen(word):
                said = "One two three."[: word * 4]
                while "".join(heard) != said:
                    item = await mailbox.get(timeout_seconds=20)
                    if item is not None:
                        assert item["offset"] == len("".join(heard))
                        heard.append(item["delta"])

            llm.before_word = listen
            await runner.run(turn, llm=llm)
        await elsewhere.close()

    # What tells of changes to the queue would go to Redis, too.
    with monkeypatch.context() as patch:
        patch.setattr(endings, "enqueue", lambda *_: None)
        async_to_sync(talk)()

    assert heard[:2] == ["One ", "two "]
    assert ending(turn)[1] == ("One two three.", False)


def test_a_turn_that_lost_its_lease_leaves_the_end_to_others(bond, monkeypatch, caplog):
    monkeypatch.setattr(reply, "SAVE_SECONDS", 0)
    turn = claimed(bond)
    llm = FakeLLM("One two three.")

    async def lose(word):
        if word == 1:
            await in_db(endings.interrupt_dead)(now=timezone.now() + LONG)
            await asyncio.Event().wait()

    llm.before_word = lose
    async_to_sync(runner.run)(turn, llm=llm)

    status, _, error, ends = ending(turn)
    assert (status, error, len(ends)) == ("interrupted", ("interrupted", True), 1)
    assert caplog.messages == [f"turn {turn.pk} was taken for dead while it ran"]


def test_a_database_that_is_away_for_a_moment_does_not_end_the_reply(bond, monkeypatch, caplog):
    monkeypatch.setattr(reply, "SAVE_SECONDS", 0)
    modules = {base_context: "load", writes: "note", prompt_context: "load", claiming: "keep_alive", endings: "finish"}
    failures = {module: [OperationalError("away")] * 2 for module in modules}

    def failing(module, real):
        def call(*given, **named):
            if failures[module]:
                raise failures[module].pop()
            return real(*given, **named)

        return call

    for module, name in modules.items():
        monkeypatch.setattr(module, name, failing(module, getattr(module, name)))
    turn = claimed(bond)
    llm = FakeLLM("One two.")

    async def wait(word):
        if word == 1:
            await until(lambda: not failures[claiming])

    llm.before_word = wait
    async_to_sync(runner.run)(turn, llm=llm)

    assert ending(turn) == ("done", ("One two.", False), None, ["done"])
    assert len(caplog.messages) == 10


def test_a_turn_that_cannot_be_stored_for_long_is_left_to_the_sweep(bond, monkeypatch):
    monkeypatch.setattr(threads, "TRIES", 2)
    finish = endings.finish

    def away(**_):
        raise OperationalError("away")

    monkeypatch.setattr(endings, "finish", away)
    turn = claimed(bond)
    with pytest.raises(OperationalError):
        async_to_sync(runner.run)(turn, llm=FakeLLM("One two."))
    monkeypatch.setattr(endings, "finish", finish)

    later = NOW + LONG
    assert async_to_sync(in_loop(lambda: hub.get_current().live))() == {}
    assert runner.sweep(later, []) == {bond.pk}
    assert ending(turn)[0] == "interrupted"
