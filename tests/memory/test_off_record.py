from datetime import timedelta

import pytest
from django.db import transaction
from django_q.models import OrmQ

from echovessel.models import BondEvent
from memory import sessions
from memory.consolidation import run
from memory.messages import window
from memory.models import Message, Session
from memory.models.leased import HOLD
from memory.recall import embeddings, lines
from memory.serializers import timeline
from memory.sessions import SessionError
from tests.support.dumping import tables_with
from tests.support.factories import NOW, BondFactory, SessionFactory
from tests.support.fakes import FakeLLM
from tests.support.talks import talk

pytestmark = pytest.mark.django_db

SECRET = "Zymurgy is what I never told anybody."
IDLE = timedelta(minutes=30, microseconds=1)


@pytest.fixture
def bond():
    return BondFactory(user__username="mara")


@pytest.fixture
def secret(bond):
    """A talk off the record with a line in it."""
    session = sessions.start_new(bond=bond, channel="web", now=NOW, off_record=True)
    talk(SECRET, bond=bond)
    session.refresh_from_db()
    return session


def told(bond):
    return [(event.type, event.refs) for event in BondEvent.objects.filter(bond_id=bond.pk).order_by("seq")]


def boundary(closed, new):
    refs = {"closed_session": closed, "new_session": new, "events_count": None, "thoughts_count": None}
    return "chat.session.boundary", refs


def forgotten(session):
    return "chat.session.forgotten", {"session": session.pk}


def test_it_begins_in_the_place_of_the_open_session(bond):
    before = talk("hello", bond=bond)

    session = sessions.start_new(bond=bond, channel="web", now=NOW, off_record=True)

    assert (session.off_record, session.status) == (True, "open")
    before.refresh_from_db()
    assert (before.status, before.off_record) == ("closing", False)
    assert told(bond) == [boundary(None, before.pk), boundary(None, session.pk)]


@pytest.mark.parametrize(("was", "asked"), [(False, True), (True, False)])
def test_an_empty_session_is_used_again_as_what_is_asked_for(bond, was, asked):
    empty = SessionFactory(bond=bond, off_record=was)

    session = sessions.start_new(bond=bond, channel="web", now=NOW, off_record=asked)

    empty.refresh_from_db()
    assert (session, empty.off_record) == (empty, asked)
    assert told(bond) == [boundary(None, empty.pk)]


def test_its_messages_are_in_the_window_and_in_nothing_else(bond, secret):
    line = Message.objects.get()
    found = lines.search(bond=bond, query="zymurgy", vector=None, besides=set(), not_session=0, today=NOW.date())

    assert list(window.filter_messages(bond)) == [line]
    assert embeddings.embed_bond(bond_id=bond.pk) == 0
    assert (line.embedding, line.search) == (None, "")
    assert (found, timeline.load_entries(bond=bond)) == ([], [])
    assert list(Message.objects.not_off_record()) == []


def close_by_hand(session):
    sessions.close(session=session, reason="explicit", now=NOW)


def close_on_two_pages_at_once(session):
    first, second = Session.objects.get(pk=session.pk), Session.objects.get(pk=session.pk)
    close_by_hand(first)
    assert sessions.close(session=second, reason="explicit", now=NOW).status == "closed"


def close_by_a_new_chat(session):
    sessions.start_new(bond=session.bond, channel="web", now=NOW)


def close_as_idle(session):
    sessions.scan(now=NOW + IDLE)


def close_by_a_late_line(session):
    sessions.get_session_for_message(bond=session.bond, channel="web", now=NOW + IDLE)


def close_as_full(session):
    Session.objects.filter(pk=session.pk).update(message_count=200)
    sessions.get_session_for_message(bond=session.bond, channel="web", now=NOW)


def close_by_resuming_another(session):
    other = SessionFactory(bond=session.bond, status="closed", message_count=2)
    sessions.reopen(bond=session.bond, session_id=other.pk, channel="web", now=NOW)


