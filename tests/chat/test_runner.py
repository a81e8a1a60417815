import asyncio
from contextlib import suppress
from datetime import timedelta

import pytest
from asgiref.sync import async_to_sync
from channels.db import database_sync_to_async
from django.db import OperationalError, connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from chat import hub, reading, runner, turns, wishes
from chat.models import Turn
from echovessel import embedding
from echovessel.embedding import EmbeddingError
from echovessel.llm.errors import BadAnswer, Refused, TimedOut, Unavailable
from echovessel.models import BondEvent
from memory.models import Message, Session
from tests.chat.talking import answer, say
from tests.factories import (
    NOW,
    AliasFactory,
    BondFactory,
    ConceptNodeFactory,
    EntityFactory,
    MessageFactory,
    SessionFactory,
    TurnFactory,
)
from tests.fakes import FakeLLM

pytestmark = pytest.mark.django_db
in_db = database_sync_to_async
# Whatever the clock of the machine says.
LONG = timedelta(days=3650)


@pytest.fixture(autouse=True)
def quick(monkeypatch):
    for name in ("RETRY_SECONDS", "FINISH_SECONDS"):
        monkeypatch.setattr(runner, name, 0)


@pytest.fixture
def bond():
    return BondFactory(user__username="mara")


def claimed(bond, line="Hello."):
    turns.receive(bond=bond, content=line, channel="web", now=NOW, debounce=False)
    return turns.claim(bond_id=bond.pk, now=NOW + timedelta(minutes=1))


def ran(bond, *replies):
    """The turn's end: its status, the reply with whether it was cut off, the error, and the events that told of it."""
    turn = claimed(bond)
    async_to_sync(runner.run)(turn, llm=FakeLLM(*replies))
    return ending(turn)


def ending(turn):
    turn.refresh_from_db()
    assert (turn.text, turn.lease_token, turn.lease_until) == ("", None, None)
    reply = Message.objects.filter(turn_id=turn.pk, role="persona", chosen=True).first()
    ends = BondEvent.objects.filter(bond_id=turn.bond_id, type__in=["chat.message.done", "chat.message.error"])
    assert Session.objects.get(pk=turn.session_id).held_until is None
    return (
        turn.status,
        reply and (reply.content, reply.cut_off),
        turn.error and (turn.error["code"], turn.error["retryable"]),
        [event.type.rpartition(".")[2] for event in ends],
    )


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
        ([Unavailable("No.", transient=True), "There."], ("done", ("There.", False), None, ["done"])),
        ([TimedOut("Slow.", retry_after=0), "There."], ("done", ("There.", False), None, ["done"])),
        ([TimedOut("Slow.")] * 2, ("failed", None, ("model_timeout", True), ["error"])),
        ([Unavailable("No.", transient=True)] * 2, ("failed", None, ("model_unavailable", True), ["error"])),
        ([Unavailable("No.", transient=False)], ("failed", None, ("model_unavailable", True), ["error"])),
        ([Refused("No.")], ("failed", None, ("model_refused", True), ["error"])),
        ([BadAnswer("What?")], ("failed", None, ("model_bad_answer", True), ["error"])),
        ([["Half a", TimedOut("Slow.")]], ("failed", ("Half a", True), ("model_timeout", True), ["done"])),
        ([["Half a", Refused("No.")]], ("failed", ("Half a", True), ("model_refused", True), ["done"])),
        ([""], ("failed", None, ("model_bad_answer", True), ["error"])),
        ([["", TimedOut("Slow.")], "There."], ("done", ("There.", False), None, ["done"])),
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
        async def stream(self, messages, *, origin):
            yield " \n"

    turn = claimed(bond)
    async_to_sync(runner.run)(turn, llm=Blank())

    assert ending(turn) == ("failed", None, ("model_bad_answer", True), ["error"])


def test_a_reply_without_end_is_cut(bond, monkeypatch):
    monkeypatch.setattr(runner, "REPLY_CHARACTERS", 10)

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
def test_a_talk_goes_on_without_the_embedding_model(bond, monkeypatch, error):
    async def embed_async(said):
        raise error

    monkeypatch.setattr(embedding, "embed_async", embed_async)

    assert ran(bond, "There.") == ("done", ("There.", False), None, ["done"])


