import asyncio
import json
from contextlib import asynccontextmanager
from datetime import timedelta

import pytest
from asgiref.sync import async_to_sync
from channels.auth import AuthMiddlewareStack
from channels.db import database_sync_to_async
from channels.routing import URLRouter
from channels.testing import WebsocketCommunicator
from django.test import Client
from django.utils import timezone

from chat import consumers, follow, runner, tickets, turns
from chat.consumers import FRAME_BYTES
from chat.models import Turn
from chat.routing import websocket_urlpatterns
from echovessel import events
from memory.models import ConceptNode, Entity, Message, Session
from personas.models import Bond
from tests.chat.talking import answer, consolidate
from tests.factories import NOW, BondFactory, TurnFactory, UserFactory
from tests.fakes import FakeLLM

pytestmark = pytest.mark.django_db
APPLICATION = AuthMiddlewareStack(URLRouter(websocket_urlpatterns))  # type: ignore[arg-type]  # plain path() is enough
HERE = "http://localhost:8000"
in_db = database_sync_to_async


@pytest.fixture
def bond():
    return BondFactory(user__username="mara", user__password=None)


def cookie_of(user):
    client = Client()
    client.force_login(user)
    return f"sessionid={client.cookies['sessionid'].value}".encode()


def socket(bond_id, *, cookie=b"", origin=HERE, query=""):
    headers = [(b"cookie", cookie)] if cookie else []
    headers += [(b"origin", origin.encode("latin-1"))] if origin is not None else []
    return WebsocketCommunicator(APPLICATION, f"/ws/bonds/{bond_id}/{query}", headers=headers)


@asynccontextmanager
async def connected(bond, **opened):
    """A socket that is ready, with its first frame as `ready`."""
    communicator = socket(bond.pk, **opened)
    accepted, _ = await communicator.connect(timeout=20)
    assert accepted is True
    communicator.ready = await communicator.receive_json_from(timeout=20)
    yield communicator
    await communicator.disconnect(timeout=20)


async def close_code(communicator):
    while True:
        output = await communicator.receive_output(timeout=20)
        if output["type"] == "websocket.close":
            return output["code"]


def refused(bond_id, **opened):
    """The code with which a socket is closed after it was accepted."""

    async def talk():
        communicator = socket(bond_id, **opened)
        accepted, _ = await communicator.connect(timeout=20)
        code = await close_code(communicator)
        # What was sent before one knew is not acted on.
        await communicator.send_to(text_data="{}")
        is_silent = await communicator.receive_nothing()
        await communicator.disconnect(timeout=20)
        return accepted, code, is_silent

    accepted, code, is_silent = async_to_sync(talk)()
    assert (accepted, is_silent) == (True, True)
    return code


def answered(bond, *sent, **opened):
    """The answers to frames, one for each, on a socket of the bond's user that stays open."""
    opened.setdefault("cookie", cookie_of(bond.user))

    async def talk():
        frames = []
        async with connected(bond, **opened) as communicator:
            for frame in sent:
                if isinstance(frame, bytes):
                    await communicator.send_to(bytes_data=frame)
                else:
                    await communicator.send_to(text_data=frame if isinstance(frame, str) else json.dumps(frame))
                frames.append(await communicator.receive_json_from(timeout=20))
        return frames

    return async_to_sync(talk)()


async def until(communicator, type):
    frames = []
    while not frames or frames[-1]["type"] != type:
        frames.append(await communicator.receive_json_from(timeout=20))
    return frames


def test_a_socket_is_ready_with_the_first_frame(bond):
    cookie = cookie_of(bond.user)

    async def talk():
        async with connected(bond, cookie=cookie) as communicator:
            return communicator.ready

    ready = async_to_sync(talk)()
    assert ready.pop("at") <= timezone.now().isoformat()
    assert ready == {
        "type": "chat.connection.ready",
        "seq": None,
        "bond": bond.pk,
        "last_seq": 0,
        "reset": False,
        "running_turn": None,
    }


def test_who_is_not_signed_in_is_turned_away(bond):
    assert refused(bond.pk) == 4401
    assert refused(bond.pk, cookie=b"sessionid=nothing") == 4401
    assert refused(bond.pk, query="?ticket=nothing") == 4401


def test_charlie_sees_no_bond_of_another_and_none_that_is_not_there(bond):
    cookie = cookie_of(UserFactory(username="charlie"))

    assert refused(bond.pk, cookie=cookie) == 4404
    assert refused(10**40, cookie=cookie) == 4404
    assert refused(bond.pk, query=f"?ticket={tickets.issue(UserFactory())}", origin=None) == 4404


