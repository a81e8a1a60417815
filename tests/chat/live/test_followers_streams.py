import asyncio
from contextlib import aclosing
from datetime import timedelta
from threading import Thread

import pytest
from asgiref.sync import async_to_sync
from django.db import connection

from chat.broadcast import hub
from chat.live import followers
from chat.turns import actions, claiming, endings, receiving, reply, runner
from echovessel import events
from personas.models import Bond
from tests.support import facts
from tests.support.factories import NOW, BondFactory
from tests.support.fakes import FakeLLM
from tests.support.following import following, in_db, record, until
from tests.support.running import claimed

pytestmark = pytest.mark.django_db


@pytest.fixture
def bond():
    return BondFactory(user__username="mara")


def collected(frames, count=None, last=None):
    """Return the frames of a stream up to this number, or to the last type."""

    async def run():
        found = []
        async with aclosing(frames()) as stream:
            async for frame in stream:
                found.append(frame)
                if len(found) == count or frame["type"] == last:
                    break
        return found

    return async_to_sync(run)()


def test_a_stream_begins_with_ready_then_what_was_missed_then_what_comes(bond, monkeypatch):
    monkeypatch.setattr(followers, "HEARTBEAT_SECONDS", 0)
    for number in (1, 2):
        record(bond, number)

    frames = collected(lambda: followers.stream_frames(bond.pk, after=1), count=3)

    assert [(frame["type"], frame["seq"]) for frame in frames] == [
        ("chat.connection.ready", None),
        ("chat.settings.updated", 2),
        ("chat.connection.heartbeat", None),
    ]


def test_a_stream_goes_on_with_what_comes(bond):
    async def run():
        async with aclosing(followers.stream_frames(bond.pk)) as stream:
            frames = [await anext(stream)]
            for number in (1, 2):
                await in_db(record)(bond, number)
                hub.get_current().publish(bond.pk, None)
                frames.append(await asyncio.wait_for(anext(stream), 20))
            return frames

    assert [frame["seq"] for frame in async_to_sync(run)()] == [None, 1, 2]


def test_a_stream_of_a_bond_that_is_erased_ends(bond):
    async def run():
        found = []
        async for frame in followers.stream_frames(bond.pk, after=0):
            found.append(frame["type"])
            await in_db(record)(bond, 1)
            await in_db(Bond.objects.filter(pk=bond.pk).delete)()
        return found

    assert async_to_sync(run)() == ["chat.connection.ready"]


def streamed(bond, turn_id, *, after=0, meanwhile=None):
    async def run():
        if meanwhile is not None:
            task = asyncio.create_task(meanwhile())
        found = [frame async for frame in followers.stream_frames(bond.pk, after=after, turn_id=turn_id)]
        if meanwhile is not None:
            await task
        return found

    frames = async_to_sync(run)()
    return [(frame["type"].rpartition(".")[2], frame.get("delta", frame.get("content"))) for frame in frames]


def test_a_turns_own_stream_has_its_message_its_words_and_its_end(bond):
    record(bond, 1)
    turn = claimed(bond)

    frames = streamed(bond, turn.pk, after=1, meanwhile=lambda: runner.run(turn, llm=FakeLLM("One two.")))

    assert (frames[0], frames[-1]) == (("user_appended", None), ("done", "One two."))
    assert "".join(text for type, text in frames if type == "token") == "One two."


def test_a_message_comes_before_its_reply_begins_though_its_wake_up_is_late(bond):
    async def run():
        async with following(bond) as follower:
            await follower.start(None)
            # Within a test's transaction no wake-up is sent.
            turn = await in_db(claimed)(bond)
            _, frames = await asyncio.gather(
                runner.run(turn, llm=FakeLLM("One.")), until(follower, "chat.message.done")
            )
            return frames

    assert [frame["type"] for frame in async_to_sync(run)() if frame["type"] != "chat.message.token"] == [
        "chat.session.boundary",
        "chat.message.user_appended",
        "chat.message.typing",
        "chat.message.done",
    ]


def test_a_turns_own_stream_begun_in_the_middle_has_the_whole_text(bond):
    turn = claimed(bond)
    llm = FakeLLM("One two.")
    streams = []

    async def begin(word):
        if word == 1:
            stream = followers.stream_frames(bond.pk, turn_id=turn.pk)
            streams.append(stream)
            streams.append(await anext(stream))

    async def run():
        llm.before_word = begin
        await runner.run(turn, llm=llm)
        return [streams[1], *[frame async for frame in streams[0]]]

    frames = async_to_sync(run)()
    assert [(frame["type"], frame.get("delta")) for frame in frames] == [
        ("chat.message.typing", None),
        ("chat.message.token", "One "),
        ("chat.message.token", "two."),
        ("chat.message.done", None),
    ]


