from uuid import UUID, uuid4

import pytest
import time_machine
from django.test import Client

from chat.models import Turn
from memory.models import Message, Session
from memory.serializers.messages import MessageSerializer
from tests.support.factories import NOW, BondFactory, ConceptNodeFactory, MessageFactory, SessionFactory, TurnFactory
from tests.support.rest import NOT_FOUND, answered, api, refusal

pytestmark = pytest.mark.django_db


UNKNOWN = "Unknown field; known are: content, client_id, debounce, session, about, greeting."


@pytest.fixture(autouse=True)
def tonight():
    with time_machine.travel(NOW, tick=False):
        yield


@pytest.fixture
def bond():
    return BondFactory(user__username="mara")


def messages(bond):
    return f"/api/bonds/{bond.pk}/messages/"


def turn_url(turn, verb=""):
    return f"/api/bonds/{turn.bond_id}/turns/{turn.pk}/" + (f"{verb}/" if verb else "")


def shown(message):
    return dict(MessageSerializer(message).data)


def ids(response):
    return [row["id"] for row in response.json()["results"]]


def test_a_message_is_stored_at_once_and_its_turn_named(bond):
    response = api(bond.user).post(messages(bond), {"content": "Hi <b>you</b>\r\n\tand 小黑 \u202e"})

    message, turn = Message.objects.get(), Turn.objects.get()
    assert answered(response) == (202, {"message": message.pk, "turn": str(turn.pk)})
    assert (message.content, message.channel, message.turn_id) == ("Hi <b>you</b>\r\n\tand 小黑 \u202e", "api", turn.pk)
    assert (turn.status, turn.due_at) == ("pending", NOW.replace(second=2))


def test_a_message_by_cookie_comes_on_the_channel_of_the_web(bond):
    client = Client()
    client.force_login(bond.user)

    client.post(messages(bond), {"content": "Hi"}, content_type="application/json")

    assert Message.objects.get().channel == "web"


def test_a_message_sent_again_is_stored_once(bond):
    client = api(bond.user)

    first, second = (client.post(messages(bond), {"content": text, "client_id": "a1"}) for text in ("Hi", "Hi again"))

    assert answered(first) == answered(second)
    assert Message.objects.get().content == "Hi"


def test_a_message_need_not_wait_for_others(bond):
    api(bond.user).post(messages(bond), {"content": "Hi", "debounce": False})

    assert Turn.objects.get().due_at == NOW


def test_a_message_may_go_on_with_a_closed_session(bond):
    session = SessionFactory(bond=bond, channel="api", status="closed", message_count=2)

    api(bond.user).post(messages(bond), {"content": "As I said", "session": session.pk})

    session.refresh_from_db()
    assert (session.status, Message.objects.get().session_id) == ("open", session.pk)


@pytest.mark.parametrize(
    ("session", "status", "answer"),
    [
        ({"status": "failed", "message_count": 2}, 409, "conflict"),
        ({"status": "consolidating", "message_count": 2}, 409, "conflict"),
        ({"status": "closed", "message_count": 2, "deleted_at": NOW}, 404, "not_found"),
    ],
)
def test_a_session_that_takes_no_message(session, status, answer, bond):
    session = SessionFactory(bond=bond, channel="api", **session)

    response = api(bond.user).post(messages(bond), {"content": "As I said", "session": session.pk})

    assert (response.status_code, response.json()["code"]) == (status, answer)
    assert not Message.objects.exists()


def test_the_session_of_a_stranger_takes_no_message(bond):
    session = SessionFactory(status="closed", message_count=2)

    response = api(bond.user).post(messages(bond), {"content": "Hi", "session": session.pk})

    assert answered(response) == (404, refusal("not_found", "Session not found."))


UNSTORABLE = "This text has a character that cannot be stored (a NUL or half a surrogate pair)."


