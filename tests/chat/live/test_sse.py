import asyncio
import json

import pytest
from asgiref.sync import async_to_sync
from django.db import connection
from django.test import AsyncClient, Client
from django.utils import timezone
from knox.models import AuthToken

from chat.broadcast import hub
from chat.live import followers, sse
from chat.live.sse import encode_frame
from chat.models import Turn
from chat.turns import claiming, runner
from echovessel import events
from echovessel.llm.errors import ModelUnavailableError
from echovessel.postgres.threads import run_in_database_thread
from memory.models import Message
from personas.accounts import authentication
from tests.support.factories import NOW, BondFactory, UserFactory
from tests.support.fakes import FakeLLM

pytestmark = pytest.mark.django_db
DEADLINE_SECONDS = 20


@pytest.fixture
def bond():
    return BondFactory(user__username="mara")


def headers(user, **more):
    token, _ = authentication.issue_token(user, now=timezone.now())
    return {"Authorization": f"Token {token}", "Accept": "text/event-stream", **more}


def frame_of(part):
    """Return the number and the data of one event of the stream."""
    lines = dict(line.split(": ", 1) for line in part.decode().strip().split("\n"))
    return int(lines["id"]) if "id" in lines else None, json.loads(lines["data"])


def streamed(address, *, asking, count=None):
    """Return the answer to a GET and the first `count` frames of its stream."""

    async def read():
        response = await AsyncClient().get(address, headers=asking)
        parts = aiter(response.streaming_content)
        frames = [frame_of(await asyncio.wait_for(anext(parts), DEADLINE_SECONDS)) for _ in range(count)]
        await parts.aclose()
        return response, frames

    return async_to_sync(read)()


def spoken(bond, llm, **body):
    """Return the answer to a message with its turn's frames; the turn runs in the same process."""

    async def talk():
        response = await AsyncClient().post(
            f"/api/bonds/{bond.pk}/messages/",
            {"content": "Hi", "debounce": False} | body,
            content_type="application/json",
            headers=asking,
        )
        reading = asyncio.create_task(read(response))
        turn = await run_in_database_thread(claim)
        if turn is not None:
            await runner.run(turn, llm=llm)
        return response, await asyncio.wait_for(reading, DEADLINE_SECONDS)

    async def read(response):
        return [frame_of(part) async for part in response.streaming_content]

    def claim():
        return claiming.claim(bond_id=bond.pk, now=timezone.now())

    asking = headers(bond.user)
    return async_to_sync(talk)()


def test_a_message_is_answered_with_the_events_of_its_turn(bond):
    response, frames = spoken(bond, FakeLLM("Good evening 小黑"))

    turn, message, reply = Turn.objects.get(), Message.objects.get(role="user"), Message.objects.get(role="persona")
    assert (response.status_code, response["Content-Type"]) == (200, "text/event-stream; charset=utf-8")
    assert (response["Cache-Control"], response["X-Accel-Buffering"]) == ("no-store", "no")
    kinds = [frame["type"] for _, frame in frames]
    tokens = [frame for _, frame in frames if frame["type"] == "chat.message.token"]
    assert kinds[-1] == "chat.message.done"
    assert sorted(set(kinds)) == sorted(
        ["chat.message.user_appended", "chat.message.typing", "chat.message.token", "chat.message.done"]
    )
    assert "".join(frame["delta"] for frame in tokens) == "Good evening 小黑"
    assert {frame["turn"] for _, frame in frames if "turn" in frame} == {str(turn.pk)}
    appended = next(frame for _, frame in frames if frame["type"] == "chat.message.user_appended")
    assert (appended["message"]["id"], appended["client_id"]) == (message.pk, None)
    number, done = frames[-1]
    assert number == done["seq"] == events.get_last_seq(bond.pk)
    assert done == {
        "type": "chat.message.done",
        "at": done["at"],
        "seq": number,
        "bond": bond.pk,
        "turn": str(turn.pk),
        "message": reply.pk,
        "content": "Good evening 小黑",
        "channel": "api",
        "variant": 0,
        "cut_off": False,
        "offline": False,
        "unnoted": False,
        "error": None,
    }
    assert all(frame["at"].endswith("Z") and "T" in frame["at"] for _, frame in frames)


def test_a_message_whose_turn_fails_is_answered_with_the_error(bond):
    error = ModelUnavailableError("The model server does not answer.", transient=False)

    _, frames = spoken(bond, FakeLLM(error))

    _, last = frames[-1]
    assert (last["type"], last["code"], last["retryable"]) == ("chat.message.error", "model_unavailable", True)


def test_a_message_sent_again_after_its_turn_is_answered_with_its_end(bond):
    spoken(bond, FakeLLM("Good evening"), client_id="a1")

    _, frames = spoken(bond, FakeLLM(), client_id="a1")

    assert [(frame["type"], frame["content"]) for _, frame in frames] == [("chat.message.done", "Good evening")]


def logged(bond, count):
    return [
        events.record(bond_id=bond.pk, type="chat.settings.updated", refs={"changed_fields": [str(n)]}, now=NOW)
        for n in range(count)
    ]


