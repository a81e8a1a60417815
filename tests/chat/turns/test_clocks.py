"""The machine's clock is set back by an hour, or ahead. `NOW` is the time before."""

from datetime import timedelta

import pytest
from django_q.models import OrmQ, Schedule

from chat.models import Turn
from chat.turns import claiming, endings, runner
from chat.turns.claiming import OVERDUE, LeaseLost
from memory.jobs.queue import enqueue, reschedule_after_clock_change
from memory.models import Message, Session
from memory.models.leased import SLACK
from tests.support.factories import NOW, BondFactory
from tests.support.receiving import DONE, SECOND, claim, receive

pytestmark = pytest.mark.django_db
HOUR = timedelta(hours=1)
EARLIER = NOW - HOUR


@pytest.fixture
def bond():
    return BondFactory(user__username="mara")


def test_a_pending_turn_does_not_wait_until_the_clock_is_as_late_again(bond):
    receive(bond)

    swept = runner.sweep(EARLIER, [])
    waits = claiming.get_next_due(bond.pk, EARLIER)
    taken = claim(bond, now=EARLIER)

    assert (swept, waits, taken.status) == ({bond.pk}, None, "running")
    endings.finish(turn=taken, ending=DONE, now=EARLIER)
    assert list(Message.objects.order_by("id").values_list("role", flat=True)) == ["user", "persona"]


def test_a_turn_is_due_at_once_where_it_is_further_ahead_than_it_was_ever_set(bond, settings):
    receive(bond)
    farthest = NOW + settings.DEBOUNCE + OVERDUE

    waiting = [
        claiming.get_next_due(bond.pk, NOW - OVERDUE),
        claim(bond, now=NOW - OVERDUE),
        claiming.list_overdue(now=NOW - OVERDUE),
    ]
    Turn.objects.update(due_at=farthest + SECOND)

    assert waiting == [NOW + settings.DEBOUNCE, None, []]
    assert claiming.list_overdue(now=NOW) == [bond.pk]
    assert claim(bond, now=NOW) is not None


def test_a_dead_turn_does_not_block_its_bond_until_the_clock_is_as_late_again(bond):
    receive(bond, debounce=False)
    dead = claim(bond, now=NOW)
    claiming.keep_alive(turn=dead, text="So far", now=NOW)

    lives = endings.interrupt_dead(now=NOW - SLACK)
    known = endings.interrupt_dead(now=EARLIER, but=[dead.pk])
    ended = endings.interrupt_dead(now=EARLIER)

    assert (lives, known, ended) == ([], [], [bond.pk])
    dead.refresh_from_db()
    assert dead.status == "interrupted"
    assert Message.objects.filter(role="persona", content="So far").exists()


def test_a_turn_that_lives_goes_on_when_the_clock_was_set_back(bond):
    receive(bond, debounce=False)
    turn = claim(bond, now=NOW)

    claiming.keep_alive(turn=turn, text="So far", now=EARLIER)

    assert endings.interrupt_dead(now=EARLIER) == []
    assert endings.finish(turn=turn, ending=DONE, now=EARLIER).content == "I see."


def test_a_turn_that_was_taken_for_dead_when_the_clock_jumped_ahead_is_stored_once(bond):
    receive(bond, debounce=False)
    turn = claim(bond, now=NOW)
    claiming.keep_alive(turn=turn, text="So far", now=NOW)

    endings.interrupt_dead(now=NOW + HOUR)

    with pytest.raises(LeaseLost):
        endings.finish(turn=turn, ending=DONE, now=NOW + HOUR)
    assert Message.objects.filter(role="persona").count() == 1


def test_what_a_dead_turn_held_is_passed_on_when_the_clock_was_set_back(bond):
    receive(bond)
    session = Session.objects.get()
    Session.objects.update(status="closing")

    held = [session.is_held(now) for now in (NOW, NOW - SLACK, NOW - SLACK - SECOND, EARLIER)]

    assert held == [True, True, False, False]
    assert not Session.objects.due(NOW - SLACK).exists()
    assert Session.objects.due(EARLIER).get() == session


def test_what_is_on_schedule_or_queued_does_not_wait_until_the_clock_is_as_late_again():
    periods = {"scan": timedelta(minutes=1), "prune": HOUR, "purge": timedelta(days=1)}
    for name, kind in {"scan": Schedule.MINUTES, "prune": Schedule.HOURLY, "purge": Schedule.DAILY}.items():
        minutes = 1 if name == "scan" else None
        Schedule.objects.create(name=name, func=name, schedule_type=kind, minutes=minutes, next_run=NOW + periods[name])
    enqueue("memory.tasks.consolidate", 1)
    OrmQ.objects.update(lock=NOW)

    reschedule_after_clock_change(now=NOW - SLACK)
    before = set(Schedule.objects.values_list("name", "next_run"))
    reschedule_after_clock_change(now=EARLIER)

    assert before == {(name, NOW + period) for name, period in periods.items()}
    assert set(Schedule.objects.values_list("next_run", flat=True)) == {EARLIER}
    assert OrmQ.objects.get().lock == EARLIER
