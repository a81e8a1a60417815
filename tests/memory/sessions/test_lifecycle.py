from datetime import timedelta

import pytest
from django.db import transaction
from django_q.models import OrmQ

from echovessel.models import BondEvent
from memory import sessions
from memory.models import Message, Session
from memory.sessions import SessionError
from tests.support.factories import NOW, BondFactory, MessageFactory, SessionFactory
from tests.support.talks import talk

pytestmark = pytest.mark.django_db

# So long after its last line a session is idle: more than 30 minutes.
IDLE = timedelta(minutes=30, microseconds=1)
SECOND = timedelta(seconds=1)
MICROSECOND = timedelta(microseconds=1)


def queued():
    return [(entry.task["func"], *entry.task["args"]) for entry in OrmQ.objects.order_by("id")]


def states(bond):
    return list(Session.objects.filter(bond=bond).order_by("id").values_list("channel", "status", "close_reason"))


@pytest.fixture
def bond():
    return BondFactory(user__username="mara")


def test_the_first_message_opens_a_session(bond):
    session = sessions.get_session_for_message(bond=bond, channel="web", now=NOW)

    assert states(bond) == [("web", "open", "")]
    assert (session.started_at, session.last_message_at, session.message_count) == (NOW, NOW, 0)
    assert queued() == []


@pytest.mark.parametrize(
    ("idle", "is_new"), [(IDLE - MICROSECOND, False), (IDLE, True), (timedelta(minutes=29), False)]
)
def test_a_message_after_more_than_thirty_minutes_begins_another_session(bond, idle, is_new):
    first = talk("hello", bond=bond)

    session = sessions.get_session_for_message(bond=bond, channel="web", now=NOW + idle)

    assert (session.pk != first.pk) is is_new
    assert states(bond) == ([("web", "closing", "idle"), ("web", "open", "")] if is_new else [("web", "open", "")])
    assert queued() == ([("memory.tasks.consolidate", first.pk)] if is_new else [])


def boundaries(bond):
    told = BondEvent.objects.filter(bond_id=bond.pk, type="chat.session.boundary").order_by("seq")
    return [(event.refs["closed_session"], event.refs["new_session"]) for event in told]


def test_a_message_that_begins_a_session_says_so_and_one_that_goes_on_does_not(bond):
    first = talk("hello", "and again", bond=bond)
    idle = sessions.get_session_for_message(bond=bond, channel="web", now=NOW + IDLE)
    Session.objects.filter(pk=idle.pk).update(message_count=200)
    full = sessions.get_session_for_message(bond=bond, channel="web", now=NOW + IDLE)
    api = sessions.get_session_for_message(bond=bond, channel="api", now=NOW + IDLE)

    assert boundaries(bond) == [(None, first.pk), (first.pk, idle.pk), (idle.pk, full.pk), (None, api.pk)]


def test_a_session_that_the_scanner_closed_is_not_closed_again_by_the_next_message(bond):
    first = talk("hello", bond=bond)
    sessions.scan(now=NOW + IDLE)

    second = sessions.get_session_for_message(bond=bond, channel="web", now=NOW + IDLE)

    assert boundaries(bond) == [(None, first.pk), (None, second.pk)]


def test_the_idle_time_is_a_setting(bond, settings):
    settings.SESSION_IDLE = timedelta(seconds=6)
    first = talk("hello", bond=bond)

    assert sessions.get_session_for_message(bond=bond, channel="web", now=NOW + timedelta(seconds=6)) == first
    assert sessions.get_session_for_message(bond=bond, channel="web", now=NOW + timedelta(seconds=7)) != first


