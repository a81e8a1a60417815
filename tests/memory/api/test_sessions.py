from datetime import timedelta

import pytest
import time_machine
from django.middleware import csrf
from django.test import Client, RequestFactory
from django_q.models import OrmQ

from memory.models import Session
from memory.serializers.memories import SessionSerializer
from tests.support.factories import NOW, BondFactory, SessionFactory
from tests.support.rest import NOT_FOUND, answered, api, refusal

pytestmark = pytest.mark.django_db
LATER = "2026-11-21T21:00:00Z"


@pytest.fixture(autouse=True)
def an_hour_later():
    with time_machine.travel(LATER, tick=False):
        yield


@pytest.fixture
def bond():
    return BondFactory(user__username="mara")


def shown(session):
    return SessionSerializer(Session.objects.for_serializer().get(pk=session.pk)).data


def url(bond, session=None, verb=""):
    return f"/api/bonds/{bond.pk}/sessions/" + (f"{session.pk}/" if session else "") + (f"{verb}/" if verb else "")


def test_sessions_are_listed_the_last_talked_in_first(bond):
    older = SessionFactory(bond=bond, status="closed", message_count=2)
    newer = SessionFactory(bond=bond, message_count=1, started_at=NOW + timedelta(minutes=1))
    SessionFactory(bond=bond, channel="api")
    SessionFactory(bond=bond, status="closed", message_count=2, deleted_at=NOW)
    SessionFactory(message_count=2)

    response = api(bond.user).get(url(bond))

    assert answered(response) == (200, {"next": None, "previous": None, "results": [shown(newer), shown(older)]})


@pytest.mark.parametrize("count", [1, 3])
def test_the_list_costs_the_same_for_many(count, bond, django_assert_num_queries):
    SessionFactory.create_batch(count, bond=bond, status="closed", message_count=2)
    client = api(bond.user)

    with django_assert_num_queries(3):
        assert len(client.get(url(bond)).json()["results"]) == count


def test_one_session_is_read(bond):
    session = SessionFactory(bond=bond, message_count=2)

    assert answered(api(bond.user).get(url(bond, session))) == (200, shown(session))


def test_a_new_session_closes_the_channels_open_one(bond):
    mine = SessionFactory(bond=bond, channel="api", message_count=2)
    webs = SessionFactory(bond=bond, message_count=2)

    response = api(bond.user).post(url(bond), {"off_record": False})

    mine.refresh_from_db()
    webs.refresh_from_db()
    fresh = Session.objects.latest("id")
    assert answered(response) == (201, shown(fresh))
    assert (fresh.channel, fresh.status) == ("api", "open")
    assert (mine.status, mine.close_reason, webs.status) == ("closing", "explicit", "open")
    assert OrmQ.objects.get().task["args"] == (mine.pk,)


def test_an_empty_session_is_used_again(bond):
    empty = SessionFactory(bond=bond, channel="api")

    assert api(bond.user).post(url(bond)).json()["id"] == empty.pk


def test_a_cookie_works_on_the_channel_of_the_web(bond):
    client = Client()
    client.force_login(bond.user)

    assert client.post(url(bond), {}, content_type="application/json").json()["channel"] == "web"


def test_a_session_off_the_record_is_asked_for(bond):
    response = api(bond.user).post(url(bond), {"off_record": True})

    session = Session.objects.get()
    assert answered(response) == (201, shown(session) | {"off_record": True})


def test_one_off_the_record_is_shown_closed_and_is_gone(bond):
    session = SessionFactory(bond=bond, off_record=True, message_count=2)
    client = api(bond.user)
    was = shown(session)

    closed = client.post(url(bond, session, "close"))

    assert answered(closed) == (200, was | {"status": "closed", "close_reason": "explicit", "closed_at": LATER})
    assert answered(client.get(url(bond, session))) == NOT_FOUND
    assert answered(client.get(url(bond))) == (200, {"next": None, "previous": None, "results": []})


def test_one_is_pinned_and_unpinned(bond):
    session = SessionFactory(bond=bond, message_count=2)

    pinned = api(bond.user).patch(url(bond, session), {"pinned": True}).json()
    unpinned = api(bond.user).patch(url(bond, session), {"pinned": False}).json()

    assert (pinned["pinned_at"] is not None, pinned["archived_at"], unpinned["pinned_at"]) == (True, None, None)


@pytest.mark.parametrize("change", [{"title": "Ours"}, {"archived": True}])
def test_one_off_the_record_gets_no_title_and_no_archive(change, bond):
    session = SessionFactory(bond=bond, off_record=True, message_count=2)

    response = api(bond.user).patch(url(bond, session), change)

    detail = "A session off the record cannot be renamed or archived; it is erased when it closes."
    assert answered(response) == (409, refusal("conflict", detail))