@pytest.mark.parametrize(
    "origin", ["http://evil.example", "http://localhost.evil.example", "null", "http://[", "http://x:y", "", None]
)
def test_a_page_of_another_site_is_turned_away(bond, settings, origin):
    settings.CSRF_TRUSTED_ORIGINS = ["https://talk.example"]

    assert refused(bond.pk, cookie=cookie_of(bond.user), origin=origin) == 4401


@pytest.mark.parametrize(
    "origin", ["http://127.0.0.1:8000", "https://talk.example", "https://deep.below.example", "http://[::1]:8000"]
)
def test_a_page_of_this_site_may_talk(bond, settings, origin):
    settings.CSRF_TRUSTED_ORIGINS = ["https://talk.example", "https://*.below.example"]

    [beat] = answered(bond, {"type": "ping"}, origin=origin)
    assert beat["type"] == "chat.connection.heartbeat"


def test_a_ticket_opens_one_socket_without_origin_and_speaks_on_channel_api(bond):
    query = f"?ticket={tickets.issue(bond.user)}"

    async def talk():
        async with connected(bond, query=query, origin=None) as communicator:
            await communicator.send_json_to({"type": "message.send", "content": "Hello.", "client_id": "c-1"})
            await communicator.send_json_to({"type": "ping"})
            await until(communicator, "chat.connection.heartbeat")

    async_to_sync(talk)()
    assert refused(bond.pk, query=query, origin=None) == 4401
    message = Message.objects.get()
    assert (message.content, message.channel, message.session.channel) == ("Hello.", "api", "api")


@pytest.mark.parametrize(
    ("frame", "code"),
    [
        ("no json", "invalid"),
        ("[]", "invalid"),
        ('"ping"', "invalid"),
        ("[" * 50_000, "invalid"),
        (b'{"type": "ping"}', "invalid"),
        ({}, "invalid"),
        ({"type": None}, "invalid"),
        ({"type": ["ping"]}, "invalid"),
        ({"type": "message.edit"}, "invalid"),
        ({"type": "ping", "now": True}, "unknown_field"),
        ({"type": "ping", "\ud83d" * 900: 1}, "unknown_field"),
        ({"type": "turn.stop", "turn": 1}, "unknown_field"),
        ({"type": "turn.retry", "turn": 1}, "unknown_field"),
        ({"type": "turn.regenerate", "turn": 1}, "unknown_field"),
        ({"type": "turn.snapshot", "turn": 1}, "unknown_field"),
        ({"type": "session.close", "session": 1}, "unknown_field"),
        ({"type": "message.send", "content": "Hello."}, "invalid"),
        ({"type": "message.send", "content": "Hello.", "client_id": 7}, "invalid"),
        ({"type": "message.send", "content": "Hello.", "client_id": ""}, "invalid"),
        ({"type": "message.send", "content": "Hello.", "client_id": "c" * 65}, "too_long"),
        ({"type": "message.send", "client_id": "c-1"}, "invalid"),
        ({"type": "message.send", "content": " ", "client_id": "c-1"}, "invalid"),
        ({"type": "message.send", "content": {"a": 1}, "client_id": "c-1"}, "invalid"),
        ({"type": "message.send", "content": "a\u0000b", "client_id": "c-1"}, "invalid"),
        ({"type": "message.send", "content": "\ud83d", "client_id": "c-1"}, "invalid"),
        ({"type": "message.send", "content": "a" * 20_001, "client_id": "c-1"}, "too_long"),
        ({"type": "message.send", "content": "Hello.", "client_id": "c-1", "session": "1"}, "invalid"),
        ({"type": "message.send", "content": "Hello.", "client_id": "c-1", "session": True}, "invalid"),
        ({"type": "message.send", "content": "Hello.", "client_id": "c-1", "session": 10**30}, "not_found"),
        ({"type": "message.send", "content": "Hello.", "client_id": "c-1", "to": "all"}, "unknown_field"),
        ({"type": "resume"}, "invalid"),
        ({"type": "resume", "after": -1}, "invalid"),
        ({"type": "resume", "after": "1"}, "invalid"),
        ({"type": "resume", "after": True}, "invalid"),
        ({"type": "resume", "after": 1.5}, "invalid"),
        ({"type": "turn.retry"}, "conflict"),
        ({"type": "turn.regenerate"}, "conflict"),
        ({"type": "session.close"}, "conflict"),
    ],
    ids=lambda value: ascii(value)[:70],
)
def test_a_bad_frame_is_answered_and_the_socket_stays_open(bond, frame, code):
    error, beat = answered(bond, frame, {"type": "ping"})

    assert set(error) == {"type", "code", "detail"}
    assert (error["type"], error["code"], beat["type"]) == ("error", code, "chat.connection.heartbeat")
    assert 0 < len(error["detail"].encode()) < 500
    assert (Message.objects.count(), Turn.objects.count()) == (0, 0)


