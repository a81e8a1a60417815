import asyncio
from datetime import timedelta

import pytest
from asgiref.sync import async_to_sync
from django.db import OperationalError
from django.utils import timezone

from chat.broadcast import hub
from chat.broadcast.hub import LiveTurn
from chat.live import followers as follow
from chat.models import Turn
from chat.turns import claiming, endings, runner
from echovessel import events
from echovessel.models import BondEvent
from tests.support.factories import NOW, BondFactory, TurnFactory
from tests.support.fakes import FakeLLM
from tests.support.following import following, heard, in_db, record, until
from tests.support.running import claimed

pytestmark = pytest.mark.django_db

WORDS = "One two three four five six seven eight nine ten."


@pytest.fixture
def bond():
    return BondFactory(user__username="mara")


def test_the_first_frame_tells_where_one_is(bond):
    record(bond, 1)

    async def talk():
        async with following(bond) as follower:
            return await follower.start(None)

    frame = async_to_sync(talk)()
    assert frame.pop("at").endswith("Z")
    assert frame == {
        "type": "chat.connection.ready",
        "seq": None,
        "bond": bond.pk,
        "last_seq": 1,
        "reset": False,
        "running_turn": None,
    }


def test_events_come_once_and_in_order_however_often_one_is_woken(bond):
    async def talk(follower):
        frames = []
        for number in (1, 2, 3):
            await in_db(record)(bond, number)
            for _ in range(number):
                follower.mailbox.put(None)
        for _ in range(6):
            frames += await follower.next_frames()
        return frames

    assert heard(bond, talk) == [
        {"type": "chat.settings.updated", "seq": number, "changed_fields": [str(number)]} for number in (1, 2, 3)
    ]


def test_an_event_is_found_though_its_wake_up_was_lost(bond):
    async def talk(follower):
        await in_db(record)(bond, 1)
        return await follower.next_frames(timeout_seconds=0)

    assert [frame["seq"] for frame in heard(bond, talk)] == [1]


def test_more_events_than_are_read_at_once_come_without_waiting(bond, monkeypatch):
    monkeypatch.setattr(events, "READ_MOST", 2)
    monkeypatch.setattr(events.load_since, "__kwdefaults__", {"most": 2})

    async def talk(follower):
        for number in range(5):
            await in_db(record)(bond, number)
        return [
            frame for _ in range(3) for frame in await asyncio.wait_for(follower.next_frames(timeout_seconds=0), 10)
        ]

    assert [frame["seq"] for frame in heard(bond, talk)] == [1, 2, 3, 4, 5]


def test_an_event_whose_text_is_gone_is_passed_over_once(bond):
    async def talk(follower):
        await in_db(events.record)(
            bond_id=bond.pk, type="memory.event.created", refs={"node": 12345}, now=timezone.now()
        )
        first = await follower.read_new_frames()
        return [*first, {"type": "", "seq": follower.seq}]

    assert heard(bond, talk) == [{"type": "", "seq": 1}]


def test_one_that_was_away_gets_what_it_missed(bond):
    for number in (1, 2, 3):
        record(bond, number)

    async def talk():
        async with following(bond) as follower:
            ready = await follower.start(1)
            return [ready, *await follower.read_new_frames()]

    frames = async_to_sync(talk)()
    assert (frames[0]["reset"], frames[0]["last_seq"]) == (False, 3)
    assert [frame["seq"] for frame in frames[1:]] == [2, 3]


def test_one_that_was_away_too_long_must_reload(bond):
    for number in (1, 2, 3):
        record(bond, number)
    BondEvent.objects.filter(seq__lte=2).update(created_at=NOW - timedelta(days=2))
    events.prune(NOW)

    async def talk():
        async with following(bond) as follower:
            ready = [await follower.start(after) for after in (1, 2, 3, 4)]
            return [frame["reset"] for frame in ready], await follower.read_new_frames()

    assert async_to_sync(talk)() == ([True, False, False, True], [])


def test_resume_plays_again_what_came_after_and_only_once(bond):
    for number in (1, 2, 3):
        record(bond, number)

    async def talk(follower):
        follower.mailbox.put({"type": "resume", "after": 1})
        follower.mailbox.put(None)
        return [*await follower.next_frames(), *await follower.next_frames()]

    assert [frame["seq"] for frame in heard(bond, talk)] == [2, 3]


def test_resume_from_where_nothing_is_kept_says_so(bond):
    record(bond, 1)

    async def talk(follower):
        follower.mailbox.put({"type": "resume", "after": 7})
        return [*await follower.next_frames(), *await follower.read_new_frames()]

    assert heard(bond, talk) == [
        {"type": "chat.connection.ready", "seq": None, "last_seq": 1, "reset": True, "running_turn": None}
    ]