def test_off_the_record_is_yes_or_no(bond):
    response = api(bond.user).post(url(bond), {"off_record": "perhaps"})

    detail = "Must be a valid boolean."
    assert answered(response) == (400, refusal("invalid", f"off_record: {detail}", {"off_record": [detail]}))
    assert not Session.objects.exists()


def test_a_session_is_named_and_put_away_and_taken_out(bond):
    session = SessionFactory(bond=bond, status="closed", message_count=2, summary="A cat at night")
    client = api(bond.user)

    named = client.patch(url(bond, session), {"title": "小黑 <3", "archived": True}).json()
    unnamed = client.patch(url(bond, session), {"title": None, "archived": False}).json()

    assert (named["title"], named["archived_at"]) == ("小黑 <3", LATER)
    assert (unnamed["title"], unnamed["archived_at"]) == ("A cat at night", None)
    assert client.patch(url(bond, session), {}).json() == unnamed


@pytest.mark.parametrize(
    ("body", "code", "field", "detail"),
    [
        ({"title": "a" * 121}, "too_long", "title", "This text has 121 characters; at most 120 are allowed."),
        ({"title": "a\nb"}, "invalid", "title", "This must be one line, without control characters."),
        ({"archived": "soon"}, "invalid", "archived", "Must be a valid boolean."),
        ({"status": "closed"}, "unknown_field", "status", "Unknown field; known are: title, archived, pinned."),
    ],
)
def test_what_no_session_can_be(body, code, field, detail, bond):
    session = SessionFactory(bond=bond, message_count=2)

    response = api(bond.user).patch(url(bond, session), body)

    assert answered(response) == (400, refusal(code, f"{field}: {detail}", {field: [detail]}))


def test_a_session_is_closed_once(bond):
    session = SessionFactory(bond=bond, message_count=2)
    client = api(bond.user)

    first = client.post(url(bond, session, "close")).json()
    second = client.post(url(bond, session, "close")).json()

    assert (first["status"], first["close_reason"], first["closed_at"]) == ("closing", "explicit", LATER)
    assert second == first
    assert OrmQ.objects.count() == 1


def test_an_empty_session_is_not_closed(bond):
    session = SessionFactory(bond=bond)

    response = api(bond.user).post(url(bond, session, "close"))

    assert answered(response) == (409, refusal("conflict", "This session has no messages yet."))


def test_a_failed_session_is_tried_again(bond):
    session = SessionFactory(bond=bond, status="failed", message_count=2, failure_code="model_timeout")

    response = api(bond.user).post(url(bond, session, "consolidate"))

    session.refresh_from_db()
    assert answered(response) == (202, shown(session))
    assert (session.status, response.json()["failure"]) == ("closing", None)
    assert OrmQ.objects.get().task["args"] == (session.pk,)


def test_only_a_failed_session_is_tried_again(bond):
    session = SessionFactory(bond=bond, status="closed", message_count=2)

    response = api(bond.user).post(url(bond, session, "consolidate"))

    assert answered(response) == (
        409,
        refusal("conflict", "This session is closed; only a failed session can be retried."),
    )


def beacon(client, bond, session, **form):
    return client.post(url(bond, session, "leave"), "&".join(f"{name}={value}" for name, value in form.items()), FORM)


FORM = "application/x-www-form-urlencoded"


def test_a_page_that_closes_leaves_its_chat_by_a_form_with_its_token(bond):
    session = SessionFactory(bond=bond, message_count=2)
    client = Client(enforce_csrf_checks=True)
    client.force_login(bond.user)
    token = csrf.get_token(RequestFactory().get("/"))
    client.cookies["csrftoken"] = token

    refused = beacon(client, bond, session)
    without = Session.objects.get().left_at
    answer = beacon(client, bond, session, csrfmiddlewaretoken=token)

    assert (refused.status_code, refused.json()["code"], without) == (403, "forbidden", None)
    assert answered(answer) == (204, None)
    assert Session.objects.get().left_at == NOW + timedelta(hours=1)


def test_a_program_may_leave_a_chat_too(bond):
    session = SessionFactory(bond=bond, message_count=2)

    assert answered(api(bond.user).post(url(bond, session, "leave"))) == (204, None)
    assert Session.objects.get().left_at == NOW + timedelta(hours=1)


def test_charlie_leaves_no_chat_of_mara(bond):
    session = SessionFactory(bond=bond, message_count=2)
    charlie = BondFactory(user__username="charlie")

    assert answered(api(charlie.user).post(url(bond, session, "leave"))) == NOT_FOUND
    assert answered(api(charlie.user).post(url(charlie, session, "leave"))) == NOT_FOUND
    assert Session.objects.get().left_at is None
