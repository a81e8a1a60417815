import asyncio
from contextlib import asynccontextmanager
from datetime import timedelta

import pytest
from asgiref.sync import async_to_sync
from django.utils import timezone

from chat.models import Turn
from chat.turns import receiving, runner
from memory.models import ConceptNode, Entity, Message, Session
from tests.support.factories import NOW, BondFactory
from tests.support.facts import NO_FACT
from tests.support.fakes import FakeLLM
from tests.support.sockets import connected, cookie_of, in_db, until
from tests.support.talking import answer, consolidate

pytestmark = pytest.mark.django_db


@pytest.fixture
def quick(settings):
    settings.OFFLINE_TOKEN_SECONDS = 0
    settings.DEBOUNCE = timedelta(seconds=0.05)


@asynccontextmanager
async def process():
    await runner.start()
    yield
    await runner.stop()


LINES = ("We have a white cat.", "He is called 小黑.", "He jumps on my face at night.")


def without_seq(frames):
    return [{name: value for name, value in frame.items() if name not in ("at", "seq")} for frame in frames]


@pytest.mark.django_db(transaction=True)
def test_the_story_over_the_socket_of_two_tabs(quick):
    bond = BondFactory(user__username="mara", user__password=None)
    cookie = cookie_of(bond.user)
    heard = {"talk": [], "end": [], "other": []}

    async def talk():
        async with process(), connected(bond, cookie=cookie) as tab, connected(bond, cookie=cookie) as other:
            for number, message in enumerate(LINES):
                await tab.send_json_to({"type": "message.send", "content": message, "client_id": f"c-{number}"})
                heard["talk"] += await until(tab, "chat.message.done")
            await tab.send_json_to({"type": "session.close"})
            await tab.send_json_to({"type": "ping"})
            await until(tab, "chat.connection.heartbeat")
            await in_db(consolidate)(await in_db(Session.objects.get)(), now=timezone.now())
            heard["end"] += await until(tab, "chat.session.boundary")
            # The first message opened the session; its title is sent when it is consolidated.
            for _ in range(2):
                heard["other"] += await until(other, "chat.session.boundary")

    async_to_sync(talk)()

    logged = [frame for frame in heard["talk"] + heard["end"] if frame["seq"] is not None]
    assert [frame["seq"] for frame in logged] == list(range(1, len(logged) + 1))
    seen_there = [frame for frame in heard["other"] if frame["seq"] is not None]
    assert seen_there == logged
    assert all(frame["bond"] == bond.pk and frame["at"].endswith("Z") for frame in heard["talk"])

    for number, (message, turn) in enumerate(zip(LINES, Turn.objects.order_by("created_at"), strict=True)):
        said, reply = Message.objects.filter(turn_id=turn.pk).order_by("id")
        of_turn = [
            frame
            for frame in heard["talk"]
            if frame.get("turn") == str(turn.pk) or frame.get("message", {}) == message_shape(said)
        ]
        tokens = [frame for frame in of_turn if frame["type"] == "chat.message.token"]
        # On a busy machine the words that wait for their reader are joined.
        assert len(tokens) > 1
        assert "".join(frame["delta"] for frame in tokens) == reply.content
        assert [frame["type"] for frame in of_turn if frame not in tokens] == [
            "chat.message.user_appended",
            "chat.message.typing",
            "chat.message.done",
        ]
        assert without_seq([of_turn[0], of_turn[-1]]) == [
            {
                "type": "chat.message.user_appended",
                "bond": bond.pk,
                "message": message_shape(said),
                "client_id": f"c-{number}",
                "channel": "web",
                "off_record": False,
            },
            {
                "type": "chat.message.done",
                "bond": bond.pk,
                "turn": str(turn.pk),
                "message": reply.pk,
                "content": reply.content,
                "channel": "web",
                "variant": 0,
                "cut_off": False,
                "offline": True,
                "unnoted": False,
                "error": None,
            },
        ]
        assert said.content == message

    session = Session.objects.get()
    events_made = list(ConceptNode.objects.events().order_by("id"))
    thoughts_made = list(ConceptNode.objects.thoughts().order_by("id"))
    cat = Entity.objects.get()
    bond.refresh_from_db()
    by_type = {}
    for frame in without_seq(heard["end"]):
        by_type.setdefault(frame.pop("type"), []).append(frame)
    assert [frame["node"] for frame in by_type["memory.event.created"]] == [node_shape(node) for node in events_made]
    assert [frame["node"] for frame in by_type.get("memory.thought.created", [])] == [
        node_shape(node) for node in thoughts_made
    ]
    assert by_type["memory.entity.confirmed"] == [
        {
            "bond": bond.pk,
            "entity": {
                "id": cat.pk,
                "canonical_name": "小黑",
                "kind": "pet",
                "aliases": ["小黑"],
                "description": None,
                "description_by": None,
                "merge_status": "confirmed",
                "merge_target": None,
                "linked_events_count": cat.mentions.filter(node__type="event").count(),
                "last_mentioned_at": shown(cat.last_mentioned_at),
                "created_at": shown(cat.created_at),
            },
        }
    ]
    assert by_type["chat.mood.update"] == [
        {
            "bond": bond.pk,
            "episodic_state": {
                "mood": bond.mood,
                "energy": bond.energy,
                "last_user_signal": bond.last_user_signal,
                "updated_at": shown(bond.mood_updated_at),
            },
        }
    ]
    assert by_type["chat.session.boundary"] == [
        {
            "bond": bond.pk,
            "closed_session": session.pk,
            "new_session": None,
            "events_count": len(events_made),
            "thoughts_count": len(thoughts_made),
            "title": session.shown_title,
            "channel": "web",
            "off_record": None,
        }
    ]