def test_all_who_join_a_reply_at_any_word_have_its_exact_text(bond):
    turn = claimed(bond)
    llm = FakeLLM(WORDS)
    followers = []

    async def listen(joined):
        async with following(bond) as follower:
            ready = await follower.start(None)
            joined.set()
            frames = await until(follower, "chat.message.done")
        return ready["running_turn"], frames

    async def join(_):
        joined = asyncio.Event()
        followers.append(asyncio.create_task(listen(joined)))
        await joined.wait()

    async def talk():
        llm.before_word = join
        await join(0)
        await runner.run(turn, llm=llm)
        return await asyncio.gather(*followers)

    listened = async_to_sync(talk)()
    assert len(listened) == 11
    for running, frames in listened:
        assert running["id"] == str(turn.pk)
        text = running["text"]
        for frame in frames:
            if frame["type"] == "chat.message.token":
                assert frame["offset"] == len(text)
                text += frame["delta"]
        assert text == WORDS
        assert [frame["content"] for frame in frames if frame["type"] == "chat.message.done"] == [WORDS]
    assert [running["text"] for running, _ in listened[1:]] == [WORDS[: WORDS.index(word)] for word in WORDS.split()]


def test_what_was_said_while_one_joined_is_not_said_twice(bond):
    turn = TurnFactory(session__bond=bond, status="running")

    async def talk():
        live = hub.get_current().live[bond.pk] = LiveTurn(bond_id=bond.pk, turn_id=turn.pk, text="One two ")
        async with following(bond) as follower:
            # All of this came while the first frame was being built.
            follower.mailbox.put(runner.build_typing_frame(turn))
            follower.mailbox.put(live.build_token_frame(0) | {"delta": "One "})
            follower.mailbox.put(live.build_token_frame(4))
            ready = await follower.start(None)
            live.text += "three"
            follower.mailbox.put(live.build_token_frame(8))
            return ready["running_turn"]["text"], [
                frame for _ in range(4) for frame in await follower.next_frames(timeout_seconds=0)
            ]

    begun, frames = async_to_sync(talk)()
    assert (begun, [(frame["delta"], frame["offset"]) for frame in frames]) == ("One two ", [("three", 8)])


def test_to_resume_in_the_middle_of_a_reply_loses_no_word(bond):
    turn = claimed(bond)
    llm = FakeLLM(WORDS)

    async def talk():
        async with following(bond) as follower:
            await follower.start(None)

            async def resume(word):
                if word in (3, 6):
                    follower.mailbox.put({"type": "resume", "after": 1})

            llm.before_word = resume
            running = asyncio.create_task(runner.run(turn, llm=llm))
            frames = await until(follower, "chat.message.done")
            await running
            return frames

    frames = async_to_sync(talk)()
    assert "".join(frame["delta"] for frame in frames if frame["type"] == "chat.message.token") == WORDS


def test_a_gap_is_filled_from_the_whole_text(bond):
    turn = TurnFactory(session__bond=bond, status="running")

    async def talk(follower):
        live = hub.get_current().live[bond.pk] = LiveTurn(bond_id=bond.pk, turn_id=turn.pk, text="One two three")
        follower.mailbox.put(live.build_token_frame(0) | {"delta": "One "})
        # The token between was dropped from a full mailbox.
        follower.mailbox.put(live.build_token_frame(8))
        follower.mailbox.put(live.build_token_frame(4) | {"delta": "two three"})
        live.text += " four"
        follower.mailbox.put(live.build_token_frame(13))
        return [frame for _ in range(4) for frame in await follower.next_frames(timeout_seconds=0)]

    assert [(frame["delta"], frame["offset"]) for frame in heard(bond, talk)] == [
        ("One ", 0),
        ("One two three four", 0),
    ]


@pytest.mark.parametrize("length", [0, 4], ids=["all of it", "a step"])
def test_what_is_taken_back_gives_place_to_what_is_said_instead(bond, length):
    turn = TurnFactory(session__bond=bond, status="running")
    live = LiveTurn(bond_id=bond.pk, turn_id=turn.pk, text="One she is tired")

    async def talk(follower):
        here = hub.get_current()
        here.live[bond.pk] = live
        here.publish(bond.pk, live.build_token_frame())
        said = await follower.next_frames(timeout_seconds=0)
        await here.take_back(live, length=length)
        live.text += "sit down and have some tea"
        # Nobody has read the frame before it.
        here.publish(bond.pk, live.build_token_frame(length))
        said += await follower.next_frames(timeout_seconds=0)
        return [*said, *await follower.next_frames(timeout_seconds=0)]

    assert [(frame["delta"], frame["offset"]) for frame in heard(bond, talk)] == [
        ("One she is tired", 0),
        (live.text, 0),
    ]


def test_a_snapshot_is_the_whole_text_of_what_runs_here(bond):
    turn = TurnFactory(session__bond=bond, status="running", text="One")

    async def talk(follower):
        hub.get_current().live[bond.pk] = LiveTurn(bond_id=bond.pk, turn_id=turn.pk, text="One two")
        follower.mailbox.put({"type": "snapshot"})
        return await follower.next_frames()

    assert heard(bond, talk) == [
        {"type": "chat.message.token", "seq": None, "turn": str(turn.pk), "delta": "One two", "offset": 0}
    ]


