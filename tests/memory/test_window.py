import uuid

import pytest

from memory import window
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