def shown(at):
    return at.isoformat().replace("+00:00", "Z")


def message_shape(message):
    return {
        "id": message.pk,
        "session": message.session_id,
        "turn": str(message.turn_id),
        "role": message.role,
        "content": message.content,
        "channel": "web",
        "variant": 0,
        "chosen": True,
        "cut_off": False,
        "kept": None,
        "left_out": False,
        "memory_state": "in_window",
        "writes": [],
        "created_at": shown(message.created_at),
    }


def node_shape(node):
    return {
        "id": node.pk,
        "type": node.type,
        "subject": node.subject,
        "description": node.description,
        "emotional_impact": node.emotional_impact,
        "emotion_tags": node.emotion_tags,
        "relational_tags": node.relational_tags,
        "event_time_start": None,
        "event_time_end": None,
        "origin": node.origin,
        "confidence": node.confidence,
        "state": "live",
        "state_reason": None,
        "session": node.session_id,
        "source_messages": list(node.source_messages.order_by("id").values_list("pk", flat=True)),
        "source_quote": None,
        "filling": list(node.filling.order_by("id").values_list("pk", flat=True)),
        "superseded_by": None,
        "conflicts_with": None,
        "stale": False,
        "valid_from": shown(node.valid_from),
        "valid_until": None,
        "mention_count": 1,
        "created_at": shown(node.created_at),
        **NO_FACT,
    }


@pytest.mark.django_db(transaction=True)
def test_a_page_that_is_loaded_in_the_middle_of_a_reply_has_all_of_it_and_may_stop_it(quick, monkeypatch):
    bond = BondFactory(user__username="mara", user__password=None)
    cookie = cookie_of(bond.user)
    llm = FakeLLM("One two three four.", "Five six.", "Seven.")
    monkeypatch.setattr("chat.turns.reply.provider.get_llm", lambda options: llm)
    go_on, paused = asyncio.Event(), asyncio.Event()

    async def pause(word):
        if word == 2 and len(llm.calls) == 1:
            paused.set()
            await go_on.wait()

    llm.before_word = pause

    async def talk():
        async with process():
            async with connected(bond, cookie=cookie) as tab:
                await tab.send_json_to({"type": "message.send", "content": "Count.", "client_id": "c-1"})
                await asyncio.wait_for(paused.wait(), 20)
            # The page is closed, the turn continues.
            async with connected(bond, cookie=cookie) as tab:
                await tab.send_json_to({"type": "turn.snapshot"})
                snapshot = await tab.receive_json_from(timeout=20)
                await tab.send_json_to({"type": "turn.stop"})
                stopped = await until(tab, "chat.message.done")
                await tab.send_json_to({"type": "turn.regenerate"})
                anew = await until(tab, "chat.message.done")
                await tab.send_json_to({"type": "turn.retry"})
                refused = await until(tab, "error")
                return tab.ready, snapshot, stopped[-1], anew[-1], refused[-1]

    ready, snapshot, stopped, anew, refused = async_to_sync(talk)()
    assert ready["running_turn"] == {"id": snapshot["turn"], "text": "One two ", "writes": []}
    assert (snapshot["delta"], snapshot["offset"]) == ("One two ", 0)
    assert (stopped["content"], stopped["cut_off"], stopped["variant"]) == ("One two", True, 0)
    assert (anew["content"], anew["cut_off"], anew["variant"]) == ("Five six.", False, 1)
    assert refused["code"] == "conflict"


@pytest.mark.django_db(transaction=True)
def test_a_failed_turn_is_tried_again_over_the_socket(quick, monkeypatch):
    bond = BondFactory(user__username="mara", user__password=None)
    cookie = cookie_of(bond.user)
    receiving.receive(bond=bond, content="Hello.", channel="web", now=NOW)
    answer(bond, now=NOW, llm=FakeLLM(""))
    monkeypatch.setattr("chat.turns.reply.provider.get_llm", lambda options: FakeLLM("Here I am."))

    async def talk():
        async with process(), connected(bond, cookie=cookie) as tab:
            await tab.send_json_to({"type": "turn.retry"})
            return (await until(tab, "chat.message.done"))[-1]

    done = async_to_sync(talk)()
    assert (done["content"], done["turn"]) == ("Here I am.", str(Turn.objects.get().pk))