def test_what_is_wished_of_the_newest_turn_may_be_refused(bond):
    TurnFactory(session__bond=bond, status="done", created_at=NOW - timedelta(days=1))
    TurnFactory(session__bond=bond, session__channel="api", status="failed")

    [error] = answered(bond, {"type": "turn.regenerate"})

    assert error == {
        "type": "error",
        "code": "conflict",
        "detail": "This turn is failed; only a finished one can be made anew.",
    }


@pytest.mark.parametrize(("size", "code"), [(FRAME_BYTES, None), (FRAME_BYTES + 1, 4408)])
def test_a_huge_frame_ends_the_socket(bond, size, code):
    cookie = cookie_of(bond.user)
    character = "猫"

    async def talk():
        async with connected(bond, cookie=cookie) as communicator:
            text = character * (size // 3) + "x" * (size % 3)
            await communicator.send_to(text_data=text)
            return await communicator.receive_output(timeout=20)

    output = async_to_sync(talk)()
    assert (output["type"], output.get("code")) == ("websocket.close" if code else "websocket.send", code)


def test_a_flood_of_frames_ends_the_socket(bond):
    cookie = cookie_of(bond.user)

    async def talk():
        async with connected(bond, cookie=cookie) as communicator:
            for _ in range(31):
                await communicator.send_to(text_data='{"type": "ping"}')
            return await close_code(communicator)

    assert async_to_sync(talk)() == 4408


def test_too_many_lines_in_a_minute_are_refused_over_all_sockets_of_a_person(bond, settings):
    settings.RATES = {**settings.RATES, "messages": 1, "writes": 1}
    cookie = cookie_of(bond.user)
    line = {"type": "message.send", "content": "Hello."}

    async def talk():
        async with connected(bond, cookie=cookie) as one, connected(bond, cookie=cookie) as other:
            await one.send_json_to(line | {"client_id": "c-1"})
            await one.send_json_to({"type": "ping"})
            await until(one, "chat.connection.heartbeat")
            await other.send_json_to(line | {"client_id": "c-2"})
            refusals = [(await until(other, "error"))[-1]]
            for _ in range(2):
                await other.send_json_to({"type": "turn.retry"})
                refusals.append((await until(other, "error"))[-1])
            return refusals

    refusals = async_to_sync(talk)()
    assert [refusal["code"] for refusal in refusals] == ["rate_limited", "conflict", "rate_limited"]
    assert Message.objects.count() == 1


def test_heartbeats_come_by_themselves(bond, monkeypatch):
    monkeypatch.setattr(consumers, "HEARTBEAT_SECONDS", 0)
    cookie = cookie_of(bond.user)

    async def talk():
        async with connected(bond, cookie=cookie) as communicator:
            await communicator.send_json_to({"type": "turn.snapshot"})
            return await communicator.receive_json_from(timeout=20)

    assert async_to_sync(talk)()["type"] == "chat.connection.heartbeat"


def test_resume_plays_again_what_was_missed(bond):
    for number in (1, 2, 3):
        events.record(
            bond_id=bond.pk, type="chat.settings.updated", refs={"changed_fields": [number]}, now=timezone.now()
        )
    cookie = cookie_of(bond.user)

    async def talk():
        async with connected(bond, cookie=cookie) as communicator:
            await communicator.send_json_to({"type": "resume", "after": 1})
            return [await communicator.receive_json_from(timeout=20) for _ in range(2)]

    assert [(frame["seq"], frame["changed_fields"]) for frame in async_to_sync(talk)()] == [(2, [2]), (3, [3])]


def test_a_socket_of_a_bond_that_is_erased_is_closed(bond):
    cookie = cookie_of(bond.user)

    async def talk():
        async with connected(bond, cookie=cookie) as communicator:
            await in_db(events.record)(bond_id=bond.pk, type="chat.settings.updated", refs={}, now=timezone.now())
            await in_db(Bond.objects.filter(pk=bond.pk).delete)()
            await communicator.send_json_to({"type": "resume", "after": 0})
            return await close_code(communicator)

    assert async_to_sync(talk)() == 4404


def test_a_socket_whose_relay_broke_is_closed_so_that_its_page_opens_another(bond, monkeypatch, caplog):
    cookie = cookie_of(bond.user)

    async def broken(self, after):
        raise KeyError("missing")

    monkeypatch.setattr(follow.Follower, "_resume", broken)

    async def talk():
        async with connected(bond, cookie=cookie) as communicator:
            await communicator.send_json_to({"type": "resume", "after": 0})
            return await close_code(communicator)

    assert async_to_sync(talk)() == 1011
    assert caplog.messages == [f"the relay of bond {bond.pk} ended with a bug"]


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
            for number, line in enumerate(LINES):
                await tab.send_json_to({"type": "message.send", "content": line, "client_id": f"c-{number}"})
                heard["talk"] += await until(tab, "chat.message.done")
            await tab.send_json_to({"type": "session.close"})
            await tab.send_json_to({"type": "ping"})
            await until(tab, "chat.connection.heartbeat")
            await in_db(consolidate)(await in_db(Session.objects.get)(), now=timezone.now())
            heard["end"] += await until(tab, "chat.session.boundary")
            heard["other"] += await until(other, "chat.session.boundary")

    async_to_sync(talk)()

    logged = [frame for frame in heard["talk"] + heard["end"] if frame["seq"] is not None]
    assert [frame["seq"] for frame in logged] == list(range(1, len(logged) + 1))
    seen_there = [frame for frame in heard["other"] if frame["seq"] is not None]
    assert seen_there == logged
    assert all(frame["bond"] == bond.pk and frame["at"].endswith("Z") for frame in heard["talk"])

    for number, (line, turn) in enumerate(zip(LINES, Turn.objects.order_by("created_at"), strict=True)):
        said, reply = Message.objects.filter(turn_id=turn.pk).order_by("id")
        of_turn = [
            frame
            for frame in heard["talk"]
            if frame.get("turn") == str(turn.pk) or frame.get("message", {}) == message_shape(said)
        ]
        tokens = [frame for frame in of_turn if frame["type"] == "chat.message.token"]
        assert len(tokens) > 3
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
            },
            {
                "type": "chat.message.done",
                "bond": bond.pk,
                "turn": str(turn.pk),
                "message": reply.pk,
                "content": reply.content,
                "variant": 0,
                "cut_off": False,
                "offline": True,
                "error": None,
            },
        ]
        assert said.content == line

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
    }


