import pytest
import time_machine

from chat import tickets
from tests.factories import UserFactory

pytestmark = pytest.mark.django_db


def test_a_ticket_is_redeemed_once():
    mara = UserFactory(username="mara")
    ticket = tickets.issue(mara)

    assert [tickets.redeem(ticket), tickets.redeem(ticket)] == [mara, None]


def test_a_ticket_lasts_thirty_seconds():
    mara = UserFactory(username="mara")
    with time_machine.travel("2026-11-21T20:00:00Z", tick=False) as clock:
        used, missed = tickets.issue(mara), tickets.issue(mara)
        clock.shift(29)
        in_time = tickets.redeem(used)
        clock.shift(2)
        late = tickets.redeem(missed)

    assert (in_time, late) == (mara, None)


@pytest.mark.parametrize("unknown", ["", "nothing", "\x00", "\ud800", "票"])
def test_an_unknown_ticket_is_nobodys(unknown):
    assert tickets.redeem(unknown) is None


def test_a_ticket_of_someone_who_may_no_longer_sign_in_is_nobodys():
    mara = UserFactory(username="mara")
    ticket = tickets.issue(mara)
    mara.is_active = False
    mara.save()

    assert tickets.redeem(ticket) is None
