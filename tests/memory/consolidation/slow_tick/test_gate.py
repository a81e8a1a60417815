from datetime import UTC, date, datetime, timedelta

import pytest

from memory.consolidation.slow_tick import gate
from memory.consolidation.slow_tick import run as slow_tick
from memory.consolidation.slow_tick.gate import NewMaterial, SlowTickDecision, Spending
from memory.models import SlowTickRun
from tests.support.factories import NOW, BondFactory, ConceptNodeFactory, EntityFactory
from tests.support.ticks import a_talk, ended, tick

pytestmark = pytest.mark.django_db
MINUTE = timedelta(minutes=1)
SECOND = timedelta(seconds=1)
DAY = timedelta(days=1)


@pytest.fixture
def bond():
    return BondFactory(user__username="mara")


@pytest.mark.parametrize(
    ("new", "minutes_ago", "trigger", "reason"),
    [
        (NewMaterial(), None, "", "nothing new since the last run"),
        (NewMaterial(has_correction=True), None, "", "nothing new since the last run"),
        (NewMaterial([0]), None, "interval", "no run for 30 minutes"),
        (NewMaterial(has_undescribed=True), None, "interval", "no run for 30 minutes"),
        (NewMaterial([7, -7]), 29, "", "a run in the last 30 minutes"),
        (NewMaterial([7, -7]), 30, "interval", "no run for 30 minutes"),
        (NewMaterial(has_undescribed=True), 29, "", "a run in the last 30 minutes"),
        (NewMaterial([8]), 0, "shock", "an event of strong impact"),
        (NewMaterial([1, -8]), 29, "shock", "an event of strong impact"),
        (NewMaterial([1], has_correction=True), 0, "correction", "the user set something right"),
        (NewMaterial([9], has_correction=True), 0, "shock", "an event of strong impact"),
        (NewMaterial([9]), 31, "shock", "an event of strong impact"),
        # A clock that was set back, by a little and by much.
        (NewMaterial([7]), -29, "", "a run in the last 30 minutes"),
        (NewMaterial([7]), -30, "interval", "no run for 30 minutes"),
    ],
)
def test_the_gate_asks_in_order(new, minutes_ago, trigger, reason):
    last_run_at = None if minutes_ago is None else NOW - minutes_ago * MINUTE

    decision = gate.decide(new=new, spent=Spending(), last_run_at=last_run_at, now=NOW)

    assert decision == SlowTickDecision(trigger, reason)


@pytest.mark.parametrize(
    ("spent", "reason"),
    [
        (Spending(runs=35, tokens_in=149_999, tokens_out=29_999, failures=2), ""),
        (Spending(runs=36), "36 runs today"),
        (Spending(tokens_in=150_000), "150000 tokens read today"),
        (Spending(tokens_out=30_000), "30000 tokens written today"),
        (Spending(failures=3), "3 failures after this talk"),
    ],
    ids=str,
)
def test_the_caps_of_a_day_hold_for_shocks_too(spent, reason):
    decision = gate.decide(new=NewMaterial([10], has_correction=True), spent=spent, last_run_at=None, now=NOW)

    assert decision == (
        SlowTickDecision("", reason) if reason else SlowTickDecision("shock", "an event of strong impact")
    )


@pytest.mark.parametrize(
    ("age", "event", "trigger"),
    [
        (30 * MINUTE - SECOND, {"emotional_impact": 7}, None),
        (30 * MINUTE, {"emotional_impact": 7}, "interval"),
        (SECOND, {"emotional_impact": -8}, "shock"),
        (SECOND, {"relational_tags": ["correction"]}, "correction"),
        (SECOND, {"relational_tags": ["turning-point"]}, None),
    ],
)
def test_what_is_new_since_the_last_run_decides(age, event, trigger, bond):
    before = ConceptNodeFactory(bond=bond, emotional_impact=10, relational_tags=["correction"])
    ended(bond, at=NOW - age, last_event_id=before.pk)
    ConceptNodeFactory(bond=bond, **event)

    run = tick(bond)

    assert (run and run.trigger) == trigger


