import asyncio
import threading
from contextlib import suppress
from uuid import uuid4

import psycopg
import pytest
from asgiref.sync import async_to_sync
from django.utils import timezone

from chat.broadcast import hub
from chat.broadcast.hub import Hub, LiveTurn, Mailbox
from echovessel import events
from echovessel.postgres.channel_layer import get_current_layer

pytestmark = pytest.mark.django_db
HELLO = {"type": "chat.message.typing", "turn": "t"}


class AwayLayer:
    """A channel layer whose server cannot be reached."""

    def __init__(self, error):
        self.error = error

    async def new_channel(self, prefix=""):
        return "away"

    async def receive(self, channel):
        await asyncio.Event().wait()

    async def group_add(self, group, channel):
        raise self.error

    group_discard = group_send = group_add


async def soon(mailbox):
    """Return the next item; None also means that a wake-up came in time."""
    started = asyncio.get_running_loop().time()
    item = await mailbox.get(timeout_seconds=10)
    assert asyncio.get_running_loop().time() - started < 10
    return item


def test_a_mailbox_gives_nothing_when_nothing_comes():
    async def talk():
        return await Mailbox().get(timeout_seconds=0)

    assert async_to_sync(talk)() is None


def test_a_full_mailbox_drops_what_comes_and_holds_up_nobody(monkeypatch):
    monkeypatch.setattr(hub, "QUEUE_LENGTH", 2)

    async def talk():
        mailbox = Mailbox()
        for number in range(4):
            mailbox.put(HELLO | {"number": number})
        return [await mailbox.get(timeout_seconds=0.01) for _ in range(3)]

    assert async_to_sync(talk)() == [HELLO | {"number": 0}, HELLO | {"number": 1}, None]


def token(delta, offset, turn="t"):
    return {"type": "chat.message.token", "turn": turn, "delta": delta, "offset": offset}


@pytest.mark.parametrize(
    ("put", "got"),
    [
        ([token("My ", 0), token("cat ", 3), token("naps", 7)], [token("My cat naps", 0)]),
        ([token("My ", 0), token("naps", 7)], [token("My ", 0), token("naps", 7)]),
        ([token("My ", 0), token("cat", 3, turn="u")], [token("My ", 0), token("cat", 3, turn="u")]),
        ([token("My ", 0), None, token("cat", 3)], [token("My ", 0), None, token("cat", 3)]),
        ([HELLO, token("My ", 0), token("cat", 3)], [HELLO, token("My cat", 0)]),
    ],
)
def test_words_that_follow_each_other_while_nobody_looks_are_one_frame(put, got):
    async def talk():
        mailbox = Mailbox()
        for item in put:
            mailbox.put(item)
        return [await mailbox.get(timeout_seconds=0) for _ in got], mailbox.take_turn("t")

    assert async_to_sync(talk)() == (got, [])


def test_a_frame_that_another_follower_has_as_well_is_not_changed_by_what_follows_it():
    async def talk():
        quick, slow = Mailbox(), Mailbox()
        first = token("My ", 0)
        for mailbox in (quick, slow):
            mailbox.put(first)
        heard = await quick.get(timeout_seconds=0)
        slow.put(token("cat", 3))
        return heard, await slow.get(timeout_seconds=0)

    assert async_to_sync(talk)() == (token("My ", 0), token("My cat", 0))


def test_who_waits_at_a_mailbox_can_be_ended_at_the_moment_something_comes():
    async def talk():
        mailbox = Mailbox()
        waiting = asyncio.create_task(mailbox.get(timeout_seconds=10))
        await asyncio.sleep(0)
        mailbox.put(HELLO)
        waiting.cancel()
        await asyncio.wait([waiting])
        return waiting.cancelled()

    assert async_to_sync(talk)() is True


def test_what_is_published_reaches_the_followers_of_its_bond():
    async def talk():
        here = hub.get_current()
        async with here.follow(1) as one, here.follow(1) as other, here.follow(2) as stranger:
            here.publish(1, HELLO)
            here.publish(2, None)
            heard = [await soon(one), await soon(other), await soon(stranger)]
        here.publish(1, HELLO)
        return heard, here._mailboxes, here._members

    assert async_to_sync(talk)() == ([HELLO, HELLO, None], {}, {})


def test_a_wake_up_of_another_process_reaches_the_followers():
    async def talk():
        one, two = Hub(), Hub()
        async with one.follow(1) as mailbox:
            await two.notify_processes(1)
            heard = await soon(mailbox)
        await one.close()
        return heard

    assert async_to_sync(talk)() is None


def test_a_hub_does_not_wake_itself():
    async def talk():
        here = hub.get_current()
        async with here.follow(1) as mailbox:
            await here.notify_processes(1)
            await Hub()._send(1, {"type": "bond.frame", "frame": HELLO})
            return await soon(mailbox)

    assert async_to_sync(talk)() == HELLO


def test_without_redis_no_text_goes_through_the_layer():
    async def talk():
        async with hub.get_current().follow(1) as mailbox:
            other = Hub()
            await other.notify_processes(1, HELLO)
            await other.notify_processes(1)
            return await soon(mailbox)

    assert async_to_sync(talk)() is None


