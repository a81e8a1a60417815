import pytest
import time_machine

from memory.models import Doubt
from tests.memory.doubts.test_settling import doubted
from tests.support.factories import NOW, BondFactory, SessionFactory, UserFactory
from tests.support.facts import LEEDS, YORK, fresh, live
from tests.support.rest import api

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def tonight():
    with time_machine.travel(NOW, tick=False):
        yield


@pytest.fixture
def bond():
    return BondFactory(user__username="mara")


def url(bond, tail=""):
    return f"/api/bonds/{bond.pk}/memory/doubts/{tail}"


def test_a_doubt_is_listed_with_both_sides(bond):
    doubt = doubted(bond)
    doubted(BondFactory(user__username="lin"))

    [shown] = api(bond.user).get(url(bond)).json()["results"]

    assert (shown["a"]["description"], shown["b"]["description"]) == (YORK, LEEDS)
    assert {name: shown[name] for name in shown if name not in ("a", "b")} == {
        "id": doubt.pk,
        "kind": "contradiction",
        "reason": "against_told",
        "severity": 1.0,
        "state": "open",
        "outcome": None,
        "outcomes": ["this", "that", "both", "neither"],
        "asked": 0,
        "opened_at": "2026-11-21T20:00:00Z",
        "settled_at": None,
    }


@pytest.mark.parametrize(
    ("query", "count"), [("state=open", 1), ("state=settled", 0), ("kind=contradiction", 1), ("kind=stale", 0)]
)
def test_the_list_is_filtered(bond, query, count):
    doubted(bond)

    assert len(api(bond.user).get(url(bond, f"?{query}")).json()["results"]) == count


@pytest.mark.parametrize("rows", [1, 3])
def test_the_list_asks_as_often_for_many_as_for_one(bond, rows, django_assert_max_num_queries):
    for number in range(rows):
        doubted(bond, slot="", number=number)
    client = api(bond.user)

    with django_assert_max_num_queries(7):
        assert len(client.get(url(bond)).json()["results"]) == rows


def test_it_is_settled_let_go_opened_again_and_asked_later(bond):
    doubt, client = doubted(bond), api(bond.user)
    session = SessionFactory(bond=bond, status="open")

    later = client.post(url(bond, f"{doubt.pk}/later/")).json()
    asked = Doubt.objects.get().asked_in
    gone = client.post(url(bond, f"{doubt.pk}/settle/"), {"holds": "let_go"}).json()
    again = client.post(url(bond, f"{doubt.pk}/reopen/")).json()
    settled = client.post(url(bond, f"{doubt.pk}/settle/"), {"holds": "this"}).json()

    assert [one["state"] for one in (later, gone, again, settled)] == ["open", "let_go", "open", "settled"]
    assert (asked, settled["outcome"], settled["outcomes"], live(bond)) == ([session.pk], "this", [], [YORK])


@pytest.mark.parametrize(("outcome", "status"), [("same", 400), ("maybe", 400), ("gone", 400)])
def test_a_wrong_outcome_is_refused(bond, outcome, status):
    doubt = doubted(bond)

    answer = api(bond.user).post(url(bond, f"{doubt.pk}/settle/"), {"holds": outcome})

    assert (answer.status_code, fresh(doubt.a_node).state) == (status, "uncertain")


def test_what_is_settled_is_not_settled_again(bond):
    doubt, client = doubted(bond), api(bond.user)
    client.post(url(bond, f"{doubt.pk}/settle/"), {"holds": "that"})

    answer = client.post(url(bond, f"{doubt.pk}/settle/"), {"holds": "this"})

    assert (answer.status_code, answer.json()["code"]) == (409, "changed")


@pytest.mark.parametrize(("tail", "body"), [("settle/", {"holds": "this"}), ("later/", {}), ("reopen/", {})])
def test_a_stranger_sees_and_settles_nothing(bond, tail, body):
    doubt = doubted(bond)
    charlie = UserFactory(username="charlie")
    own = BondFactory(user=charlie)

    answers = [api(charlie).post(url(other, f"{doubt.pk}/{tail}"), body) for other in (bond, own)]

    assert [answer.status_code for answer in answers] == [404, 404]
    assert api(charlie).get(url(bond)).status_code == 404
    assert Doubt.objects.get().state == "open"


def test_a_refusal_is_said_in_the_readers_language(bond):
    doubt = doubted(bond)
    client = api(bond.user)
    path = url(bond, f"{doubt.pk}/settle/")
    client.post(path, {"holds": "this"})

    english, chinese = (
        client.post(path, {"holds": "that"}, headers={"Accept-Language": one}) for one in ("en", "zh-Hans")
    )

    assert (english.json()["code"], english.json()["detail"]) == ("changed", "This is settled already.")
    assert (chinese.json()["code"], chinese.json()["detail"]) == ("changed", "这件事已经确定了。")