@pytest.mark.parametrize("accept", ["application/json", "text/event-stream"])
@pytest.mark.parametrize(
    ("body", "code", "field", "detail"),
    [
        pytest.param("{}", "invalid", "content", "This field is required.", id="nothing"),
        pytest.param('{"content": ""}', "invalid", "content", "This text is blank.", id="empty"),
        pytest.param('{"content": " \\n\\t\u3000"}', "invalid", "content", "This text is blank.", id="blank"),
        pytest.param(
            '{"content": "' + "a" * 20_001 + '"}',
            "too_long",
            "content",
            "This text has 20001 characters; at most 20000 are allowed.",
            id="20 001 characters",
        ),
        pytest.param('{"content": "a\\u0000b"}', "invalid", "content", UNSTORABLE, id="NUL"),
        pytest.param('{"content": "\\ud83d"}', "invalid", "content", UNSTORABLE, id="lone surrogate"),
        pytest.param('{"content": 7}', "invalid", "content", "This must be text.", id="number"),
        pytest.param('{"content": "Hi", "role": "persona"}', "unknown_field", "role", UNKNOWN, id="unknown"),
        pytest.param(
            '{"content": "Hi", "session": "x"}', "invalid", "session", "A valid integer is required.", id="session"
        ),
        pytest.param(
            '{"content": "Hi", "debounce": "x"}', "invalid", "debounce", "Must be a valid boolean.", id="debounce"
        ),
        pytest.param(
            '{"content": "Hi", "client_id": "' + "a" * 65 + '"}',
            "too_long",
            "client_id",
            "This text has 65 characters; at most 64 are allowed.",
            id="client_id",
        ),
    ],
)
def test_what_is_no_message(body, code, field, detail, accept, bond):
    response = api(bond.user).generic(
        "POST", messages(bond), body.encode(), content_type="application/json", headers={"Accept": accept}
    )

    assert answered(response) == (400, refusal(code, f"{field}: {detail}", {field: [detail]}))
    assert not Message.objects.exists()


def test_the_longest_message_is_kept_whole(bond):
    api(bond.user).post(messages(bond), {"content": "长" * 20_000})

    assert Message.objects.get().content == "长" * 20_000


@pytest.mark.usefixtures("long_minute")
def test_messages_are_counted_by_themselves(bond, settings):
    settings.RATES = settings.RATES | {"messages": 1}
    client = api(bond.user)

    statuses = [client.post(messages(bond), {"content": "Hi"}).status_code for _ in range(2)]

    assert statuses == [202, 429]
    assert Message.objects.count() == 1


def test_messages_are_listed_newest_first_with_all_variants(bond):
    message = MessageFactory(session__bond=bond)
    turn = uuid4()
    first = MessageFactory(session=message.session, role="persona", turn_id=turn, chosen=False)
    second = MessageFactory(session=message.session, role="persona", turn_id=turn, variant=1)
    MessageFactory(session=message.session, deleted_at=NOW)
    MessageFactory()

    assert answered(api(bond.user).get(messages(bond))) == (
        200,
        {"next": None, "previous": None, "results": [shown(second), shown(first), shown(message)]},
    )


def test_messages_are_listed_from_one_on_or_of_one_session(bond):
    session, other = SessionFactory(bond=bond), SessionFactory(bond=bond, channel="api")
    first, second, third = (MessageFactory(session=one) for one in (session, other, session))
    client = api(bond.user)

    assert ids(client.get(messages(bond), {"before": third.pk})) == [second.pk, first.pk]
    assert ids(client.get(messages(bond), {"session": session.pk})) == [third.pk, first.pk]
    assert ids(client.get(messages(bond), {"session": 2**70})) == []


@pytest.mark.parametrize("count", [1, 3])
def test_the_list_costs_the_same_for_many(count, bond, django_assert_num_queries):
    MessageFactory.create_batch(count, session=SessionFactory(bond=bond))
    client = api(bond.user)

    with django_assert_num_queries(5):
        assert len(ids(client.get(messages(bond)))) == count