@pytest.mark.parametrize(
    ("counts", "is_new"),
    [
        ({"message_count": 199, "token_count": 19_999}, False),
        ({"message_count": 200, "token_count": 1}, True),
        ({"message_count": 1, "token_count": 20_000}, True),
    ],
    ids=str,
)
def test_a_full_session_is_closed_before_a_burst_never_within_one(bond, counts, is_new):
    full = SessionFactory(bond=bond, **counts)

    assert (
        sessions.get_session_for_message(bond=bond, channel="web", now=NOW, gathers=lambda session: session == full)
        == full
    )
    session = sessions.get_session_for_message(bond=bond, channel="web", now=NOW)

    assert (session != full) is is_new
    assert states(bond)[0] == (("web", "closing", "max_length") if is_new else ("web", "open", ""))


def test_an_idle_session_is_not_closed_within_a_burst(bond):
    first = talk("hello", bond=bond)

    assert (
        sessions.get_session_for_message(
            bond=bond, channel="web", now=NOW + IDLE, gathers=lambda session: session == first
        )
        == first
    )


@pytest.mark.parametrize("status", ["closing", "consolidating", "failed", "closed"])
def test_a_message_that_arrives_while_the_session_closes_begins_another(bond, status):
    old = SessionFactory(bond=bond, status=status, message_count=2)

    assert sessions.get_session_for_message(bond=bond, channel="web", now=NOW) != old


def test_each_channel_has_its_own_session(bond):
    web = talk("hello", bond=bond)
    api = talk("hello", bond=bond, channel="api")

    assert web != api
    assert sessions.find_open_id(bond=bond, channel="web") == web.pk
    assert sessions.find_open_id(bond=bond, channel="api") == api.pk
    assert sessions.find_open_id(bond=BondFactory(), channel="web") is None


def test_an_empty_session_is_used_again_however_old(bond):
    empty = SessionFactory(bond=bond)

    assert sessions.get_session_for_message(bond=bond, channel="web", now=NOW + timedelta(hours=5)) == empty
    assert sessions.start_new(bond=bond, channel="web", now=NOW + timedelta(hours=5)) == empty
    assert BondEvent.objects.count() == 0


def test_a_session_starts_with_its_first_message(bond):
    SessionFactory(bond=bond)

    session = talk("hello", bond=bond, now=NOW + timedelta(hours=5))

    assert session.started_at == NOW + timedelta(hours=5)
    assert talk("again", bond=bond, now=NOW + timedelta(hours=5, minutes=1)).started_at == session.started_at


def test_new_chat_closes_the_open_session_and_says_so(bond):
    old = talk("hello", bond=bond)
    api = talk("hello", bond=bond, channel="api")

    fresh = sessions.start_new(bond=bond, channel="web", now=NOW)

    assert states(bond) == [("web", "closing", "explicit"), ("api", "open", ""), ("web", "open", "")]
    assert queued() == [("memory.tasks.consolidate", old.pk)]
    assert boundaries(bond) == [(None, old.pk), (None, api.pk), (None, fresh.pk)]


def test_new_chat_with_nothing_open_begins_one(bond):
    fresh = sessions.start_new(bond=bond, channel="web", now=NOW)

    assert (fresh.status, queued()) == ("open", [])


def test_naming_a_closed_session_reopens_it_and_closes_the_open_one(bond):
    old = SessionFactory(bond=bond, status="closed", channel="api", message_count=2, closed_at=NOW)
    current = talk("hello", bond=bond)

    session = sessions.get_session_for_message(bond=bond, channel="web", now=NOW + IDLE, session_id=old.pk)

    assert session == old
    session.refresh_from_db()
    assert (session.status, session.channel, session.closed_at, session.close_reason) == ("open", "web", None, "")
    assert session.last_message_at == NOW + IDLE
    assert states(bond) == [("web", "open", ""), ("web", "closing", "explicit")]
    assert queued() == [("memory.tasks.consolidate", current.pk)]


def test_reopening_takes_the_place_of_an_empty_session(bond):
    old = SessionFactory(bond=bond, status="closed", message_count=2)
    SessionFactory(bond=bond)

    sessions.reopen(bond=bond, session_id=old.pk, channel="web", now=NOW)

    assert states(bond) == [("web", "open", "")]


