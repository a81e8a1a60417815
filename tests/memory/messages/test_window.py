import uuid

import pytest

from memory.messages import window
from tests.support.factories import NOW, BondFactory, MessageFactory, SessionFactory

pytestmark = pytest.mark.django_db


def test_the_window_holds_the_newest_messages_of_all_sessions_and_channels():
    bond = BondFactory(user__username="mara")
    web, api = SessionFactory(bond=bond), SessionFactory(bond=bond, channel="api")
    turn = uuid.uuid4()
    lines = [MessageFactory(session=session) for session in (web, api, web)]
    reply = MessageFactory(session=web, role="persona")
    asked = MessageFactory(session=web, turn_id=turn)
    MessageFactory(session=web)
    late_reply = MessageFactory(session=api, role="persona")
    MessageFactory(session=web, role="system")
    MessageFactory(session=web, deleted_at=NOW)
    MessageFactory(session=web, role="persona", chosen=False)
    MessageFactory(session=SessionFactory(bond=bond, status="closed", deleted_at=NOW))
    MessageFactory(session=SessionFactory(bond=BondFactory(user__username="charlie")))

    def recent(most):
        return window.load_recent(bond=bond, most=most, turn_id=turn, up_to=asked.pk)

    assert recent(20) == [*lines, reply, late_reply]
    assert recent(2) == [reply, late_reply]
    assert recent(0) == []


@pytest.fixture
def older():
    """An older chat of twelve messages, followed by twenty of another."""
    session = SessionFactory(bond=BondFactory(user__username="mara"), message_count=13)
    lines = MessageFactory.create_batch(12, session=session)
    others = MessageFactory.create_batch(20, session=SessionFactory(bond=session.bond, status="closed"))
    return session, lines, others


def test_an_older_chat_that_is_gone_on_with_is_in_the_window_behind_the_others(older):
    session, lines, others = older
    asked = MessageFactory(session=session)

    held = window.add_own(others, bond=session.bond, session=session, before=asked.pk)

    assert held == [*others[10:], *lines[2:]]


def test_what_was_said_in_it_since_stands_at_the_end(older):
    session, lines, others = older
    since = MessageFactory.create_batch(3, session=session)
    asked = MessageFactory(session=session)

    held = window.add_own([*others[3:], *since], bond=session.bond, session=session, before=asked.pk)

    assert held == [*others[10:], *lines[5:], *since]


@pytest.mark.parametrize(("own", "message_count"), [(10, 50), (9, 10)], ids=["enough of it", "all of it"])
def test_a_window_that_holds_the_chat_stays_as_it_is(own, message_count, django_assert_num_queries):
    session = SessionFactory(message_count=message_count)
    recent = [
        *MessageFactory.create_batch(11, session=SessionFactory()),
        *MessageFactory.create_batch(own, session=session),
    ]

    with django_assert_num_queries(0):
        held = window.add_own(recent, bond=session.bond, session=session, before=10**9)

    assert held == recent