def test_a_bug_releases_the_bond_too(bond, monkeypatch):
    turn = claimed(bond)
    with monkeypatch.context() as broken:
        broken.setattr(reading, "read", lambda *_: {}["missing"])
        with pytest.raises(KeyError):
            async_to_sync(runner.run)(turn, llm=FakeLLM("Never."))

    assert ending(turn) == ("failed", None, ("interrupted", True), ["error"])
    assert say(bond, "Again.", now=NOW, llm=FakeLLM("Here.")).status == "done"


def test_a_stop_asked_for_elsewhere_is_found_at_the_next_sign_of_life(bond, monkeypatch):
    monkeypatch.setattr(runner, "SAVE_SECONDS", 0)
    turn = claimed(bond)
    llm = FakeLLM("One two three four.")

    async def stop(word):
        if word == 2:
            await in_db(wishes.request_stop)(bond=bond, now=NOW)
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


def in_loop(call):
    async def run():
        return call()

    return run


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
    monkeypatch.setattr(runner, "SAVE_SECONDS", 0)
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
    monkeypatch.setattr(runner, "SHARE_SECONDS", 0)
    turn = claimed(bond)
    llm = FakeLLM("One two three.")
    heard = []

    async def talk():
        elsewhere = hub.Hub()
        async with elsewhere.followed(bond.pk) as mailbox:

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
        patch.setattr(turns, "enqueue", lambda *_: None)
        async_to_sync(talk)()

    assert heard[:2] == ["One ", "two "]
    assert ending(turn)[1] == ("One two three.", False)


def test_a_turn_that_lost_its_lease_leaves_the_end_to_others(bond, monkeypatch, caplog):
    monkeypatch.setattr(runner, "SAVE_SECONDS", 0)
    turn = claimed(bond)
    llm = FakeLLM("One two three.")

    async def lose(word):
        if word == 1:
            await in_db(turns.interrupt_dead)(now=timezone.now() + LONG)
            await asyncio.Event().wait()

    llm.before_word = lose
    async_to_sync(runner.run)(turn, llm=llm)

    status, _, error, ends = ending(turn)
    assert (status, error, len(ends)) == ("interrupted", ("interrupted", True), 1)
    assert caplog.messages == [f"turn {turn.pk} was taken for dead while it ran"]


def test_a_database_that_is_away_for_a_moment_does_not_end_the_talk(bond, monkeypatch, caplog):
    monkeypatch.setattr(runner, "SAVE_SECONDS", 0)
    real = {name: getattr(turns, name) for name in ("keep_alive", "finish")}
    failures = {name: [OperationalError("away")] * 2 for name in real}

    def failing(name):
        def call(**arguments):
            if failures[name]:
                raise failures[name].pop()
            return real[name](**arguments)

        return call

    for name in real:
        monkeypatch.setattr(turns, name, failing(name))
    turn = claimed(bond)
    llm = FakeLLM("One two.")

    async def wait(word):
        if word == 1:
            await until(lambda: not failures["keep_alive"])

    llm.before_word = wait
    async_to_sync(runner.run)(turn, llm=llm)

    assert ending(turn) == ("done", ("One two.", False), None, ["done"])
    assert len(caplog.messages) == 4


def test_a_turn_that_cannot_be_stored_for_long_is_left_to_the_sweep(bond, monkeypatch):
    monkeypatch.setattr(runner, "FINISH_TRIES", 2)
    finish = turns.finish

    def away(**_):
        raise OperationalError("away")

    monkeypatch.setattr(turns, "finish", away)
    turn = claimed(bond)
    with pytest.raises(OperationalError):
        async_to_sync(runner.run)(turn, llm=FakeLLM("One two."))
    monkeypatch.setattr(turns, "finish", finish)

    later = NOW + LONG
    assert async_to_sync(in_loop(lambda: hub.current().live))() == {}
    assert runner.sweep(later, []) == {bond.pk}
    assert ending(turn)[0] == "interrupted"


def test_the_trace_is_ids_and_numbers_only(bond):
    for number in range(3):
        ConceptNodeFactory(bond=bond, description=f"Her cat jumps {number}.")
    turn = say(bond, "Do you remember my cat that jumps?", now=NOW, llm=FakeLLM("I do."))

    assert set(turn.trace) == {"items", "cut", "prompt_tokens", "without_vector"}
    assert len(turn.trace["items"]) == 3
    for item in turn.trace["items"]:
        assert set(item) == {"node", "score", "terms", "anchored_by", "kept", "reason"}
        assert set(item["terms"]) == {"recency", "relevance", "impact", "relational", "anchor", "graph"}
    assert ("cat" in str(turn.trace), turn.trace["without_vector"]) == (False, False)


