import asyncio
import json
import time
from datetime import timedelta
from uuid import uuid4

import pytest
from asgiref.sync import async_to_sync
from django.db import OperationalError
from django.test import Client
from django.utils import timezone

from chat.broadcast import hub
from chat.live import consumers, followers, tickets
from chat.live.consumers import FRAME_BYTES
from chat.models import Turn
from echovessel import events
from memory.models import Message, Session
from personas.accounts.credentials import Credential
from personas.models import Bond
from personas.rest import rates
from tests.support.factories import NOW, BondFactory, MessageFactory, SessionFactory, TurnFactory, UserFactory
from tests.support.rest import api
from tests.support.sockets import close_code, connected, cookie_of, in_db, socket, until

pytestmark = pytest.mark.django_db
# A wake-up is sent where its transaction commits; without it a socket looks for news after five seconds.
WOKEN = pytest.mark.django_db(transaction=True)


@pytest.fixture
def bond():
    return BondFactory(user__username="mara", user__password=None)


def refused(bond_id, **opened):
    """Return the code with which a socket is closed after it was accepted."""

    async def talk():
        communicator = socket(bond_id, **opened)
        accepted, _ = await communicator.connect(timeout=20)
        code = await close_code(communicator)
        # Frames that were sent before the close are ignored.
        await communicator.send_to(text_data="{}")
        is_silent = await communicator.receive_nothing()
        await communicator.disconnect(timeout=20)
        return accepted, code, is_silent

    accepted, code, is_silent = async_to_sync(talk)()
    assert (accepted, is_silent) == (True, True)
    return code


def answered(bond, *sent, **opened):
    """Return the answers to frames, one for each, on an open socket of the bond's user."""
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
    assert refused("one", cookie=cookie) == 4404
    assert refused(bond.pk, query="more/") == 4404
    assert refused(bond.pk, query=f"?ticket={tickets.issue(Credential(UserFactory().pk))}", origin=None) == 4404


@pytest.mark.parametrize(
    "origin", ["http://evil.example", "http://localhost.evil.example", "null", "http://[", "http://x:y", "", None]
)
def test_a_page_of_another_site_is_turned_away(bond, settings, origin):
    settings.CSRF_TRUSTED_ORIGINS = ["https://talk.example"]

    assert refused(bond.pk, cookie=cookie_of(bond.user), origin=origin) == 4401


@pytest.mark.parametrize(
    ("origin", "host"),
    [
        ("http://localhost:8001", "localhost:8000"),
        ("http://localhost", "localhost:8000"),
        ("https://localhost:8000", "localhost:8000"),
        ("http://127.0.0.1:8000", "localhost:8000"),
        ("http://evil.example", "evil.example"),
    ],
    ids=["port", "no port", "scheme", "host", "a name that is not allowed"],
)
def test_a_page_of_another_origin_of_the_same_machine_is_turned_away(bond, origin, host):
    assert refused(bond.pk, cookie=cookie_of(bond.user), origin=origin, host=host) == 4401


@pytest.mark.parametrize(
    ("origin", "host"),
    [
        ("http://127.0.0.1:8000", "127.0.0.1:8000"),
        ("http://[::1]:8000", "[::1]:8000"),
        ("https://talk.example", "localhost:8000"),
        ("https://deep.below.example", "localhost:8000"),
    ],
)
def test_a_page_of_this_site_may_talk(bond, settings, origin, host):
    settings.CSRF_TRUSTED_ORIGINS = ["https://talk.example", "https://*.below.example"]

    [beat] = answered(bond, {"type": "ping"}, origin=origin, host=host)
    assert beat["type"] == "chat.connection.heartbeat"


def test_behind_a_proxy_with_tls_the_scheme_is_the_one_that_it_says(bond, settings):
    settings.SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
    here = {"origin": "https://localhost", "host": "localhost"}

    [beat] = answered(bond, {"type": "ping"}, **here, more=[(b"x-forwarded-proto", b"https")])
    without = refused(bond.pk, cookie=cookie_of(bond.user), **here)

    assert (beat["type"], without) == ("chat.connection.heartbeat", 4401)


