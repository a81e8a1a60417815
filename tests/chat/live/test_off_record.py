import asyncio
from contextlib import aclosing
from datetime import timedelta

import pytest
from asgiref.sync import async_to_sync
from django.utils import timezone

from chat.broadcast import hub
from chat.live import followers
from chat.models import Turn
from chat.turns import actions, claiming, endings, receiving, reply, runner
from echovessel.llm.errors import ModelUnavailableError
from echovessel.llm.ledger import RecordingLLM
from echovessel.models import BondEvent, LedgerEntry
from memory import sessions
from memory.models import Doubt, Message, Session
from tests.support.dumping import tables_with
from tests.support.factories import NOW, BondFactory, EntityFactory
from tests.support.fakes import FakeLLM
from tests.support.following import following, heard, in_db, until
from tests.support.running import LONG
from tests.support.talking import answer, close, fill_window, say

pytestmark = pytest.mark.django_db

SECRET = "Zymurgy is what I never told anybody."
ANSWER = "Zymurgy, then; it stays between us."


@pytest.fixture(autouse=True)
def quick(monkeypatch):
    monkeypatch.setattr(reply, "RETRY_SECONDS", 0)


@pytest.fixture
def bond():
    return BondFactory(user__username="mara")


@pytest.fixture
def secret(bond):
    return sessions.start_new(bond=bond, channel="web", now=NOW, off_record=True)


def recorded(llm):
    """The same model, with its calls in the ledger."""
    return RecordingLLM(llm)


def test_a_session_off_the_record_leaves_a_row_of_sums(bond, secret):
    turn = say(bond, SECRET, now=NOW, llm=recorded(FakeLLM(ANSWER)))

    entry = LedgerEntry.objects.get()
    assert (entry.user_id, entry.bond_id, entry.turn_id, entry.session_id) == (bond.user_id, None, None, None)
    assert (entry.feature, entry.tokens_in, entry.tokens_out) == ("reply", 100, 20)
    assert (turn.status, turn.trace) == ("done", {})


def test_its_text_is_only_in_its_messages_and_then_nowhere(bond, secret, caplog):
    caplog.set_level("INFO")
    say(bond, SECRET, now=NOW, llm=recorded(FakeLLM(ANSWER)))
    assert tables_with("ymurgy") == ["memory_message"]

    sessions.close(session=secret, reason="explicit", now=NOW)

    assert tables_with("ymurgy") == []
    assert not any("ymurgy" in message for message in caplog.messages)
    assert (Session.objects.count(), Message.objects.count(), Turn.objects.count()) == (0, 0, 0)
    assert set(BondEvent.objects.values_list("type", flat=True)) == {
        "chat.session.boundary",
        "chat.session.forgotten",
    }


def test_the_companion_hears_it_while_it_lasts_and_not_after(bond, secret):
    llm = FakeLLM(ANSWER, "Which one?", "What do you mean?")
    say(bond, SECRET, now=NOW, llm=llm)
    say(bond, "You know which.", now=NOW, llm=llm)
    sessions.close(session=secret, reason="explicit", now=NOW)
    say(bond, "You know which.", now=NOW, llm=llm)

    assert ["ymurgy" in call.text for call in llm.calls] == [True, True, False]


def test_it_is_not_recalled_in_another_session_though_it_lasts(bond, secret):
    say(bond, SECRET, now=NOW, llm=FakeLLM(ANSWER))
    fill_window(bond)
    llm = FakeLLM("No idea.")

    say(bond, "What do I know of zymurgy?", now=NOW, channel="api", llm=llm)

    assert SECRET not in llm.calls[0].text


def test_a_session_on_the_record_is_consolidated_without_it(bond, secret):
    say(bond, SECRET, now=NOW, llm=FakeLLM(ANSWER))
    say(bond, "My cat is white.", "She is called Nimbus.", now=NOW, channel="api")

    close(bond, now=NOW, channel="api")

    assert tables_with("ymurgy") == ["memory_message"]


def test_nothing_is_asked_there_that_it_would_not_learn(bond, secret):
    scott = EntityFactory(bond=bond, canonical_name="Scott", kind="person")
    yiyang = EntityFactory(
        bond=bond, canonical_name="Yiyang", kind="person", merge_status="uncertain", merge_target=scott
    )

    say(bond, "Scott came by.", now=NOW, llm=FakeLLM("Did he?"))

    assert Doubt.objects.get(a_entity=yiyang).asked_in == []


def test_closed_in_the_middle_of_a_reply_it_is_erased_with_it(bond, secret):
    llm = FakeLLM(ANSWER)

    async def leave(at):
        if at == 1:
            await in_db(sessions.close)(session=secret, reason="explicit", now=timezone.now())
            assert await in_db(tables_with)("ymurgy") == ["memory_message"]

    llm.before_word = leave
    receiving.receive(bond=bond, content=SECRET, channel="web", now=timezone.now(), debounce=False)
    turn = claiming.claim(bond_id=bond.pk, now=timezone.now())
    async_to_sync(runner.run)(turn, llm=llm)

    assert tables_with("ymurgy") == []
    assert Turn.objects.count() == 0


def test_a_turn_that_was_lost_is_erased_with_its_session(bond, secret):
    receiving.receive(bond=bond, content=SECRET, channel="web", now=NOW, debounce=False)
    claiming.claim(bond_id=bond.pk, now=NOW)
    sessions.close(session=secret, reason="explicit", now=NOW)

    endings.interrupt_dead(now=NOW + timedelta(seconds=21))

    assert tables_with("ymurgy") == []


def lasting(frames):
    """The events that say what is stored now."""
    return [frame for frame in frames if frame["type"] not in ("chat.message.typing", "chat.message.token")]