def test_a_snapshot_of_a_turn_elsewhere_is_its_saved_text(bond):
    turn = TurnFactory(session__bond=bond, status="running", text="One two")

    async def talk(follower):
        follower.mailbox.put({"type": "snapshot"})
        return await follower.next_frames()

    assert heard(bond, talk) == [
        {"type": "chat.message.token", "seq": None, "turn": str(turn.pk), "delta": "One two", "offset": 0}
    ]


def test_there_is_no_snapshot_where_nothing_runs(bond):
    async def talk(follower):
        follower.mailbox.put({"type": "snapshot"})
        return await follower.next_frames()

    assert heard(bond, talk) == []


def test_a_turn_in_another_process_is_followed_by_what_it_saves(bond):
    turn = TurnFactory(session__bond=bond, status="running", text="One")

    async def talk(follower):
        frames = []
        for text in ("One two", "One two", "One two three", "Four", "", "Five"):
            await in_db(Turn.objects.filter(pk=turn.pk).update)(text=text)
            follower.mailbox.put(None)
            frames += await follower.next_frames()
        return frames

    # What is taken back, as a thought, gives place to what is said instead.
    assert [(frame["delta"], frame["offset"]) for frame in heard(bond, talk)] == [
        *[(" two", 3), (" three", 7)],
        *[("Four", 0), ("", 0), ("Five", 0)],
    ]


def test_a_turn_that_begins_in_another_process_is_announced_by_typing(bond):
    async def talk(follower):
        turn = await in_db(claimed)(bond)
        await in_db(claiming.keep_alive)(turn=turn, text="One", now=NOW)
        frames = await follower.read_new_frames()
        await in_db(endings.finish)(turn=turn, ending=endings.Ending(status="done", text="One two."), now=NOW)
        return [*frames, *await follower.read_new_frames(), *await follower.read_new_frames()]

    frames = heard(bond, talk)
    assert [(frame["type"], frame.get("delta"), frame.get("content")) for frame in frames] == [
        ("chat.session.boundary", None, None),
        ("chat.message.user_appended", None, None),
        ("chat.message.typing", None, None),
        ("chat.message.token", "One", None),
        ("chat.message.done", None, "One two."),
    ]


def test_a_turn_tried_again_elsewhere_begins_anew(bond):
    def end_and_begin_anew(turn):
        endings.finish(turn=turn, ending=endings.Ending(status="interrupted", text="One two three"), now=NOW)
        Turn.objects.filter(pk=turn.pk).update(status="pending", due_at=NOW)
        claiming.keep_alive(turn=claiming.claim(bond_id=bond.pk, now=NOW), text="Once", now=NOW)

    async def talk(follower):
        turn = await in_db(claimed)(bond)
        await in_db(claiming.keep_alive)(turn=turn, text="One two", now=NOW)
        before = await follower.read_new_frames()
        await in_db(end_and_begin_anew)(turn)
        return [*before[2:], *await follower.read_new_frames()]

    assert [(frame["type"], frame.get("delta"), frame.get("offset")) for frame in heard(bond, talk)] == [
        ("chat.message.typing", None, None),
        ("chat.message.token", "One two", 0),
        ("chat.message.done", None, None),
        ("chat.message.typing", None, None),
        ("chat.message.token", "Once", 0),
    ]


def test_with_redis_frames_go_ahead_of_what_is_saved_and_gaps_are_asked_for(bond, settings):
    settings.REDIS_URL = "redis://nowhere"
    turn = TurnFactory(session__bond=bond, status="running", text="One ")
    live = LiveTurn(bond_id=bond.pk, turn_id=turn.pk, text="One two three")

    async def talk(follower):
        elsewhere = hub.Hub()
        elsewhere.live[bond.pk] = live
        async with elsewhere.join(bond.pk):
            follower.mailbox.put(live.build_token_frame(4) | {"delta": "two "})
            ahead = [*await follower.next_frames(), *await follower.read_new_frames()]
            # Its text is older than this follower: the next frame leaves a gap, and the follower asks the runner.
            follower.mailbox.put(live.build_token_frame(13))
            asked = [*await follower.next_frames(), *await asyncio.wait_for(follower.next_frames(), 10)]
            follower.mailbox.put({"type": "snapshot"})
            whole = [*await follower.next_frames(), *await asyncio.wait_for(follower.next_frames(), 10)]
        await elsewhere.close()
        return [*ahead, *asked, *whole]

    assert [(frame["delta"], frame["offset"]) for frame in heard(bond, talk)] == [
        ("two ", 4),
        ("three", 8),
        ("One two three", 0),
    ]


def test_a_follower_outlives_a_database_that_is_away(bond, monkeypatch, caplog):
    monkeypatch.setattr(follow, "RETRY_SECONDS", 0)
    look = events.load_since
    failures = [OperationalError("away"), OperationalError("still away")]

    def since(*asked):
        if failures:
            raise failures.pop()
        return look(*asked)

    monkeypatch.setattr(events, "load_since", since)

    async def talk(follower):
        await in_db(record)(bond, 1)
        follower.mailbox.put({"type": "resume", "after": 0})
        return [frame for _ in range(3) for frame in await follower.next_frames()]

    assert [frame["seq"] for frame in heard(bond, talk)] == [1]
    assert len(caplog.records) == 2