def test_a_ticket_opens_one_socket_without_origin_and_speaks_on_channel_api(bond):
    query = f"?ticket={tickets.issue(Credential(bond.user_id))}"

    async def talk():
        async with connected(bond, query=query, origin=None) as communicator:
            await communicator.send_json_to({"type": "message.send", "content": "Hello.", "client_id": "c-1"})
            await communicator.send_json_to({"type": "ping"})
            await until(communicator, "chat.connection.heartbeat")

    async_to_sync(talk)()
    assert refused(bond.pk, query=query, origin=None) == 4401
    message = Message.objects.get()
    assert (message.content, message.channel, message.session.channel) == ("Hello.", "api", "api")


@WOKEN
def test_a_message_sent_again_is_answered_with_the_first_one(bond):
    frame = {"type": "message.send", "content": "Hello.", "client_id": "c-1"}
    cookie = cookie_of(bond.user)

    async def talk():
        async with connected(bond, cookie=cookie) as communicator:
            await communicator.send_to(text_data=json.dumps(frame))
            first = await until(communicator, "chat.message.user_appended")
            await communicator.send_to(text_data=json.dumps(frame | {"content": "Hello again."}))
            return first[-1], (await until(communicator, "chat.message.user_appended"))[-1]

    first, again = async_to_sync(talk)()

    assert again == first | {"at": again["at"], "seq": None}
    assert [said.content for said in Message.objects.all()] == ["Hello."]


def test_what_was_forgotten_is_not_shown_to_who_sends_it_again(bond):
    MessageFactory(session__bond=bond, content="Hello.", client_id="c-1", turn_id=uuid4(), deleted_at=NOW)
    cookie = cookie_of(bond.user)

    async def talk():
        async with connected(bond, cookie=cookie) as communicator:
            for frame in ({"type": "message.send", "content": "Hello.", "client_id": "c-1"}, {"type": "ping"}):
                await communicator.send_to(text_data=json.dumps(frame))
            return await communicator.receive_json_from(timeout=20)

    assert async_to_sync(talk)()["type"] == "chat.connection.heartbeat"


@WOKEN
def test_a_message_is_edited_by_its_owner_alone(bond):
    message = MessageFactory(session__bond=bond)
    stranger = BondFactory(user__username="charlie")
    frame = {"type": "message.edit", "message": message.pk, "content": "Hello.", "client_id": "c-1"}

    [refusal] = answered(stranger, frame)
    [sent, *_] = answered(bond, frame)

    assert (refusal["code"], refusal["detail"]) == ("not_found", "Message not found.")
    assert sent["type"] == "chat.message.deleted"
    assert [said.content for said in Message.objects.filter(deleted_at=None)] == ["Hello."]


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
        ({"type": "message.change"}, "invalid"),
        ({"type": "message.edit"}, "invalid"),
        ({"type": "message.edit", "message": "1", "content": "Hello.", "client_id": "c-1"}, "invalid"),
        ({"type": "message.edit", "message": 1, "content": "Hello."}, "invalid"),
        ({"type": "message.edit", "message": 10**30, "content": "Hello.", "client_id": "c-1"}, "not_found"),
        ({"type": "message.edit", "message": 1, "content": "Hello.", "client_id": "c-1", "all": 1}, "unknown_field"),
        ({"type": "ping", "now": True}, "unknown_field"),
        ({"type": "ping", "\ud83d" * 900: 1}, "unknown_field"),
        ({"type": "turn.stop", "turn": 1}, "unknown_field"),
        ({"type": "turn.retry", "turn": 1}, "unknown_field"),
        ({"type": "turn.regenerate", "turn": 1}, "unknown_field"),
        ({"type": "turn.continue", "turn": 1}, "unknown_field"),
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
        ({"type": "turn.continue"}, "conflict"),
        ({"type": "session.close"}, "conflict"),
    ],
    ids=lambda value: ascii(value)[:70],
)
def test_a_bad_frame_is_answered_and_the_socket_stays_open(bond, frame, code):
    error, beat = answered(bond, frame, {"type": "ping"})

    sent = frame.get("client_id") if isinstance(frame, dict) else None
    assert set(error) == {"type", "code", "detail", "client_id"}
    assert error["client_id"] == (sent if isinstance(sent, str) else None)
    assert (error["type"], error["code"], beat["type"]) == ("error", code, "chat.connection.heartbeat")
    assert 0 < len(error["detail"].encode()) < 500
    assert (Message.objects.count(), Turn.objects.count()) == (0, 0)