def test_the_stream_of_a_bond_begins_now(bond):
    logged(bond, 2)

    response, [(number, ready)] = streamed(f"/api/bonds/{bond.pk}/events/stream/", asking=headers(bond.user), count=1)

    assert (response.status_code, response["Content-Type"]) == (200, "text/event-stream; charset=utf-8")
    assert number is None
    assert ready == {
        "type": "chat.connection.ready",
        "at": ready["at"],
        "seq": None,
        "bond": bond.pk,
        "last_seq": 2,
        "reset": False,
        "running_turn": None,
    }


@pytest.mark.parametrize(
    ("query", "more"),
    [("?after=1", {}), ("", {"Last-Event-ID": "1"}), ("?after=0", {"Last-Event-ID": "1"})],
)
def test_the_stream_of_a_bond_goes_on_after_a_number(query, more, bond):
    logged(bond, 3)

    _, frames = streamed(f"/api/bonds/{bond.pk}/events/stream/{query}", asking=headers(bond.user, **more), count=3)

    assert [(number, frame["type"], frame.get("changed_fields")) for number, frame in frames] == [
        (None, "chat.connection.ready", None),
        (2, "chat.settings.updated", ["1"]),
        (3, "chat.settings.updated", ["2"]),
    ]


@pytest.mark.parametrize(
    ("query", "more", "code"),
    [
        ("?after=x", {}, "invalid"),
        ("?after=-1", {}, "invalid"),
        ("?from=1", {}, "unknown_field"),
        ("", {"Last-Event-ID": "a"}, "invalid"),
    ],
)
def test_a_stream_from_no_number_is_refused(query, more, code, bond):
    async def ask():
        return await AsyncClient().get(f"/api/bonds/{bond.pk}/events/stream/{query}", headers=headers_of_mara | more)

    headers_of_mara = headers(bond.user)
    response = async_to_sync(ask)()

    assert (response.status_code, response.json()["code"]) == (400, code)


def test_the_stream_of_a_stranger_is_not_there(bond):
    async def ask():
        return await AsyncClient().get(f"/api/bonds/{bond.pk}/events/stream/", headers=asking)

    asking = headers(UserFactory(username="charlie"))
    response = async_to_sync(ask)()

    assert (response.status_code, response["Content-Type"], response.json()["code"]) == (
        404,
        "application/json",
        "not_found",
    )


def test_an_event_is_written_as_the_standard_wants_it():
    now = "2026-11-21T20:00:00Z"
    frame = {"type": "chat.message.token", "at": now, "seq": None, "bond": 1, "delta": "a\n\nb 小 \ud800"}

    assert (
        encode_frame(frame)
        == (
            'data: {"type": "chat.message.token", "at": "2026-11-21T20:00:00Z", "seq": null, "bond": 1, '
            '"delta": "a\\n\\nb 小 ?"}\n\n'
        ).encode()
    )
    assert encode_frame(frame | {"seq": 7}).startswith(b"id: 7\ndata: {")


def test_a_stream_does_not_survive_the_sign_out(bond, monkeypatch):
    monkeypatch.setattr(sse, "CHECK_SECONDS", 0)
    monkeypatch.setattr(followers, "HEARTBEAT_SECONDS", 0)
    asking = headers(bond.user)

    async def read():
        response = await AsyncClient().get(f"/api/bonds/{bond.pk}/events/stream/", headers=asking)
        found = []
        async for part in response.streaming_content:
            found.append(frame_of(part)[1]["type"])
            await run_in_database_thread(AuthToken.objects.all().delete)
            hub.get_current().publish(bond.pk, None)
        return found

    async def within_time():
        return await asyncio.wait_for(read(), DEADLINE_SECONDS)

    assert async_to_sync(within_time)() == ["chat.connection.ready"]


@pytest.mark.django_db(transaction=True)
def test_a_stream_holds_no_database_connection_however_long_it_lasts(bond):
    response = Client().get(f"/api/bonds/{bond.pk}/events/stream/", headers=headers(bond.user))

    assert (response.status_code, connection.connection) == (200, None)


def test_a_stream_beyond_what_is_allowed_is_refused_before_anything_is_stored(bond, monkeypatch):
    monkeypatch.setattr(hub, "FOLLOWERS_MOST", 1)
    asking = headers(bond.user)

    async def ask():
        async with hub.get_current().follow(bond.pk):
            stream = await AsyncClient().get(f"/api/bonds/{bond.pk}/events/stream/", headers=asking)
            message = await AsyncClient().post(
                f"/api/bonds/{bond.pk}/messages/", {"content": "Hi"}, content_type="application/json", headers=asking
            )
            return stream, message

    for response in async_to_sync(ask)():
        assert (response.status_code, response["Retry-After"]) == (429, "30")
        assert response.json() == {
            "code": "rate_limited",
            "detail": "At most 1 sockets and streams of a companion are open at a time. Close one of them.",
            "fields": None,
        }
    assert not Message.objects.exists()
