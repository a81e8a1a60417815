import pytest
import time_machine
from django.test import Client

from chat.live import tickets
from personas.accounts.credentials import Credential
from tests.support.factories import UserFactory

pytestmark = pytest.mark.django_db
MARA = Credential(7, token="t")


def test_a_ticket_is_redeemed_once():
    ticket = tickets.issue(MARA)

    assert [tickets.redeem(ticket), tickets.redeem(ticket)] == [MARA, None]


def test_a_ticket_lasts_thirty_seconds():
    with time_machine.travel("2026-11-21T20:00:00Z", tick=False) as clock:
        used, missed = tickets.issue(MARA), tickets.issue(MARA)
        clock.shift(29)
        in_time = tickets.redeem(used)
        clock.shift(2)
        late = tickets.redeem(missed)

    assert (in_time, late) == (MARA, None)


@pytest.mark.parametrize("jump", [3600, -3600, 31, -31])
def test_a_clock_that_jumps_makes_no_ticket_last_longer(jump):
    with time_machine.travel("2026-11-21T20:00:00Z", tick=False) as clock:
        ticket = tickets.issue(MARA)
        clock.shift(jump)
        found = tickets.redeem(ticket)

    assert found is None


@pytest.mark.parametrize("unknown", ["", "nothing", "\x00", "\ud800", "票"])
def test_an_unknown_ticket_is_nobodys(unknown):
    assert tickets.redeem(unknown) is None


def test_a_ticket_of_a_page_ends_with_its_sign_in():
    mara = UserFactory(username="mara")
    client = Client()
    client.force_login(mara)

    ticket = client.post("/api/auth/ticket/").json()["ticket"]

    assert tickets.redeem(ticket) == Credential(mara.pk, session_key=client.session.session_key)
