from datetime import UTC, date, datetime, timedelta

import pytest

from echovessel.models import BondEvent
from memory.models import ConceptNode
from memory.nodes import outcomes
from memory.nodes.outcomes import SettlingError
from tests.support.factories import NOW, BondFactory, ConceptNodeFactory

pytestmark = pytest.mark.django_db
SECOND = timedelta(seconds=1)


@pytest.fixture
def bond():
    return BondFactory(user__username="mara")


def expectation(bond, **more):
    return ConceptNodeFactory(bond=bond, type="expectation", description="They will hear back.", **more)


def life(node):
    node.refresh_from_db()
    return node.state, node.state_reason, node.valid_until


@pytest.mark.parametrize(
    ("zone", "last_moment"),
    [
        ("UTC", datetime(2026, 11, 21, 23, 59, 59, tzinfo=UTC)),
        ("Pacific/Pago_Pago", datetime(2026, 11, 22, 10, 59, 59, tzinfo=UTC)),
        ("Pacific/Kiritimati", datetime(2026, 11, 21, 9, 59, 59, tzinfo=UTC)),
        ("Asia/Kathmandu", datetime(2026, 11, 21, 18, 14, 59, tzinfo=UTC)),
    ],
)
def test_a_due_day_counts_to_its_end_where_the_user_lives(zone, last_moment, bond):
    bond.user.time_zone = zone
    bond.user.save()
    node = expectation(bond, event_time_end=date(2026, 11, 21), created_at=NOW - timedelta(days=3))

    assert outcomes.expire(now=last_moment) == 0
    assert life(node) == ("pending", "", None)
    assert outcomes.expire(now=last_moment + SECOND) == 1
    assert life(node) == ("expired", "clock: its day is over", last_moment + SECOND)
    assert [(entry.type, entry.refs) for entry in BondEvent.objects.all()] == [
        ("memory.node.updated", {"node": node.pk, "changed": ["state"]})
    ]
    assert outcomes.expire(now=last_moment + SECOND) == 0


def test_an_undated_expectation_is_awaited_for_60_days(bond):
    node = expectation(bond)

    assert outcomes.expire(now=NOW + timedelta(days=60) - SECOND) == 0
    assert outcomes.expire(now=NOW + timedelta(days=60)) == 1
    assert life(node) == ("expired", "clock: awaited for 60 days", NOW + timedelta(days=60))


def test_an_undated_promise_is_open_for_60_days(bond):
    node = ConceptNodeFactory(bond=bond, type="intention", subject="persona")

    assert outcomes.expire(now=NOW + timedelta(days=60) - SECOND) == 0
    assert outcomes.expire(now=NOW + timedelta(days=60)) == 1
    assert life(node) == ("expired", "clock: open for 60 days", NOW + timedelta(days=60))
    assert BondEvent.objects.get().refs == {"node": node.pk, "changed": ["state"]}


def test_a_dated_expectation_is_awaited_for_as_long_as_its_day_is_off(bond):
    node = expectation(bond, event_time_end=date(2027, 6, 1))

    assert outcomes.expire(now=NOW + timedelta(days=61)) == 0
    assert life(node)[0] == "pending"


def test_the_clock_leaves_all_else_alone(bond):
    long_ago = date(2026, 1, 1)
    others = [
        ConceptNodeFactory(bond=bond, type="intention", event_time_end=long_ago),
        ConceptNodeFactory(bond=bond, type="event", event_time_end=long_ago),
        ConceptNodeFactory(bond=bond, type="thought", event_time_end=long_ago),
        expectation(bond, state="fulfilled", event_time_end=long_ago),
        expectation(bond, state="superseded", event_time_end=long_ago),
        expectation(bond, deleted_at=NOW, event_time_end=long_ago),
    ]

    assert outcomes.expire(now=NOW) == 0
    assert [life(node)[0] for node in others] == ["open", "live", "live", "fulfilled", "superseded", "pending"]