@pytest.mark.parametrize(
    "state",
    [{"deleted_at": NOW}, {"state": "superseded"}, {"type": "thought"}, {"created_at": NOW - 7 * DAY}],
    ids=str,
)
def test_what_is_no_live_event_of_a_week_is_nothing_new_the_first_time(state, bond):
    ConceptNodeFactory(bond=bond, emotional_impact=10, **state)
    ConceptNodeFactory(emotional_impact=10)

    assert tick(bond) is None
    assert SlowTickRun.objects.count() == 0


def test_somebody_to_describe_is_something_new(bond):
    nodes = ConceptNodeFactory.create_batch(3, bond=bond, created_at=NOW - 30 * DAY)
    EntityFactory(bond=bond, nodes=nodes)

    assert tick(bond).trigger == "interval"


@pytest.mark.parametrize(("runs", "begins"), [(35, True), (36, False)])
def test_thirty_six_runs_a_day(runs, begins, bond):
    for _ in range(runs):
        ended(bond, at=NOW - 2 * timedelta(hours=1), outcome="failed")
    ConceptNodeFactory(bond=bond, emotional_impact=9)

    assert (tick(bond) is not None) is begins


@pytest.mark.parametrize(
    ("spent", "begins"),
    [
        ({"tokens_in": 149_999, "tokens_out": 29_999}, True),
        ({"tokens_in": 150_000}, False),
        ({"tokens_out": 30_000}, False),
    ],
    ids=str,
)
def test_so_many_tokens_a_day(spent, begins, bond):
    ended(bond, at=NOW - 60 * MINUTE, **spent)
    ended(BondFactory(user__username="charlie"), tokens_in=150_000)
    ConceptNodeFactory(bond=bond)

    assert (tick(bond) is not None) is begins


@pytest.mark.parametrize(
    ("zone", "midnight"),
    [
        ("UTC", datetime(2026, 11, 22, 0, 0, tzinfo=UTC)),
        ("Pacific/Pago_Pago", datetime(2026, 11, 22, 11, 0, tzinfo=UTC)),
        ("Pacific/Kiritimati", datetime(2026, 11, 22, 10, 0, tzinfo=UTC)),
    ],
)
def test_a_day_is_the_users_own(zone, midnight, bond):
    bond.user.time_zone = zone
    bond.user.save()
    ConceptNodeFactory(bond=bond, created_at=midnight)
    ended(bond, at=midnight - 60 * MINUTE, tokens_in=150_000)

    assert tick(bond, now=midnight - SECOND) is None
    run = tick(bond, now=midnight)
    assert run.day == bond.user.get_day(midnight)


def test_it_is_left_to_the_next_session_after_three_failures(bond):
    talk = a_talk(bond)
    ConceptNodeFactory(bond=bond, emotional_impact=9)
    for _ in range(3):
        ended(bond, at=NOW - MINUTE, outcome="failed", session=talk)

    assert tick(bond) is None

    ended(bond, at=NOW)
    ConceptNodeFactory(bond=bond, emotional_impact=9)
    assert tick(bond).outcome == "empty"


def test_a_failed_run_does_not_count_for_the_cool_down(bond):
    ended(bond, at=NOW - MINUTE, outcome="failed", last_event_id=10**9)
    ConceptNodeFactory(bond=bond)

    assert tick(bond).trigger == "interval"


def test_the_switch_and_the_offline_voice_keep_it_from_beginning(bond, settings):
    ConceptNodeFactory(bond=bond, emotional_impact=9)
    settings.SLOW_TICK_ENABLED = False

    assert tick(bond) is None


def test_a_run_is_claimed_with_its_day_and_lease(bond):
    bond.user.time_zone = "Pacific/Kiritimati"
    bond.user.save()
    ConceptNodeFactory(bond=bond)
    talk = a_talk(bond)

    run = slow_tick.begin(session_id=talk.pk, now=NOW)

    assert (run.outcome, run.day, run.created_at, run.lease_until, run.session) == (
        "running",
        date(2026, 11, 22),
        NOW,
        NOW + 10 * MINUTE,
        talk,
    )
    assert slow_tick.begin(session_id=talk.pk, now=NOW + 10 * MINUTE) is None
