from datetime import timedelta

import pytest

from memory.doubts import aging, settling
from memory.models import ConceptNode, Doubt
from personas.models import User
from tests.support.doubts import contradiction
from tests.support.factories import NOW, BondFactory, ConceptNodeFactory, FactFactory, MessageFactory, SessionFactory
from tests.support.facts import writer

pytestmark = pytest.mark.django_db


@pytest.fixture
def bond():
    return BondFactory(user__username="mara")


def read(bond, **more):
    about = {"origin": "import", "relational_tags": ["identity-bearing"], "created_at": NOW}
    return ConceptNodeFactory(bond=bond, description="The user is a nurse.", **about | more)


def thread(bond, **more):
    about = {"relational_tags": ["unresolved"], "created_at": NOW}
    return ConceptNodeFactory(bond=bond, description="The user quarrelled with Peg.", **about | more)


def open_after(days):
    aging.open_due(now=NOW + timedelta(days=days))
    return [(doubt.kind, doubt.severity, doubt.opened_by) for doubt in Doubt.objects.open().order_by("id")]


@pytest.mark.parametrize(("days", "opened"), [(29, []), (30, [("unverified", 0.5, "clock")])])
def test_what_an_import_said_is_doubted_after_thirty_days(bond, days, opened):
    read(bond)

    assert open_after(days) == opened


def test_what_opened_a_doubt_is_written_with_it(bond):
    read(bond)
    thread(bond)

    open_after(60)

    assert [doubt.reason for doubt in Doubt.objects.order_by("kind")] == ["untouched", "never_told"]


@pytest.mark.parametrize(
    "more",
    [
        {"origin": "extraction"},
        {"relational_tags": []},
        {"state": "superseded"},
        {"deleted_at": NOW},
        {"stale": True},
    ],
    ids=lambda more: next(iter(more)),
)
def test_other_memories_are_not_doubted(bond, more):
    read(bond, **more)

    assert open_after(60) == []


def test_what_a_chat_bore_out_is_not_doubted(bond):
    read(bond, sources=[MessageFactory(session=SessionFactory(bond=bond))])

    assert open_after(60) == []


@pytest.mark.parametrize(
    ("more", "opened"),
    [({}, 1), ({"last_confirmed_at": NOW}, 0), ({"state": "superseded"}, 0)],
    ids=["read", "told", "changed"],
)
def test_what_was_told_of_a_fact_from_it_bears_it_out(bond, more, opened):
    FactFactory(bond=bond, evidence=[read(bond)], tier="extracted", origin="import", **more)

    assert len(open_after(60)) == opened


@pytest.mark.parametrize(("days", "opened"), [(44, []), (45, [("stale", 0.4, "clock")])])
def test_an_open_thread_is_doubted_after_forty_five_days(bond, days, opened):
    thread(bond)

    assert open_after(days) == opened


def test_what_happened_on_the_day_it_was_told_is_no_plan_in_any_zone(bond):
    User.objects.update(time_zone="Asia/Shanghai")
    # It is past midnight there: 22 November has begun.
    thread(bond, event_time_start=NOW + timedelta(days=1), event_time_end=NOW + timedelta(days=1))

    assert open_after(45) == [("stale", 0.4, "clock")]


@pytest.mark.parametrize(("day", "opened"), [(0, 1), (1, 0), (44, 0), (46, 1)])
def test_a_plan_whose_day_is_over_is_not_doubted(bond, day, opened):
    thread(bond, event_time_start=NOW + timedelta(days=day), event_time_end=NOW + timedelta(days=day))

    assert len(open_after(45)) == opened


@pytest.mark.parametrize(("days", "opened"), [(54, []), (55, ["stale"])])
def test_telling_of_a_thread_touches_it(bond, days, opened):
    said = MessageFactory(session=SessionFactory(bond=bond), created_at=NOW + timedelta(days=10))
    thread(bond, sources=[said])

    assert [kind for kind, *_ in open_after(days)] == opened


def test_what_was_settled_is_doubted_again_when_it_is_as_old_and_what_was_let_go_never(bond):
    thread(bond)
    read(bond)
    open_after(45)
    still = Doubt.objects.get(kind="stale")
    settling.settle(doubt=still, outcome="this", writer=writer(by="person", now=NOW + timedelta(days=46)))
    settling.let_be(doubt=Doubt.objects.get(kind="unverified"))

    counts = [len(open_after(days)) for days in (90, 91)]

    assert counts == [0, 1]


def test_no_more_are_opened_than_there_is_room_for(bond):
    for number in range(19):
        contradiction(bond, this=f"They like {number}.", that=f"They hate {number}.")
        ConceptNode.objects.filter(bond=bond).update(slot="", value="")
    older, _newer = read(bond, created_at=NOW - timedelta(days=1)), read(bond)

    open_after(60)

    assert [one.a_node for one in Doubt.objects.filter(kind="unverified")] == [older]
    assert Doubt.objects.count() == 20


def test_what_is_more_severe_takes_the_place_of_what_is_less(bond):
    for _ in range(20):
        thread(bond)
    open_after(45)
    severe = read(bond)

    open_after(45)

    opened = Doubt.objects.open()
    assert (opened.get(kind="unverified").a_node, opened.filter(kind="stale").count()) == (severe, 19)
    assert Doubt.objects.get(state="let_go").kind == "stale"


def test_it_runs_again_without_doubling(bond):
    read(bond)
    thread(bond)

    assert (open_after(60), aging.open_due(now=NOW + timedelta(days=61))) == (
        [("unverified", 0.5, "clock"), ("stale", 0.4, "clock")],
        0,
    )
