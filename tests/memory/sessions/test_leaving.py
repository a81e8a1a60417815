from datetime import timedelta

import pytest

from memory.messages.ingest import ingest
from memory.models import Session
from memory.sessions import leaving
from tests.support.factories import NOW, BondFactory, SessionFactory
from tests.support.talks import talk

pytestmark = pytest.mark.django_db

SECOND = timedelta(seconds=1)
LEFT_FOR = timedelta(seconds=120)


@pytest.fixture
def bond():
    return BondFactory(user__username="mara")


@pytest.fixture
def session(bond):
    return talk("Nimbus sleeps.", bond=bond)


def left_at():
    return Session.objects.get().left_at


def states():
    return list(Session.objects.values_list("status", "close_reason"))


@pytest.mark.parametrize(("passed", "is_closed"), [(LEFT_FOR - SECOND, False), (LEFT_FOR, True)])
def test_a_chat_is_closed_two_minutes_after_its_last_page(session, passed, is_closed):
    leaving.leave(session=session, now=NOW)

    assert leaving.close_left(now=NOW + passed) == int(is_closed)

    assert states() == [("closing", "left") if is_closed else ("open", "")]


def test_a_page_that_opens_keeps_it_open(bond, session):
    leaving.leave(session=session, now=NOW)

    leaving.come_back(bond=bond, channel="web")

    assert (left_at(), leaving.close_left(now=NOW + LEFT_FOR)) == (None, 0)


@pytest.mark.parametrize(("role", "comes_back"), [("user", True), ("persona", False)])
def test_what_the_user_says_keeps_it_open_and_a_reply_does_not(session, role, comes_back):
    leaving.leave(session=session, now=NOW)

    ingest(session=session, role=role, content="He woke up.", turn_id=session.messages.get().turn_id, now=NOW)

    assert (left_at() is None) is comes_back


def test_a_socket_of_another_channel_or_bond_is_no_page_of_it(bond, session):
    leaving.leave(session=session, now=NOW)

    leaving.come_back(bond=bond, channel="api")
    leaving.come_back(bond=BondFactory(), channel="web")

    assert left_at() == NOW


@pytest.mark.parametrize("columns", [{"off_record": True}, {"message_count": 0}, {"status": "closed"}], ids=str)
def test_what_is_empty_over_or_off_the_record_is_not_left(bond, columns):
    session = SessionFactory(**({"bond": bond, "message_count": 2} | columns))

    leaving.leave(session=session, now=NOW)

    assert left_at() is None


def test_a_chat_in_which_a_reply_is_awaited_waits_for_it(session):
    Session.objects.update(held_until=NOW + LEFT_FOR + SECOND)
    leaving.leave(session=session, now=NOW)

    assert leaving.close_left(now=NOW + LEFT_FOR) == 0
    assert leaving.close_left(now=NOW + LEFT_FOR + 2 * SECOND) == 1


def test_a_clock_that_was_set_back_closes_it_at_once(session):
    leaving.leave(session=session, now=NOW + timedelta(days=1))

    assert leaving.close_left(now=NOW) == 1


def test_how_long_it_waits_is_a_setting(session, settings):
    settings.CLOSE_LEFT_AFTER = timedelta(seconds=60)
    leaving.leave(session=session, now=NOW)

    assert leaving.close_left(now=NOW + timedelta(seconds=60)) == 1