@pytest.mark.django_db(transaction=True)
def test_a_page_that_is_loaded_in_the_middle_of_a_reply_has_all_of_it_and_may_stop_it(quick, monkeypatch):
    bond = BondFactory(user__username="mara", user__password=None)
    cookie = cookie_of(bond.user)
    llm = FakeLLM("One two three four.", "Five six.", "Seven.")
    monkeypatch.setattr("chat.runner.voices.current", lambda: llm)
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
            # The page is gone, the turn goes on.
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
    assert ready["running_turn"] == {"id": snapshot["turn"], "text": "One two "}
    assert (snapshot["delta"], snapshot["offset"]) == ("One two ", 0)
    assert (stopped["content"], stopped["cut_off"], stopped["variant"]) == ("One two", True, 0)
    assert (anew["content"], anew["cut_off"], anew["variant"]) == ("Five six.", False, 1)
    assert refused["code"] == "conflict"


@pytest.mark.django_db(transaction=True)
def test_a_failed_turn_is_tried_again_over_the_socket(quick, monkeypatch):
    bond = BondFactory(user__username="mara", user__password=None)
    cookie = cookie_of(bond.user)
    turns.receive(bond=bond, content="Hello.", channel="web", now=NOW)
    answer(bond, now=NOW, llm=FakeLLM(""))
    monkeypatch.setattr("chat.runner.voices.current", lambda: FakeLLM("Here I am."))

    async def talk():
        async with process(), connected(bond, cookie=cookie) as tab:
            await tab.send_json_to({"type": "turn.retry"})
            return (await until(tab, "chat.message.done"))[-1]

    done = async_to_sync(talk)()
    assert (done["content"], done["turn"]) == ("Here I am.", str(Turn.objects.get().pk))