def test_naming_an_open_session_uses_it(bond):
    session = talk("hello", bond=bond)

    assert sessions.get_session_for_message(bond=bond, channel="web", now=NOW + IDLE, session_id=session.pk) == session


@pytest.mark.parametrize("status", ["closing", "consolidating", "failed"])
def test_a_session_that_is_still_being_worked_on_cannot_be_resumed(bond, status):
    session = SessionFactory(bond=bond, status=status)

    with pytest.raises(SessionError) as refused, transaction.atomic():
        sessions.get_session_for_message(bond=bond, channel="web", now=NOW, session_id=session.pk)

    assert (refused.value.code, refused.value.detail) == (
        "conflict",
        f"This session is {status}; it can be continued once it is closed.",
    )


def test_a_session_off_the_record_cannot_be_resumed(bond):
    session = SessionFactory(bond=bond, status="closed", off_record=True)

    with pytest.raises(SessionError, match="off the record"), transaction.atomic():
        sessions.reopen(bond=bond, session_id=session.pk, channel="web", now=NOW)


@pytest.mark.parametrize("more", [{}, {"deleted_at": NOW}], ids=["a stranger's", "forgotten"])
def test_a_session_that_is_not_there_cannot_be_resumed(bond, more):
    charlie = BondFactory(user__username="charlie")
    session = SessionFactory(bond=bond if more else charlie, status="closed", **more)

    with pytest.raises(SessionError) as refused, transaction.atomic():
        sessions.get_session_for_message(bond=bond, channel="web", now=NOW, session_id=session.pk)

    assert refused.value.code == "not_found"


def test_closing_twice_queues_once(bond):
    session = talk("hello", bond=bond)

    sessions.close(session=session, reason="explicit", now=NOW)
    closed = sessions.close(session=session, reason="idle", now=NOW + IDLE)

    assert (closed.status, closed.close_reason, closed.closed_at) == ("closing", "explicit", NOW)
    assert queued() == [("memory.tasks.consolidate", session.pk)]


def test_a_held_session_closes_and_is_queued_when_the_hold_ends(bond):
    session = talk("hello", bond=bond)
    sessions.hold(session_id=session.pk, until=NOW + timedelta(minutes=5))

    sessions.close(session=session, reason="explicit", now=NOW)

    assert queued() == []
    assert list(Session.objects.due(NOW + timedelta(minutes=5))) == []
    assert list(Session.objects.due(NOW + timedelta(minutes=5, seconds=1))) == [session]

    sessions.release(session_id=session.pk, now=NOW)

    session.refresh_from_db()
    assert session.held_until is None
    assert queued() == [("memory.tasks.consolidate", session.pk)]


def test_releasing_an_open_session_queues_nothing(bond):
    session = talk("hello", bond=bond)
    sessions.hold(session_id=session.pk, until=NOW)

    sessions.release(session_id=session.pk, now=NOW)

    assert queued() == []


@pytest.mark.parametrize(
    ("idle", "state"),
    [
        (IDLE - MICROSECOND, ("web", "open", "")),
        (IDLE, ("web", "closing", "idle")),
        (IDLE - MICROSECOND + timedelta(minutes=2), ("web", "closing", "idle")),
        (IDLE + timedelta(minutes=2), ("web", "closing", "catchup")),
        (timedelta(days=3), ("web", "closing", "catchup")),
    ],
)
def test_the_scanner_closes_what_went_idle(bond, idle, state):
    session = talk("hello", bond=bond)

    count = sessions.scan(now=NOW + idle)

    assert states(bond) == [state]
    assert queued() == ([] if state[1] == "open" else [("memory.tasks.consolidate", session.pk)])
    assert count == len(queued())