def test_a_turns_own_stream_tells_what_it_noted(bond):
    received = receiving.receive(bond=bond, content="Remember that I keep bees in Hull.", channel="web", now=NOW)
    facts.save(bond)
    told = []

    async def run():
        turn = await in_db(claiming.claim)(bond_id=bond.pk, now=NOW + timedelta(minutes=1))
        await runner.run(turn, llm=FakeLLM("Yes."))
        async with aclosing(followers.stream_frames(bond.pk, after=0, turn_id=received.turn_id)) as stream:
            told.extend([frame async for frame in stream])

    async_to_sync(run)()

    noted = [frame["write"]["node"]["description"] for frame in told if frame["type"] == "memory.fact.written"]
    assert noted == ["The user keeps bees in Hull."]
    assert told[-1]["type"] == "chat.message.done"


def test_a_turn_that_ended_before_streams_its_end_alone(bond):
    turn = claimed(bond)
    endings.finish(turn=turn, ending=endings.Ending(status="done", text="One two."), now=NOW)
    other = claimed(bond, "Another.")
    endings.finish(turn=other, ending=endings.Ending(status="failed", text="", error_code="too_long"), now=NOW)

    assert streamed(bond, turn.pk, after=2) == [("done", "One two.")]
    assert streamed(bond, other.pk, after=4) == [("error", None)]


def test_a_turns_own_stream_may_begin_before_it_is_claimed(bond):
    received = receiving.receive(bond=bond, content="Hello.", channel="web", now=NOW)

    async def meanwhile():
        turn = await in_db(claiming.claim)(bond_id=bond.pk, now=NOW + timedelta(minutes=1))
        await runner.run(turn, llm=FakeLLM("Yes."))

    frames = streamed(bond, received.turn_id, meanwhile=meanwhile)

    assert [frame for frame in frames if frame[0] != "typing"] == [
        ("user_appended", None),
        ("token", "Yes."),
        ("done", "Yes."),
    ]


def end_connection():
    # The event loop's thread.
    connection.close()


@pytest.mark.django_db(transaction=True)
def test_a_turn_in_a_loop_of_its_own_is_followed_and_stopped_from_here(monkeypatch):
    bond = BondFactory(user__username="mara")
    turn = claimed(bond)
    llm = FakeLLM("One two three.")
    monkeypatch.setattr(reply, "SAVE_SECONDS", 0.01)

    async def wait(word):
        if word == 2:
            await asyncio.Event().wait()

    async def elsewhere():
        try:
            await runner.run(turn, llm=llm)
        finally:
            await in_db(end_connection)()

    llm.before_word = wait
    thread = Thread(target=asyncio.run, args=[elsewhere()])

    async def talk():
        async with following(bond) as follower:
            ready = await follower.start(None)
            thread.start()
            said, offsets = "", []
            while said != "One two ":
                for frame in await asyncio.wait_for(follower.next_frames(), 20):
                    if frame["type"] == "chat.message.token":
                        offsets.append(frame["offset"] == len(said))
                        said += frame["delta"]
            await in_db(actions.request_stop)(bond=bond, now=NOW)
            done = (await until(follower, "chat.message.done"))[-1]
            return ready["running_turn"]["text"], offsets, done

    begun, offsets, done = async_to_sync(talk)()
    thread.join()
    assert begun == ""
    assert all(offsets)
    assert (done["content"], done["cut_off"], done["error"]) == ("One two", True, None)


def test_a_turn_that_waits_streams_until_it_has_run(bond):
    first = claimed(bond)
    waiting = receiving.receive(bond=bond, content="Later.", channel="api", now=NOW, debounce=False)

    async def meanwhile():
        await runner.run(first, llm=FakeLLM("First."))
        second = await in_db(claiming.claim)(bond_id=bond.pk, now=NOW + timedelta(minutes=2))
        await runner.run(second, llm=FakeLLM("Second."))

    frames = streamed(bond, waiting.turn_id, after=events.get_last_seq(bond.pk), meanwhile=meanwhile)

    assert [frame for frame in frames if frame[0] != "typing"] == [("token", "Second."), ("done", "Second.")]