def close_while_held(session):
    sessions.hold(session_id=session.pk, until=NOW + HOLD)
    sessions.close(session=session, reason="explicit", now=NOW)
    assert tables_with("Zymurgy") == ["memory_message"]
    sessions.release(session_id=session.pk, now=NOW)


def close_while_held_by_a_process_that_dies(session):
    sessions.hold(session_id=session.pk, until=NOW + HOLD)
    sessions.close(session=session, reason="explicit", now=NOW)
    sessions.scan(now=NOW + HOLD)
    assert tables_with("Zymurgy") == ["memory_message"]
    sessions.scan(now=NOW + HOLD + timedelta(seconds=1))


@pytest.mark.parametrize(
    "close",
    [
        close_by_hand,
        close_on_two_pages_at_once,
        close_by_a_new_chat,
        close_as_idle,
        close_by_a_late_line,
        close_as_full,
        close_by_resuming_another,
        close_while_held,
        close_while_held_by_a_process_that_dies,
    ],
)
def test_however_it_closes_it_is_erased(bond, secret, close):
    close(secret)

    assert tables_with("Zymurgy") == []
    assert not Session.objects.filter(pk=secret.pk).exists()
    assert forgotten(secret) in told(bond)
    assert OrmQ.objects.count() == 0


def test_who_follows_is_told_that_it_is_gone(bond, secret):
    close_by_hand(secret)

    assert told(bond) == [boundary(None, secret.pk), forgotten(secret), boundary(secret.pk, None)]


@pytest.mark.parametrize("named", [False, True])
def test_a_full_one_is_followed_by_another_off_the_record(bond, secret, named):
    Session.objects.filter(pk=secret.pk).update(message_count=200)

    session = sessions.get_session_for_message(
        bond=bond, channel="web", now=NOW, session_id=secret.pk if named else None
    )

    assert (session != secret, session.off_record, session.status) == (True, True, "open")
    assert told(bond)[-1] == boundary(None, session.pk)


def test_within_a_burst_a_full_one_goes_on(bond, secret):
    Session.objects.filter(pk=secret.pk).update(message_count=200)
    named = {"bond": bond, "channel": "web", "now": NOW, "gathers": lambda session: session == secret}

    assert sessions.get_session_for_message(**named, session_id=secret.pk) == secret
    assert sessions.get_session_for_message(**named) == secret


def test_after_an_idle_one_the_session_is_on_the_record_again(bond, secret):
    session = sessions.get_session_for_message(bond=bond, channel="web", now=NOW + IDLE)

    assert session.off_record is False


def test_who_names_it_is_never_put_on_the_record(bond, secret):
    late = sessions.get_session_for_message(bond=bond, channel="web", now=NOW + IDLE, session_id=secret.pk)
    assert late == secret

    close_by_hand(secret)
    with pytest.raises(SessionError) as refused, transaction.atomic():
        sessions.get_session_for_message(bond=bond, channel="web", now=NOW, session_id=secret.pk)

    assert refused.value.code == "not_found"


def test_one_that_still_waits_for_its_reply_cannot_be_resumed(bond, secret):
    sessions.hold(session_id=secret.pk, until=NOW + HOLD)
    close_by_hand(secret)

    with pytest.raises(SessionError) as refused, transaction.atomic():
        sessions.get_session_for_message(bond=bond, channel="web", now=NOW, session_id=secret.pk)

    assert (refused.value.code, refused.value.detail) == ("conflict", "A session off the record cannot be continued.")


@pytest.mark.parametrize("status", ["closing", "consolidating", "failed"])
def test_no_worker_ever_reads_it(bond, secret, status):
    Session.objects.filter(pk=secret.pk).update(status=status, failure_next_try_at=NOW)
    llm = FakeLLM()

    assert run.consolidate(session_id=secret.pk, llm=llm, clock=lambda: NOW) is False
    assert llm.calls == []


def test_other_sessions_stay(bond, secret):
    kept = talk("This may be known.", bond=bond, channel="api")

    close_by_hand(secret)

    assert list(Session.objects.values_list("pk", flat=True)) == [kept.pk]
    assert tables_with("This may be known.") == ["memory_message"]