@pytest.mark.parametrize(
    ("kind", "due", "age_days", "reason"),
    [
        ("expectation", date(2026, 11, 21), 0, ""),
        ("expectation", date(2026, 11, 20), 0, "clock: its day is over"),
        ("expectation", date(2026, 11, 21), 99, ""),
        ("expectation", None, 59, ""),
        ("expectation", None, 60, "clock: awaited for 60 days"),
        ("intention", date(2026, 11, 20), 99, ""),
        ("intention", None, 59, ""),
        ("intention", None, 60, "clock: open for 60 days"),
    ],
)
def test_why_it_is_over(kind, due, age_days, reason):
    bond = BondFactory.build(user__time_zone="UTC")
    node = ConceptNode(bond=bond, type=kind, event_time_end=due, created_at=NOW - timedelta(days=age_days))

    assert outcomes.find_expiry_reason(node, now=NOW) == reason


@pytest.mark.parametrize(
    ("kind", "state", "outcome"),
    [
        ("expectation", "pending", "fulfilled"),
        ("expectation", "pending", "missed"),
        ("expectation", "pending", "expired"),
        ("expectation", "expired", "fulfilled"),
        ("expectation", "expired", "missed"),
        ("intention", "open", "expired"),
        ("intention", "expired", "kept"),
        ("intention", "open", "kept"),
        ("intention", "open", "broken"),
        ("intention", "open", "cancelled"),
    ],
)
def test_a_person_says_how_it_came_out(kind, state, outcome, bond):
    node = ConceptNodeFactory(bond=bond, type=kind, state=state)

    outcomes.settle_by_hand(node=node, outcome=outcome, now=NOW)

    assert life(node) == (outcome, "by hand", NOW)
    assert BondEvent.objects.get().refs == {"node": node.pk, "changed": ["state"]}


@pytest.mark.parametrize(
    ("kind", "state", "outcome", "code", "detail"),
    [
        ("event", "live", "kept", "invalid", "Only promises and expectations have an outcome."),
        ("thought", "live", "superseded", "invalid", "Only promises and expectations have an outcome."),
        (
            "expectation",
            "pending",
            "kept",
            "invalid",
            "The outcome of an expectation is one of fulfilled, missed, expired.",
        ),
        (
            "expectation",
            "pending",
            "superseded",
            "invalid",
            "The outcome of an expectation is one of fulfilled, missed, expired.",
        ),
        (
            "intention",
            "open",
            "missed",
            "invalid",
            "The outcome of an intention is one of kept, broken, cancelled, expired.",
        ),
        ("intention", "expired", "open", "conflict", "This intention is expired; it cannot become open."),
        ("intention", "open", "open", "conflict", "This intention is open; it cannot become open."),
        ("intention", "kept", "open", "conflict", "This intention is kept; it cannot become open."),
        ("intention", "kept", "broken", "conflict", "This intention is kept; it cannot become broken."),
        ("intention", "superseded", "kept", "conflict", "This intention is superseded; it cannot become kept."),
        ("expectation", "missed", "fulfilled", "conflict", "This expectation is missed; it cannot become fulfilled."),
        ("expectation", "expired", "pending", "conflict", "This expectation is expired; it cannot become pending."),
        ("expectation", "expired", "expired", "conflict", "This expectation is expired; it cannot become expired."),
    ],
)
def test_an_outcome_that_cannot_be_is_refused(kind, state, outcome, code, detail, bond):
    node = ConceptNodeFactory(bond=bond, type=kind, state=state)

    with pytest.raises(SettlingError) as refused:
        outcomes.settle_by_hand(node=node, outcome=outcome, now=NOW)

    assert (refused.value.code, refused.value.detail) == (code, detail)
    assert life(node) == (state, "", None)


def test_a_clock_that_was_set_back_does_not_end_a_node_before_it_began(bond):
    node = expectation(bond)

    outcomes.settle_by_hand(node=node, outcome="missed", now=NOW - SECOND)

    assert life(node) == ("missed", "by hand", NOW)


def test_what_was_settled_meanwhile_is_left_as_it_is(bond):
    node = expectation(bond)
    ConceptNode.objects.update(state="fulfilled")

    with pytest.raises(SettlingError):
        outcomes.settle_by_hand(node=node, outcome="missed", now=NOW)

    assert life(node)[0] == "fulfilled"