def test_what_did_not_fit_is_traced_as_cut_by_the_budget(bond, settings):
    settings.PROMPT_TOKEN_BUDGET = 0
    node = ConceptNodeFactory(bond=bond, description="Her cat jumps.")
    turn = say(bond, "Do you remember my cat that jumps?", now=NOW, llm=FakeLLM("No."))

    [item] = turn.trace["items"]
    assert (item["node"], item["kept"], item["reason"]) == (node.pk, False, "budget")
    assert turn.trace["cut"] == {"recalled": 1}


@pytest.mark.parametrize(("reply", "asked"), [("Is Lin Auntie Lin?", 1), (Refused("No."), 0)])
def test_that_the_persona_asked_about_a_pair_is_noted_when_it_did(bond, reply, asked):
    lin = EntityFactory(bond=bond, canonical_name="Lin", kind="person")
    aunt = EntityFactory(
        bond=bond, canonical_name="Auntie Lin", kind="person", merge_status="uncertain", merge_target=lin
    )
    llm = FakeLLM(reply)
    say(bond, "Lin was here.", now=NOW, llm=llm)

    aunt.refresh_from_db()
    assert aunt.asked_count == asked
    assert "# Something to clear up" in llm.calls[0].text


def hot_path_queries(bond, line):
    """The statements from the claim to the call of the model, without those that begin and end transactions."""
    turns.receive(bond=bond, content=line, channel="web", now=NOW, debounce=False)
    counted = []

    def count_now():
        counted.append(len(queries.captured_queries))

    async def count(word):
        if word == 0:
            await in_db(count_now)()

    llm = FakeLLM("Yes.")
    llm.before_word = count
    with CaptureQueriesContext(connection) as queries:
        turn = turns.claim(bond_id=bond.pk, now=NOW)
        async_to_sync(runner.run)(turn, llm=llm)
    statements = [query["sql"] for query in queries.captured_queries[: counted[0]]]
    return [sql for sql in statements if not sql.startswith(("SAVEPOINT", "RELEASE", "BEGIN", "COMMIT"))]


def test_the_hot_path_takes_few_queries(bond):
    cat = EntityFactory(bond=bond, canonical_name="Inky", description="A white cat.")
    AliasFactory(entity=cat, name="the white one")
    EntityFactory(bond=bond, canonical_name="Blot", merge_status="uncertain", merge_target=cat)
    for number in range(5):
        cat.mentions.create(bond=bond, node=ConceptNodeFactory(bond=bond, description=f"Inky jumps {number}."))
        ConceptNodeFactory(bond=bond, type="thought", subject="persona")
    old = SessionFactory(bond=bond, status="closed", summary="They spoke of Inky.")
    for role in ("user", "persona"):
        MessageFactory(session=old, role=role)

    assert 10 < len(hot_path_queries(bond, "Does Inky still jump?")) <= 14


def test_a_first_line_takes_few_queries(bond):
    assert 8 < len(hot_path_queries(bond, "Hello.")) <= 11


def test_what_the_user_says_while_a_reply_streams_is_the_next_turn(bond):
    turn = claimed(bond, "One.")
    llm = FakeLLM("First reply.", "Second reply.", "Third reply.")

    async def say_more(word):
        if word == 1 and len(llm.calls) == 1:
            await in_db(turns.receive)(bond=bond, content="Two.", channel="web", now=NOW, debounce=False)

    llm.before_word = say_more
    async_to_sync(runner.run)(turn, llm=llm)
    answer(bond, now=NOW, llm=llm)
    say(bond, "Three.", now=NOW, llm=llm)

    said = [[message["content"].rpartition("\n")[2] for message in call.messages[1:]] for call in llm.calls]
    assert said == [
        ["One."],
        ["One.", "First reply.", "Two."],
        ["One.", "First reply.", "Two.", "Second reply.", "Three."],
    ]


def test_a_sweep_ends_dead_turns_and_finds_late_ones(bond):
    dead = TurnFactory(session__bond=bond, status="running", text="So far")
    here = TurnFactory(session__bond__user__username="lin", status="running")
    late = TurnFactory(session__bond__user__username="ada")
    later = NOW + timedelta(minutes=1)

    assert runner.sweep(later, [here.pk]) == {bond.pk, late.bond_id}
    assert ending(dead)[:2] == ("interrupted", ("So far", True))
    assert Turn.objects.get(pk=here.pk).status == "running"


