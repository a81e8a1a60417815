from datetime import timedelta

import pytest

from echovessel.models import BondEvent
from memory import sessions
from memory.messages.ingest import ingest
from memory.models import Session
from memory.search import search
from memory.sessions import archiving
from tests.support.factories import NOW, BondFactory, SessionFactory
from tests.support.talks import talk

pytestmark = pytest.mark.django_db

MICROSECOND = timedelta(microseconds=1)
MONTH = timedelta(days=30)


@pytest.fixture(autouse=True)
def after_a_month(settings):
    settings.ARCHIVE_AFTER = MONTH


@pytest.fixture
def bond():
    return BondFactory(user__username="mara")


def closed(bond, **columns):
    return SessionFactory(
        **({"bond": bond, "status": "closed", "message_count": 4, "started_at": NOW - MONTH} | columns)
    )


def archived():
    return set(Session.objects.exclude(archived_at=None).values_list("pk", flat=True))


@pytest.mark.parametrize(("silence", "is_archived"), [(MONTH, False), (MONTH + MICROSECOND, True)])
def test_a_chat_is_archived_once_it_was_silent_for_longer(bond, silence, is_archived):
    session = closed(bond, started_at=NOW - silence)

    assert archiving.archive_silent(now=NOW) == int(is_archived)

    assert archived() == ({session.pk} if is_archived else set())


def test_no_chat_is_archived_where_nobody_set_after_how_long(bond, settings):
    settings.ARCHIVE_AFTER = None
    closed(bond, started_at=NOW - 99 * MONTH)

    assert archiving.archive_silent(now=NOW) == 0
    assert archived() == set()


@pytest.mark.parametrize(
    "columns",
    [
        {"status": "open"},
        {"status": "consolidating"},
        {"status": "failed"},
        {"message_count": 0},
        {"off_record": True},
        {"deleted_at": NOW},
        {"pinned_at": NOW},
    ],
    ids=str,
)
def test_what_is_not_over_or_not_shown_stays(bond, columns):
    closed(bond, **{"started_at": NOW - 2 * MONTH} | columns)

    assert archiving.archive_silent(now=NOW) == 0


def test_open_pages_hear_of_it_once(bond):
    session = closed(bond, started_at=NOW - 2 * MONTH)

    archiving.archive_silent(now=NOW)
    archiving.archive_silent(now=NOW)

    told = BondEvent.objects.filter(bond_id=bond.pk).values_list("type", "refs")
    assert list(told) == [("chat.session.updated", {"session": session.pk, "changed": ["archived_at"]})]


def test_a_message_brings_a_chat_back_and_a_reply_does_not(bond):
    session = talk("Nimbus sleeps.", bond=bond)
    Session.objects.filter(pk=session.pk).update(archived_at=NOW)
    turn = session.messages.get().turn_id

    ingest(session=session, role="persona", content="Good cat.", turn_id=turn, now=NOW)
    assert archived() == {session.pk}

    ingest(session=session, role="user", content="He woke up.", turn_id=turn, now=NOW)
    assert archived() == set()


def test_an_archived_chat_that_is_resumed_comes_back(bond):
    session = talk("Nimbus sleeps.", bond=bond, now=NOW - 2 * MONTH)
    Session.objects.filter(pk=session.pk).update(status="closed", closed_at=NOW)
    archiving.archive_silent(now=NOW)

    resumed = sessions.get_session_for_message(bond=bond, channel="web", now=NOW, session_id=session.pk)
    ingest(session=resumed, role="user", content="He woke up.", turn_id=session.messages.get().turn_id, now=NOW)

    assert (resumed.pk, archived()) == (session.pk, set())


def test_what_was_said_in_it_is_found_as_ever(bond):
    session = talk("Nimbus sleeps on the stove.", bond=bond, now=NOW - 2 * MONTH)
    Session.objects.filter(pk=session.pk).update(status="closed", closed_at=NOW)
    archiving.archive_silent(now=NOW)

    found = search.search(bond=bond, query="stove")

    assert [(one.layer, one.session) for one in found] == [("L2", session.pk)]