def test_who_follows_hears_messages_and_replies_without_numbers(bond, secret):
    async def talk(follower):
        await in_db(say)(bond, SECRET, now=NOW, llm=FakeLLM(ANSWER))
        first = await follower.read_new_frames()
        return [*first, *await follower.read_new_frames()]

    said, done = lasting(heard(bond, talk))

    message, reply = Message.objects.order_by("id")
    turn = str(reply.turn_id)
    assert said == {
        "type": "chat.message.user_appended",
        "seq": None,
        "message": said["message"],
        "client_id": None,
        "channel": "web",
        "off_record": True,
    }
    assert (said["message"]["id"], said["message"]["content"], said["message"]["turn"]) == (message.pk, SECRET, turn)
    assert done == {
        "type": "chat.message.done",
        "seq": None,
        "turn": turn,
        "message": reply.pk,
        "content": ANSWER,
        "channel": "web",
        "variant": 0,
        "cut_off": False,
        "offline": False,
        "unnoted": False,
        "error": None,
    }


def test_who_comes_later_has_what_was_said_from_the_page_or_asks_for_it(bond, secret):
    say(bond, SECRET, now=NOW, llm=FakeLLM(ANSWER))

    async def talk(follower):
        missed = await follower.read_new_frames()
        follower.mailbox.put({"type": "resume", "after": 0})
        # The wake-up of the reply may come only now, and be first.
        told = await until(follower, "chat.message.done")
        return [missed, [frame["type"] for frame in told if frame["seq"] is None]]

    async def run():
        async with following(bond) as follower:
            await follower.start(None)
            return await talk(follower)

    assert async_to_sync(run)() == [[], ["chat.message.user_appended", "chat.message.done"]]


def test_a_turn_without_a_reply_ends_with_one_error(bond, secret):
    async def talk(follower):
        await in_db(say)(bond, SECRET, now=NOW, llm=FakeLLM(*[ModelUnavailableError("No.", transient=False)] * 2))
        return [*await follower.read_new_frames(), *await follower.read_new_frames()]

    _, error = lasting(heard(bond, talk))

    turn = Turn.objects.get()
    assert error == {
        "type": "chat.message.error",
        "seq": None,
        "turn": str(turn.pk),
        "code": "model_unavailable",
        "detail": "No.",
        "retryable": True,
        "stopped": False,
    }


def test_tried_again_it_tells_the_reply(bond, secret):
    turn = say(bond, SECRET, now=NOW, llm=FakeLLM(ModelUnavailableError("No.", transient=False)))

    async def talk(follower):
        await in_db(actions.retry)(turn=turn, now=NOW)
        await runner.run(await in_db(claiming.claim)(bond_id=bond.pk, now=NOW), llm=FakeLLM(ANSWER))
        return await follower.read_new_frames()

    assert [frame["type"] for frame in lasting(heard(bond, talk))] == ["chat.message.done"]


def streamed(bond, turn_id):
    async def run():
        async with aclosing(followers.stream_frames(bond.pk, after=0, turn_id=turn_id)) as stream:
            return [frame["type"] async for frame in stream]

    return async_to_sync(run)()


def test_a_stream_of_its_turn_ends_with_it(bond, secret):
    turn = say(bond, SECRET, now=NOW, llm=FakeLLM(ANSWER))

    assert streamed(bond, turn.pk) == ["chat.message.user_appended", "chat.message.done"]


def test_a_stream_of_its_turn_ends_when_all_is_erased(bond, secret):
    received = receiving.receive(bond=bond, content=SECRET, channel="web", now=NOW, debounce=False)

    async def run():
        found = []
        async with (
            asyncio.timeout(20),
            aclosing(followers.stream_frames(bond.pk, after=0, turn_id=received.turn_id)) as stream,
        ):
            async for frame in stream:
                found.append(frame["type"])
                await in_db(Session.objects.filter(pk=secret.pk).delete)()
                hub.get_current().publish(bond.pk, None)
        return found

    assert async_to_sync(run)() == ["chat.message.user_appended"]


def test_another_reply_off_the_record_is_told_too(bond, secret):
    turn = say(bond, SECRET, now=NOW, llm=FakeLLM(ANSWER))

    async def talk(follower):
        await in_db(actions.regenerate)(turn=turn, now=NOW)
        claimed = await in_db(claiming.claim)(bond_id=bond.pk, now=NOW + LONG)
        await runner.run(claimed, llm=FakeLLM("Between us."))
        return await follower.read_new_frames()

    assert [(frame["content"], frame["variant"]) for frame in lasting(heard(bond, talk))] == [("Between us.", 1)]


def test_a_reply_that_is_chosen_again_and_a_message_that_is_erased_are_told(bond, secret):
    turn = say(bond, SECRET, now=NOW, llm=FakeLLM(ANSWER))
    actions.regenerate(turn=turn, now=NOW)
    answer(bond, now=NOW + LONG, llm=FakeLLM("Between us."))
    message, first, second = Message.objects.order_by("id")

    async def talk(follower):
        await in_db(actions.choose_reply)(message=first, now=NOW)
        chosen = await follower.read_new_frames()
        first.chosen = True
        await in_db(actions.forget_message)(message=first, now=NOW)
        return [*chosen, *await follower.read_new_frames()]

    done, *erased = lasting(heard(bond, talk))

    assert (done["type"], done["message"], done["content"]) == ("chat.message.done", first.pk, ANSWER)
    assert [(frame["type"], frame["seq"], frame["message"]) for frame in erased] == [
        ("chat.message.deleted", None, first.pk)
    ]
    assert list(Message.objects.all()) == [message]
    assert second.pk not in {frame["message"] for frame in erased}