class Process:
    """The runner of a process, whose turns are answered by a given model."""

    def __init__(self, monkeypatch, llm):
        self.llm = llm
        monkeypatch.setattr("chat.runner.voices.current", lambda: llm)

    async def __aenter__(self):
        await runner.start()

    async def __aexit__(self, *_):
        await runner.stop()


async def until(condition):
    async with asyncio.timeout(20):
        while not await in_db(condition)():  # noqa: ASYNC110 - rows tell nobody
            await asyncio.sleep(0.01)


def statuses(bond):
    return list(Turn.objects.of(bond).order_by("created_at").values_list("status", flat=True))


def test_a_notified_process_waits_for_the_burst_and_answers_it(bond, monkeypatch, settings):
    settings.DEBOUNCE = timedelta(seconds=0.2)
    llm = FakeLLM("Hello.", "Again.")

    async def talk():
        async with Process(monkeypatch, llm):
            for line in ("One.", "Two."):
                await in_db(turns.receive)(bond=bond, content=line, channel="web", now=timezone.now())
                runner.notify(bond.pk)
            await until(lambda: statuses(bond) == ["done"])
            await in_db(turns.receive)(bond=bond, content="Three.", channel="web", now=timezone.now(), debounce=False)
            runner.notify(bond.pk)
            await until(lambda: statuses(bond) == ["done", "done"])

    async_to_sync(talk)()
    assert [call.messages[-1]["content"] for call in llm.calls] == ["One.\nTwo.", "Three."]


def test_a_process_that_begins_takes_up_what_was_left(bond, monkeypatch):
    dead = TurnFactory(session__bond=bond, status="running", text="So far", lease_until=NOW - LONG)
    line = MessageFactory(session__bond=bond, session__channel="api", created_at=NOW - timedelta(days=1))
    TurnFactory(id=line.turn_id, session=line.session, due_at=NOW - LONG)

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
            await in_db(turns.receive)(bond=bond, content="Hello.", channel="web", now=NOW, debounce=False)
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
    turns.receive(bond=bond, content="Two.", channel="web", now=later, debounce=False)
    Turn.objects.update(lease_until=timezone.now() + timedelta(days=1), due_at=timezone.now())

    async def talk():
        async with Process(monkeypatch, FakeLLM("Second.")):
            runner.notify(bond.pk)
            await until(lambda: runner._runner._serving == {})
            before = await in_db(statuses)(bond)
            await in_db(turns.finish)(turn=turn, ending=turns.Ending(status="done", text="First."), now=NOW)
            runner.notify(bond.pk)
            await until(lambda: statuses(bond) == ["done", "done"])
            return before

    assert async_to_sync(talk)() == ["running", "pending"]


def test_a_bug_in_one_turn_does_not_keep_the_next_one_waiting(bond, monkeypatch, caplog):
    read, failures = reading.read, [KeyError("missing")]

    def fail_once(*asked):
        if failures:
            turns.receive(bond=bond, content="Two.", channel="web", now=timezone.now(), debounce=False)
            runner.notify(bond.pk)
            raise failures.pop()
        return read(*asked)

    monkeypatch.setattr(reading, "read", fail_once)

    async def talk():
        async with Process(monkeypatch, FakeLLM("Second.")):
            await in_db(turns.receive)(bond=bond, content="One.", channel="web", now=timezone.now(), debounce=False)
            runner.notify(bond.pk)
            await until(lambda: statuses(bond) == ["failed", "done"])

    async_to_sync(talk)()
    assert caplog.messages == [f"a turn of bond {bond.pk} ended with a bug"]


def test_a_sweep_that_finds_no_database_comes_again(monkeypatch, caplog):
    monkeypatch.setattr(runner, "SWEEP_SECONDS", 0)
    came_again = asyncio.Event()
    failures = [OperationalError("away")]

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
    assert caplog.messages == ["the sweep could not reach the database: away"]


def test_a_process_without_a_runner_leaves_turns_to_those_that_have_one(bond):
    turns.receive(bond=bond, content="Hello.", channel="web", now=NOW)

    runner.notify(bond.pk)
    runner.notify_stop(bond.pk)
    async_to_sync(runner.stop)()

    assert statuses(bond) == ["pending"]