def test_with_redis_frames_of_a_turn_elsewhere_are_handed_on(settings):
    settings.REDIS_URL = "redis://nowhere"

    async def talk():
        here = hub.get_current()
        async with here.follow(1) as mailbox:
            await Hub().notify_processes(1, HELLO)
            heard = [await soon(mailbox)]
            # The frames of a turn in this process are known already.
            here.live[1] = LiveTurn(bond_id=1, turn_id=uuid4())
            await Hub().notify_processes(1, HELLO)
            await Hub().notify_processes(1)
            return [*heard, await soon(mailbox)]

    assert async_to_sync(talk)() == [HELLO, None]


def test_the_process_that_runs_a_turn_hands_over_its_whole_text_when_asked(settings):
    settings.REDIS_URL = "redis://nowhere"
    live = LiveTurn(bond_id=1, turn_id=uuid4(), text="I was about to")

    async def talk():
        runs, follows = Hub(), Hub()
        runs.live[1] = live
        async with runs.join(1), follows.follow(1) as mailbox:
            await follows.request_snapshot(1)
            heard = await soon(mailbox)
        await runs.close()
        await follows.close()
        return heard

    heard = async_to_sync(talk)()
    assert heard | {"at": None} == {
        "type": "chat.message.token",
        "at": None,
        "seq": None,
        "bond": 1,
        "turn": str(live.turn_id),
        "delta": "I was about to",
        "offset": 0,
    }


def test_a_stop_reaches_the_turn_in_whatever_process_it_runs():
    async def talk():
        here = hub.get_current()
        here.live[1] = LiveTurn(bond_id=1, turn_id=uuid4())
        async with here.join(1):
            await Hub()._send(2, {"type": "bond.stop"})
            await Hub()._send(1, {"type": "bond.stop"})
            await asyncio.wait_for(here.live[1].stop.wait(), 10)
            return True

    assert async_to_sync(talk)() is True


def test_a_bond_is_left_when_its_last_member_goes():
    async def talk():
        here, group = hub.get_current(), events.get_group_name(1)
        async with here.join(1):
            async with here.join(1):
                pass
            after_one = group in get_current_layer()._groups
        return after_one, group in get_current_layer()._groups

    assert async_to_sync(talk)() == (True, False)


def test_a_closed_hub_can_be_joined_again():
    async def talk():
        here = Hub()
        async with here.join(1):
            pass
        await here.close()
        await here.close()
        async with here.follow(1) as mailbox:
            await Hub().notify_processes(1)
            heard = await soon(mailbox)
        await here.close()
        return heard

    assert async_to_sync(talk)() is None


@pytest.mark.parametrize("error", [psycopg.OperationalError("away"), ConnectionRefusedError("away")])
def test_where_the_channel_layer_is_away_followers_go_on_without_wake_ups(monkeypatch, caplog, error):
    monkeypatch.setattr(hub, "get_current_layer", lambda: AwayLayer(error))

    async def talk():
        here = Hub()
        async with here.follow(1) as mailbox:
            await here.notify_processes(1)
            here.publish(1, HELLO)
            heard = await soon(mailbox)
        await here.close()
        return heard

    assert async_to_sync(talk)() == HELLO
    assert [record.getMessage() for record in caplog.records] == ["bond 1 goes without wake-ups for now: away"] * 3


def test_each_event_loop_has_its_own_hub():
    async def talk():
        return hub.get_current() is hub.get_current(), hub.get_current().name

    same, name = async_to_sync(talk)()
    assert same is True
    assert async_to_sync(talk)()[1] != name


def test_calls_from_threads_reach_the_loop_while_it_lives():
    async def talk():
        loop, called = asyncio.get_running_loop(), asyncio.Event()
        threading.Thread(target=hub.call_from_thread, args=(loop, called.set)).start()
        await asyncio.wait_for(called.wait(), 10)
        return loop

    ended = asyncio.run(talk())
    hub.call_from_thread(ended, print, "never")


def test_a_token_frame_tells_what_was_said_from_a_place_on():
    live = LiveTurn(bond_id=1, turn_id=uuid4(), text="One two")
    frame = live.build_token_frame(4)

    assert (frame["delta"], frame["offset"], frame["seq"]) == ("two", 4, None)
    assert frame["at"].endswith("Z")
    assert frame["at"] <= timezone.now().isoformat()


def test_a_cancellation_that_the_layer_swallows_ends_who_sends(monkeypatch):
    class SwallowingLayer:
        async def group_send(self, group, message):
            with suppress(asyncio.CancelledError):
                await asyncio.sleep(10)

    monkeypatch.setattr(hub, "get_current_layer", SwallowingLayer)

    async def talk():
        sending = asyncio.create_task(Hub().notify_processes(1))
        await asyncio.sleep(0)
        sending.cancel()
        await asyncio.wait([sending])
        return sending.cancelled()

    assert async_to_sync(talk)()
