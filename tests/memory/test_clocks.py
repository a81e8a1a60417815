"""The clock of the machine is set back. `NOW` is what it said before."""

from datetime import timedelta
from uuid import uuid4

import pytest

from memory import sessions
from memory.consolidation.slow_tick import run
from memory.importing import control
from memory.jobs.lease import LeaseLost, claim_import, claim_session
from memory.models import Import, Session, SlowTickRun
from memory.models.leased import LEASE, RETRY_AFTER, SLACK
from tests.support.factories import NOW, BondFactory, SessionFactory

pytestmark = pytest.mark.django_db
EARLIER = NOW - timedelta(hours=1)
SECOND = timedelta(seconds=1)


def test_a_dead_lease_of_a_session_ends_when_the_clock_is_set_back():
    session = SessionFactory(status="consolidating", lease_token=uuid4(), lease_until=NOW + LEASE)

    still = claim_session(session_id=session.pk, now=NOW - SLACK)
    taken = claim_session(session_id=session.pk, now=EARLIER)

    assert still is None
    assert taken is not None
    assert Session.objects.get().lease_until == EARLIER + LEASE


def test_who_comes_back_to_a_session_taken_over_writes_nothing():
    session = SessionFactory(status="closing")
    first = claim_session(session_id=session.pk, now=NOW)
    claim_session(session_id=session.pk, now=EARLIER)

    with pytest.raises(LeaseLost):
        first.renew(EARLIER)


@pytest.mark.parametrize(("back", "is_due"), [(timedelta(0), False), (SLACK, False), (SLACK + SECOND, True)])
def test_a_failed_session_is_tried_again_however_far_the_clock_is_set_back(back, is_due):
    SessionFactory(status="failed", failure_next_try_at=NOW + RETRY_AFTER[-1])

    assert Session.objects.due(NOW - back).exists() is is_due


def test_a_dead_lease_of_an_import_ends_when_the_clock_is_set_back():
    one = Import.objects.create(
        bond=BondFactory(), name="a.txt", kind="txt", digest="", total=1, state="running", created_at=NOW,
        touched_at=NOW, lease_token=uuid4(), lease_until=NOW + LEASE,
    )  # fmt: skip

    assert claim_import(import_id=one.pk, now=NOW) is None
    assert control.requeue(now=NOW) == 0
    assert control.requeue(now=EARLIER) == 1
    assert claim_import(import_id=one.pk, now=EARLIER) is not None


def test_a_dead_slow_tick_ends_when_the_clock_is_set_back():
    session = SessionFactory()
    SlowTickRun.objects.create(
        bond=session.bond, session=session, trigger="interval", day=NOW.date(), created_at=NOW, lease_until=NOW + LEASE
    )

    assert run.requeue_dead_runs(now=NOW) == 0
    assert run.requeue_dead_runs(now=EARLIER) == 1


def test_a_session_goes_idle_when_the_clock_was_set_back_by_more_than_it_may_rest(settings):
    session = SessionFactory(last_message_at=NOW, message_count=2)
    back = NOW - settings.SESSION_IDLE

    assert not Session.objects.idle(back).exists()
    assert not session.is_idle(back)
    assert Session.objects.idle(back - SECOND).exists()
    assert session.is_idle(back - SECOND)


def test_a_session_of_the_future_that_is_resumed_takes_messages_as_any():
    ended = SessionFactory(status="closed", started_at=NOW, last_message_at=NOW, message_count=2)

    resumed = sessions.reopen(bond=ended.bond, session_id=ended.pk, channel="web", now=EARLIER)

    assert (resumed.started_at, resumed.last_message_at) == (EARLIER, EARLIER)
    assert not resumed.is_idle(EARLIER)
