from datetime import UTC, date, datetime

import pytest

from memory.recall import candidates, memories
from tests.support.factories import NOW, BondFactory, ConceptNodeFactory, EntityFactory
from tests.support.recalling import ASKED, node, search

pytestmark = pytest.mark.django_db

MARCH = {"event_time_start": date(2026, 3, 9), "event_time_end": date(2026, 3, 9)}


@pytest.fixture
def bond():
    return BondFactory(user__username="mara")


def on(*days):
    """The event time from one day to another, each month and day of 2026; None where there is none."""
    first, last = (date.fromisoformat(f"2026-{day}") if day else None for day in days)
    return {"event_time_start": first, "event_time_end": last}


def found_by(recalled):
    return {item.node.pk: item.anchored_by for item in recalled.items if item.kept}


def test_what_happened_then_is_recalled_however_unlike_it_is(bond):
    then = node(bond, cosine=-0.9, **MARCH)
    node(bond, cosine=-0.9)

    [item] = search(bond, "What did I do in March 2026?", vector=ASKED).kept

    assert (item.node, item.anchored_by, item.terms.anchor) == (then, ("2026-03-01/2026-03-31",), 1.0)
    assert item.terms.relevance < 0.4


@pytest.mark.parametrize(
    ("event_time", "is_anchored"),
    [
        (on("02-01", "02-28"), False),
        (on("02-01", "03-01"), True),
        (on("03-31", "03-31"), True),
        (on("03-31", "05-01"), True),
        (on("04-01", "04-01"), False),
        (on("01-01", "12-31"), True),
        (on("03-02", None), True),
        (on("02-28", None), False),
        (on(None, "03-02"), True),
        (on(None, "04-01"), False),
        (on(None, None), False),
    ],
    ids=str,
)
def test_a_period_anchors_what_it_shares_a_day_with(bond, event_time, is_anchored):
    then = node(bond, cosine=-0.9, **event_time)

    recalled = search(bond, "in March 2026", vector=ASKED)

    assert found_by(recalled) == ({then.pk: ("2026-03-01/2026-03-31",)} if is_anchored else {})


@pytest.mark.parametrize(
    ("said", "day"),
    [
        ("What did I do last summer?", date(2026, 7, 14)),
        ("What was yesterday?", date(2026, 11, 20)),
        ("昨天我干嘛了？", date(2026, 11, 20)),
        ("我上个月去哪儿了", date(2026, 10, 31)),
        ("去年夏天的事", date(2025, 8, 1)),
        ("明天有什么安排", date(2026, 11, 22)),
    ],
)
def test_times_are_named_in_both_languages(bond, said, day):
    then = node(bond, event_time_start=day, event_time_end=day)

    assert list(found_by(search(bond, said))) == [then.pk]


def test_where_either_side_may_be_meant_both_are(bond):
    past, future = (node(bond, cosine=-0.9, **on(day, day)) for day in ("11-20", "11-27"))
    node(bond, cosine=-0.9, **on("11-19", "11-26"), type="expectation")

    assert found_by(search(bond, "on Friday", vector=ASKED)) == {
        past.pk: ("2026-11-20/2026-11-20",),
        future.pk: ("2026-11-27/2026-11-27",),
    }


@pytest.mark.parametrize(("zone", "day"), [("Pacific/Pago_Pago", "11-19"), ("Pacific/Kiritimati", "11-21")])
def test_yesterday_is_the_users_own(zone, day):
    bond = BondFactory(user__username="mara", user__time_zone=zone)
    then = node(bond, cosine=-0.9, **on(day, day))
    node(bond, cosine=-0.9, **on("11-20", "11-20"))

    # Half past eleven at night in one zone, half past midnight in the other.
    recalled = search(bond, "yesterday", vector=ASKED, now=datetime(2026, 11, 21, 10, 30, tzinfo=UTC))

    assert list(found_by(recalled)) == [then.pk]


def test_names_and_times_anchor_together(bond):
    both = node(bond, cosine=-0.9, **MARCH)
    cat = EntityFactory(bond=bond, nodes=[both])

    [item] = search(bond, "小黑 in March 2026", vector=ASKED).kept

    assert (item.entity_ids, item.anchored_by, item.terms.anchor) == (
        (cat.pk,),
        (cat.pk, "2026-03-01/2026-03-31"),
        1.0,
    )


def test_a_node_near_in_meaning_is_anchored_by_its_time_too(bond):
    near = node(bond, cosine=0.9, **MARCH)

    assert found_by(search(bond, "in March 2026", vector=ASKED)) == {near.pk: ("2026-03-01/2026-03-31",)}


def test_of_a_time_full_of_things_the_nearest_are_looked_at(bond, monkeypatch):
    monkeypatch.setattr(candidates, "ANCHORED_MOST", 2)
    monkeypatch.setattr(candidates, "NEAREST", 0)
    march = [node(bond, cosine=0.3 - place / 10, **MARCH) for place in range(3)]
    may = node(bond, cosine=-0.9, **on("05-01", "05-01"))

    recalled = search(bond, "in March 2026 and in May 2026", vector=ASKED)

    assert set(found_by(recalled)) == {march[0].pk, march[1].pk, may.pk}


def test_of_many_times_the_first_count(bond, monkeypatch):
    monkeypatch.setattr(memories, "PERIODS_MOST", 1)
    march = node(bond, cosine=-0.9, **MARCH)
    node(bond, cosine=-0.9, **on("05-01", "05-01"))

    assert list(found_by(search(bond, "in March 2026 and in May 2026", vector=ASKED))) == [march.pk]


def test_of_a_long_text_the_ends_are_read_for_times(bond):
    march, may = node(bond, cosine=-0.9, **MARCH), node(bond, cosine=-0.9, **on("05-01", "05-01"))
    node(bond, cosine=-0.9, **on("04-01", "04-01"))

    recalled = search(bond, f"in March 2026{' x' * 900}\nin April 2026{' x' * 900}\nin May 2026", vector=ASKED)

    assert set(found_by(recalled)) == {march.pk, may.pk}


@pytest.mark.parametrize("gone", [{"deleted_at": NOW}, {"stale": True}, {"state": "superseded"}], ids=str)
def test_what_no_longer_holds_is_not_found_by_its_time(bond, gone):
    node(bond, cosine=-0.9, **MARCH, **gone)
    node(BondFactory(user__username="charlie"), cosine=-0.9, **MARCH)

    assert search(bond, "in March 2026", vector=ASKED).items == ()


def test_a_time_takes_no_further_statement(bond, django_assert_num_queries):
    ConceptNodeFactory(bond=bond, **MARCH)

    with django_assert_num_queries(2):
        search(bond, "in March 2026 or on Friday", vector=ASKED)


@pytest.mark.parametrize("query", ["最近有什么安排", "What have I got coming up?"])
def test_who_asks_what_is_ahead_means_the_days_to_come(query):
    [period] = memories.find_periods(query, today=date(2026, 3, 9))

    assert (period.start, period.end) == (date(2026, 3, 9), date(2026, 6, 7))