@pytest.fixture
def turn(bond):
    """A finished turn with its message and its reply."""
    turn = TurnFactory(
        session__bond=bond,
        session__message_count=2,
        status="done",
        started_at=NOW,
        finished_at=NOW,
        tokens_in=100,
        timings={"recall_ms": 12, "total_ms": 900},
        trace={"items": [{"node": 1, "score": 2.5}]},
    )
    MessageFactory(session=turn.session, turn_id=turn.pk)
    MessageFactory(session=turn.session, turn_id=turn.pk, role="persona", content="Hello.")
    return turn


def turn_of(turn, **changes):
    return {
        "id": str(turn.pk),
        "status": turn.status,
        "message": None,
        "error": None,
        "started_at": None,
        "finished_at": None,
        "timings": dict.fromkeys(("recall_ms", "embed_ms", "prompt_ms", "first_token_ms", "total_ms")),
        "usage": dict.fromkeys(("tokens_in", "tokens_out", "tokens_cached")),
        "trace": None,
    } | changes


def test_a_turn_is_shown_with_its_reply_and_what_it_took(turn):
    response = api(turn.bond.user).get(turn_url(turn))

    at = "2026-11-21T20:00:00Z"
    assert answered(response) == (
        200,
        turn_of(
            turn,
            message=Message.objects.get(role="persona").pk,
            started_at=at,
            finished_at=at,
            timings={
                "recall_ms": 12,
                "embed_ms": None,
                "prompt_ms": None,
                "first_token_ms": None,
                "total_ms": 900,
            },
            usage={"tokens_in": 100, "tokens_out": None, "tokens_cached": None},
            trace={"items": [{"node": 1, "score": 2.5}]},
        ),
    )


def test_a_turn_that_waits_for_another_is_pending(bond):
    message = MessageFactory(session__bond=bond)
    waiting = Turn(id=message.turn_id, bond=bond)

    assert answered(api(bond.user).get(turn_url(waiting))) == (200, turn_of(waiting, status="pending"))
    assert answered(api(bond.user).post(turn_url(waiting, "retry"))) == (
        409,
        refusal("conflict", "This turn waits for another turn."),
    )


def test_a_running_turn_is_asked_to_stop(bond):
    turn = TurnFactory(session__bond=bond, status="running")

    response = api(bond.user).post(turn_url(turn, "stop"))

    turn.refresh_from_db()
    assert answered(response) == (202, turn_of(turn))
    assert turn.stop_requested


def test_a_turn_that_does_not_run_cannot_stop(turn):
    response = api(turn.bond.user).post(turn_url(turn, "stop"))

    assert answered(response) == (409, refusal("conflict", "This turn is not running."))


def test_a_failed_turn_is_tried_again(bond):
    turn = TurnFactory(
        session__bond=bond,
        status="failed",
        error_code="model_timeout",
        error_detail="It took too long.",
        error_retryable=True,
    )
    MessageFactory(session=turn.session, turn_id=turn.pk)
    client = api(bond.user)

    failed = client.get(turn_url(turn))
    again = client.post(turn_url(turn, "retry"))

    error = {"code": "model_timeout", "detail": "It took too long.", "retryable": True}
    assert answered(failed) == (200, turn_of(turn, error=error))
    assert answered(again) == (202, turn_of(turn, status="pending"))
    assert client.post(turn_url(turn, "retry")).status_code == 409


def test_the_newest_turn_gets_another_reply(turn):
    response = api(turn.bond.user).post(turn_url(turn, "regenerate"))

    assert (response.status_code, response.json()["status"]) == (202, "pending")


def test_a_turn_whose_reply_was_distilled_stays_as_it_is(turn):
    Session.objects.update(status="closed", watermark=Message.objects.latest("id").pk)

    response = api(turn.bond.user).post(turn_url(turn, "regenerate"))

    assert (response.status_code, response.json()["code"]) == (409, "too_late")