@pytest.mark.parametrize(
    "more", [{"message_count": 0}, {"held_until": NOW + timedelta(days=1, minutes=5)}, {"deleted_at": NOW}], ids=str
)
def test_the_scanner_leaves_empty_held_and_forgotten_sessions(bond, more):
    session = SessionFactory(**({"bond": bond, "message_count": 2} | more))
    MessageFactory(session=session)

    assert sessions.scan(now=NOW + timedelta(days=1)) == 0
    assert states(bond) == [("web", "open", "")]


LEASED = {"lease_token": "00000000-0000-0000-0000-000000000001"}


@pytest.mark.parametrize(
    ("session", "is_due"),
    [
        ({"status": "closing"}, True),
        ({"status": "closing", "held_until": NOW}, False),
        ({"status": "closing", "held_until": NOW - SECOND}, True),
        ({"status": "closing", "deleted_at": NOW}, False),
        ({"status": "consolidating", "lease_until": NOW - SECOND} | LEASED, True),
        ({"status": "consolidating", "lease_until": NOW} | LEASED, False),
        ({"status": "consolidating"}, True),
        ({"status": "failed", "failure_next_try_at": NOW}, True),
        ({"status": "failed", "failure_next_try_at": NOW, "held_until": NOW}, False),
        ({"status": "failed", "failure_next_try_at": NOW + SECOND}, False),
        ({"status": "failed", "failure_next_try_at": None}, False),
        ({"status": "closed"}, False),
    ],
    ids=str,
)
def test_the_scanner_queues_what_is_stuck_or_due_once(bond, session, is_due):
    session = SessionFactory(bond=bond, message_count=2, **session)

    assert [sessions.scan(now=NOW) for _ in range(2)] == [is_due] * 2
    assert queued() == [("memory.tasks.consolidate", session.pk)] * is_due


def test_empty_sessions_of_yesterday_are_swept_away(bond):
    yesterday = SessionFactory(bond=bond, started_at=NOW - timedelta(hours=24, seconds=1))
    SessionFactory(bond=bond, channel="api", started_at=NOW - timedelta(hours=24))
    said = SessionFactory(started_at=NOW - timedelta(days=2), held_until=NOW + SECOND)
    MessageFactory(session=said)

    sessions.scan(now=NOW)

    assert not Session.objects.filter(pk=yesterday.pk).exists()
    assert Session.objects.count() == 2
    assert Message.objects.count() == 1


def logged(bond):
    return list(BondEvent.objects.filter(bond_id=bond.pk).order_by("seq").values_list("type", "refs"))


def test_trying_again_queues_a_failed_session_at_once(bond):
    hold = NOW + timedelta(minutes=5)
    session = SessionFactory(bond=bond, status="failed", attempt_count=3, failure_count=4, held_until=hold)

    assert sessions.retry(session=session, now=NOW) is True

    session.refresh_from_db()
    assert (session.status, session.attempt_count, session.failure_count) == ("closing", 0, 4)
    assert session.held_until == hold
    assert queued() == [("memory.tasks.consolidate", session.pk)]
    assert logged(bond) == [("chat.session.updated", {"session": session.pk, "changed": ["status"]})]


def test_what_a_person_sets_is_told_to_open_pages(bond):
    session = SessionFactory(bond=bond, status="closed")

    sessions.update(session=session, columns={"title": "小黑", "archived_at": NOW}, now=NOW)
    sessions.update(session=session, columns={}, now=NOW)

    session.refresh_from_db()
    assert (session.title, session.archived_at) == ("小黑", NOW)
    assert logged(bond) == [("chat.session.updated", {"session": session.pk, "changed": ["archived_at", "title"]})]


@pytest.mark.parametrize("status", ["open", "closing", "consolidating", "closed"])
def test_only_failed_sessions_can_be_tried_again(bond, status):
    session = SessionFactory(bond=bond, status=status)

    assert sessions.retry(session=session, now=NOW) is False
    assert queued() == []