@pytest.mark.parametrize(
    ("frame", "detail"),
    [
        ({"type": "message.send"}, "client_id must be a text that is unique for each message."),
        ({"type": "resume", "after": -1}, "after must be the number of your last event, 0 or more."),
        ({"type": "resume", "before": 1, "at": 2}, "This type of frame has no field at, before; its fields: after."),
    ],
    ids=["missing", "wrong", "unknown"],
)
def test_a_bad_frame_is_told_which_field_is_wrong(bond, frame, detail):
    [error] = answered(bond, frame)

    assert error["detail"] == detail


def test_what_is_wished_of_the_newest_turn_may_be_refused(bond):
    TurnFactory(session__bond=bond, status="done", created_at=NOW - timedelta(days=1))
    failed = TurnFactory(session__bond=bond, session__channel="api", status="failed")
    MessageFactory(session=failed.session, turn_id=failed.pk)

    [error] = answered(bond, {"type": "turn.regenerate"})

    assert error == {
        "type": "error",
        "code": "conflict",
        "detail": "This turn is failed; only a finished turn can be regenerated.",
        "client_id": None,
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


def test_a_crowd_of_sockets_is_turned_away(bond, monkeypatch):
    monkeypatch.setattr(hub, "FOLLOWERS_MOST", 1)
    cookie = cookie_of(bond.user)

    async def talk():
        async with connected(bond, cookie=cookie):
            other = socket(bond.pk, cookie=cookie)
            await other.connect(timeout=20)
            frames = [frame async for frame in followers.stream_frames(bond.pk, after=None)]
            return await close_code(other), frames

    assert async_to_sync(talk)() == (4408, [])


def test_a_flood_of_frames_ends_the_socket(bond):
    cookie = cookie_of(bond.user)

    async def talk():
        async with connected(bond, cookie=cookie) as communicator:
            for _ in range(31):
                await communicator.send_to(text_data='{"type": "ping"}')
            return await close_code(communicator)

    assert async_to_sync(talk)() == 4408


@pytest.mark.usefixtures("long_minute")
def test_too_many_messages_in_a_minute_are_refused_over_all_sockets_of_a_person(bond, settings):
    settings.RATES = {**settings.RATES, "messages": 1, "writes": 1}
    cookie = cookie_of(bond.user)
    message = {"type": "message.send", "content": "Hello."}

    async def talk():
        async with connected(bond, cookie=cookie) as one, connected(bond, cookie=cookie) as other:
            await one.send_json_to(message | {"client_id": "c-1"})
            await one.send_json_to({"type": "ping"})
            await until(one, "chat.connection.heartbeat")
            await other.send_json_to(message | {"client_id": "c-2"})
            refusals = [(await until(other, "error"))[-1]]
            for _ in range(2):
                await other.send_json_to({"type": "turn.retry"})
                refusals.append((await until(other, "error"))[-1])
            return refusals

    refusals = async_to_sync(talk)()
    assert [refusal["code"] for refusal in refusals] == ["rate_limited", "conflict", "rate_limited"]
    assert Message.objects.count() == 1


@pytest.mark.usefixtures("long_minute")
@pytest.mark.parametrize(
    ("kind", "frame"),
    [
        ("writes", {"type": "turn.stop"}),
        ("writes", {"type": "turn.retry"}),
        ("writes", {"type": "turn.regenerate"}),
        ("writes", {"type": "session.close"}),
        ("reads", {"type": "resume", "after": 0}),
    ],
)
def test_frames_count_as_the_requests_that_they_are_like(kind, frame, bond, settings):
    settings.RATES = {**settings.RATES, kind: 1}
    rates.count_request(user_id=bond.user_id, kind=kind, now=timezone.now())

    [refusal] = answered(bond, frame)

    assert refusal["code"] == "rate_limited"


def test_heartbeats_come_by_themselves(bond, monkeypatch):
    monkeypatch.setattr(consumers, "HEARTBEAT_SECONDS", 0)
    cookie = cookie_of(bond.user)

    async def talk():
        async with connected(bond, cookie=cookie) as communicator:
            await communicator.send_json_to({"type": "turn.snapshot"})
            return await communicator.receive_json_from(timeout=20)

    assert async_to_sync(talk)()["type"] == "chat.connection.heartbeat"


@pytest.mark.parametrize("heartbeat", [0, 99])
def test_a_socket_says_that_a_page_is_open_when_it_opens_and_from_then_on(bond, monkeypatch, heartbeat):
    monkeypatch.setattr(consumers, "HEARTBEAT_SECONDS", heartbeat)
    session = SessionFactory(bond=bond, message_count=2, left_at=NOW)
    cookie = cookie_of(bond.user)

    async def talk():
        async with connected(bond, cookie=cookie) as communicator:
            await in_db(session.refresh_from_db)()
            when_open = session.left_at
            await in_db(Session.objects.update)(left_at=NOW)
            # Two frames, since the socket checks in after its heartbeat.
            for _ in range(2):
                await communicator.send_json_to({"type": "turn.snapshot"})
                await communicator.send_json_to({"type": "ping"})
                await communicator.receive_json_from(timeout=20)
                await communicator.receive_json_from(timeout=20) if heartbeat == 0 else None
            await in_db(session.refresh_from_db)()
            return when_open, session.left_at

    assert async_to_sync(talk)() == (None, None if heartbeat == 0 else NOW)


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


@pytest.mark.parametrize("after", ["x", "-1", "1.5", "9" * 5000], ids=["word", "negative", "fraction", "long"])
def test_a_socket_opened_after_no_number_says_so_and_begins_now(bond, after):
    cookie = cookie_of(bond.user)
    events.record(bond_id=bond.pk, type="chat.settings.updated", refs={"changed_fields": []}, now=timezone.now())

    async def talk():
        async with connected(bond, cookie=cookie, query=f"?after={after}") as communicator:
            return communicator.ready["last_seq"], await communicator.receive_json_from(timeout=20)

    assert async_to_sync(talk)() == (
        1,
        {
            "type": "error",
            "code": "invalid",
            "detail": "after must be the number of your last event, 0 or more.",
            "client_id": None,
        },
    )


def test_a_socket_opened_after_an_event_brings_what_was_missed_before_what_is_new(bond):
    """A page that resumes once it is ready may hear of a new event first, and takes those that it missed for old ones."""
    cookie = cookie_of(bond.user)

    def record(number):
        events.record(
            bond_id=bond.pk, type="chat.settings.updated", refs={"changed_fields": [number]}, now=timezone.now()
        )

    for number in (1, 2):
        record(number)

    async def talk():
        async with connected(bond, cookie=cookie, query="?after=1") as communicator:
            await in_db(record)(3)
            hub.get_current().publish(bond.pk, None)
            frames = [await communicator.receive_json_from(timeout=20) for _ in range(2)]
            return communicator.ready["reset"], frames

    is_reset, frames = async_to_sync(talk)()
    assert is_reset is False
    assert [(frame["seq"], frame["changed_fields"]) for frame in frames] == [(2, [2]), (3, [3])]


def test_a_socket_opened_after_what_is_kept_no_longer_says_so(bond):
    cookie = cookie_of(bond.user)

    async def talk():
        async with connected(bond, cookie=cookie, query="?after=7") as communicator:
            return communicator.ready

    assert async_to_sync(talk)()["reset"] is True


def test_a_socket_of_a_bond_that_is_erased_is_closed(bond):
    cookie = cookie_of(bond.user)

    async def talk():
        async with connected(bond, cookie=cookie) as communicator:
            await in_db(events.record)(bond_id=bond.pk, type="chat.settings.updated", refs={}, now=timezone.now())
            await in_db(Bond.objects.filter(pk=bond.pk).delete)()
            await communicator.send_json_to({"type": "resume", "after": 0})
            return await close_code(communicator)

    assert async_to_sync(talk)() == 4404


@pytest.mark.parametrize(
    ("error", "told"),
    [
        (KeyError("missing"), "the relay of bond {} ended with a bug"),
        (OperationalError("gone"), "a socket of bond {} is closed since the database is away: gone"),
    ],
)
def test_a_socket_whose_relay_broke_is_closed_so_that_its_page_opens_another(bond, monkeypatch, caplog, error, told):
    cookie = cookie_of(bond.user)

    async def broken(self):
        raise error

    monkeypatch.setattr(followers.Follower, "next_frames", broken)

    async def talk():
        async with connected(bond, cookie=cookie) as communicator:
            return await close_code(communicator)

    assert async_to_sync(talk)() == 1011
    assert caplog.messages == [told.format(bond.pk)]


def test_nothing_is_left_of_a_socket_that_broke_while_a_frame_was_handled(bond, monkeypatch):
    cookie = cookie_of(bond.user)

    def broken(**asked):
        raise OperationalError("gone")

    monkeypatch.setattr(rates, "count_request", broken)

    async def talk():
        communicator = socket(bond.pk, cookie=cookie)
        await communicator.connect(timeout=20)
        await communicator.send_json_to({"type": "turn.stop"})
        with pytest.raises(OperationalError):
            await communicator.wait(timeout=20)
        left = {task.get_coro().__name__ for task in asyncio.all_tasks()} & {"_relay"}
        return hub.get_current()._mailboxes.get(bond.pk), left

    assert async_to_sync(talk)() == (None, set())


def sign_out(client):
    client.post("/accounts/logout/")


@pytest.mark.parametrize(
    "frame", [{"type": "message.send", "content": "Hello.", "client_id": "c-1"}, {"type": "session.close"}]
)
def test_a_socket_does_not_survive_the_sign_out(bond, frame):
    client = Client()
    client.force_login(bond.user)
    cookie = f"sessionid={client.cookies['sessionid'].value}".encode()

    async def talk():
        async with connected(bond, cookie=cookie) as communicator:
            await in_db(sign_out)(client)
            await communicator.send_json_to(frame)
            return await close_code(communicator)

    assert async_to_sync(talk)() == 4401
    assert Message.objects.count() == 0


@WOKEN
def test_a_silent_socket_ends_at_once_when_its_user_is_deactivated(bond):
    operator = Client()
    operator.force_login(UserFactory(username="ada", is_staff=True, is_superuser=True))
    cookie = cookie_of(bond.user)

    async def talk():
        async with connected(bond, cookie=cookie) as communicator:
            started = time.monotonic()
            await in_db(operator.post)(f"/admin/personas/user/{bond.user_id}/change/", {"username": "mara"})
            return await close_code(communicator), time.monotonic() - started < followers.POLL_SECONDS

    assert async_to_sync(talk)() == (4401, True)


def test_a_silent_socket_does_not_survive_it_either(bond, monkeypatch):
    monkeypatch.setattr(consumers, "CHECK_SECONDS", 0)
    client = Client()
    client.force_login(bond.user)
    cookie = f"sessionid={client.cookies['sessionid'].value}".encode()

    async def talk():
        async with connected(bond, cookie=cookie) as communicator:
            await in_db(sign_out)(client)
            # Wakes the relay, and is answered without a look at the sign-in.
            await communicator.send_json_to({"type": "turn.snapshot"})
            return await close_code(communicator)

    assert async_to_sync(talk)() == 4401


def test_a_socket_by_ticket_ends_with_the_token_it_was_asked_for_by(bond, monkeypatch):
    monkeypatch.setattr(consumers, "CHECK_SECONDS", 0)
    here, there = api(bond.user), api(bond.user)
    query = f"?ticket={here.post('/api/auth/ticket/').json()['ticket']}"

    async def talk():
        async with connected(bond, query=query, origin=None) as communicator:
            await communicator.send_json_to({"type": "resume", "after": 0})
            await communicator.send_json_to({"type": "ping"})
            await until(communicator, "chat.connection.heartbeat")
            await in_db(there.post)("/api/auth/logoutall/")
            await communicator.send_json_to({"type": "turn.snapshot"})
            return await close_code(communicator)

    assert async_to_sync(talk)() == 4401