def test_another_variant_is_chosen(turn):
    first = Message.objects.get(role="persona")
    Message.objects.filter(pk=first.pk).update(chosen=False)
    MessageFactory(session=turn.session, turn_id=turn.pk, role="persona", variant=1)

    response = api(turn.bond.user).post(f"{messages(turn.bond)}{first.pk}/choose/")

    first.refresh_from_db()
    assert answered(response) == (200, shown(first))
    assert list(Message.objects.filter(role="persona", chosen=True)) == [first]


def test_a_message_of_ones_own_cannot_be_chosen(turn):
    message = Message.objects.get(role="user")

    response = api(turn.bond.user).post(f"{messages(turn.bond)}{message.pk}/choose/")

    assert answered(response) == (409, refusal("conflict", "Only a reply can be chosen."))


def test_a_turn_of_no_id(bond):
    turn = Turn(id=UUID(int=0), bond=bond)

    assert answered(api(bond.user).get(turn_url(turn))) == (404, refusal("not_found", "Turn not found."))


def edit_url(message, verb=""):
    return f"{messages(message.bond)}{message.pk}/edit/" + (f"{verb}/" if verb else "")


def test_what_an_edit_takes_back_is_listed_before(bond):
    session = SessionFactory(bond=bond)
    earlier, message, later = MessageFactory.create_batch(3, session=session)
    alone = ConceptNodeFactory(bond=bond, sources=[message])
    ConceptNodeFactory(bond=bond, sources=[earlier, later])

    body = api(bond.user).get(edit_url(message)).json()

    assert (body["messages"], [node["id"] for node in body["memories"]]) == ([message.pk, later.pk], [alone.pk])


def test_an_edit_is_sent_and_undone(bond):
    message = MessageFactory(session__bond=bond, content="I have a cat.")
    mara = api(bond.user)

    sent = mara.post(edit_url(message), {"content": "I have a dog.", "client_id": "e-1"})
    new = Message.objects.get(deleted_at=None)
    undone = mara.post(edit_url(message, "undo"))

    assert answered(sent) == (202, {"message": new.pk, "turn": str(new.turn_id)})
    assert (new.content, new.session_id, undone.status_code) == ("I have a dog.", message.session_id, 204)
    assert list(Message.objects.filter(deleted_at=None)) == [message]
    assert mara.post(edit_url(message, "undo")).json()["code"] == "conflict"


def test_an_edit_sent_again_is_answered_with_the_first_one(bond):
    message = MessageFactory(session__bond=bond, content="I have a cat.")
    mara = api(bond.user)

    first, again, other = (
        mara.post(edit_url(message), {"content": "I have a dog.", "client_id": client_id})
        for client_id in ("e-1", "e-1", "e-2")
    )

    assert (first.status_code, answered(again)) == (202, answered(first))
    assert answered(other) == NOT_FOUND
    assert Message.objects.filter(content="I have a dog.").count() == 1


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ({}, "invalid"),
        ({"content": " "}, "invalid"),
        ({"content": "a" * 20_001}, "too_long"),
        ({"content": "Hi", "session": 1}, "unknown_field"),
    ],
)
def test_a_bad_edit_takes_nothing_back(bond, body, code):
    message = MessageFactory(session__bond=bond)

    response = api(bond.user).post(edit_url(message), body)

    assert (response.status_code, response.json()["code"]) == (400, code)
    assert Message.objects.get(deleted_at=None) == message


def test_a_reply_cannot_be_edited(bond):
    reply = MessageFactory(session__bond=bond, role="persona")

    answers = [api(bond.user).get(edit_url(reply)), api(bond.user).post(edit_url(reply), {"content": "Hi"})]

    assert [answered(one) for one in answers] == [
        (409, refusal("conflict", "Only a message of your own can be edited."))
    ] * 2
