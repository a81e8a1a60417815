import re
from datetime import timedelta

import pytest
import time_machine
from django.test import Client

from chat.pages.display.second_person import address_reader
from memory.models import Doubt
from tests.memory.doubts.test_settling import doubted
from tests.support.doubts import ambiguous, contradiction, stale, unverified
from tests.support.factories import NOW, BondFactory, FactFactory, UserFactory
from tests.support.facts import LEEDS, YORK, live

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def tonight():
    with time_machine.travel(NOW, tick=False):
        yield


@pytest.fixture
def bond():
    return BondFactory(user__username="mara")


def browser(user):
    client = Client()
    client.force_login(user)
    return client


def url(bond, tail=""):
    return f"/bonds/{bond.pk}/memory/doubts/{tail}"


def press(bond, doubt, outcome, *, user=None):
    return browser(user or bond.user).post(url(bond, f"{doubt.pk}/settle/"), {"outcome": outcome}, follow=True)


def test_the_tab_counts_the_questions_that_wait(bond):
    doubt = doubted(bond)

    waiting = browser(bond.user).get(f"/bonds/{bond.pk}/memory/facts/").content.decode()
    settled = press(bond, doubt, "this").content.decode()

    assert re.search(r'Not certain\s*<span class="badge">1</span>', waiting)
    assert not re.search(r"Not certain\s*<span", settled)


def test_the_page_has_both_sides_and_every_outcome(bond):
    doubted(bond)

    page = browser(bond.user).get(url(bond)).content.decode()

    for told in (
        "You live in Leeds.",
        "You live in York.",
        "The first is right",
        "The second is right",
        "Both are right",
        "Neither is right",
        "Don’t ask again",
    ):
        assert told in page
    assert "Ask me later" in page


@pytest.mark.parametrize(
    ("make", "language", "reason"),
    [
        (contradiction, "en", "It contradicts what you said or wrote."),
        (ambiguous, "en", "Their names, or what is known of them, are alike."),
        (unverified, "en", "It was read in a file, and no chat spoke of it in 30 days."),
        (stale, "zh-hans", "这件事没有结果，45 天里聊天都没有提过。"),
    ],
)
def test_the_page_says_what_opened_a_doubt(bond, make, language, reason):
    make(bond)
    bond.user.language = language
    bond.user.save()

    assert reason in browser(bond.user).get(url(bond)).content.decode()


def test_what_stands_against_the_text_about_the_reader_leads_there(bond):
    fact = FactFactory(bond=bond, state="uncertain", tier="extracted", confidence=0.6)
    Doubt.objects.open_about_nodes(kind="contradiction", this=fact, that=None, by="close", now=NOW)

    pages = [
        browser(bond.user).get(where).content.decode() for where in (url(bond), f"/bonds/{bond.pk}/memory/{fact.pk}/")
    ]

    assert [f'"/bonds/{bond.pk}/persona/#id_user-content"' in page for page in pages] == [True, True]


def test_a_doubt_from_before_reasons_were_written_says_none(bond):
    Doubt.objects.filter(pk=contradiction(bond).pk).update(reason="")

    assert browser(bond.user).get(url(bond)).status_code == 200


@pytest.mark.parametrize(
    ("make", "told", "shown"),
    [
        (unverified, "The user is a nurse.", "You are a nurse."),
        (stale, "The user quarrelled with Peg.", "You quarrelled with Peg."),
        (stale, "用户跟佩格吵架了。", "你跟佩格吵架了。"),
        (stale, "Peg wrote to the user.", "Peg wrote to the user."),
    ],
)
def test_what_is_asked_about_is_told_to_the_reader(bond, make, told, shown):
    make(bond, this=told)

    page = browser(bond.user).get(url(bond)).content.decode()

    assert f">{shown}</a>" in page


@pytest.mark.parametrize(("outcome", "left"), [("this", [YORK]), ("that", [LEEDS])])
def test_the_page_of_an_uncertain_fact_asks_whether_it_is_true(bond, outcome, left):
    doubt = doubted(bond)
    address = f"/bonds/{bond.pk}/memory/{doubt.a_node_id}/"

    page = browser(bond.user).get(address).content.decode()
    answer = {"outcome": outcome, "on_memory": ""}
    response = browser(bond.user).post(url(bond, f"{doubt.pk}/settle/"), answer)

    for told in ("It contradicts what you said or wrote.", "You live in Leeds.", "Is it true?", "Not true", "Edit"):
        assert told in page
    assert (response.url, live(bond)) == (address, left)


def test_what_is_written_in_place_of_an_uncertain_fact_settles_its_doubt(bond):
    doubt = doubted(bond)
    written = {"description": "The user lives in York with Jo.", "facet": "about_you", "slot": "home", "value": "York"}

    browser(bond.user).post(f"/bonds/{bond.pk}/memory/{doubt.a_node_id}/change/", written)
    doubt.refresh_from_db()

    assert (live(bond), doubt.outcome) == (["The user lives in York with Jo."], "this")


def test_without_doubts_it_says_so(bond):
    assert "Nothing is uncertain" in browser(bond.user).get(url(bond)).content.decode()


@pytest.mark.parametrize(
    ("outcome", "left"),
    [("this", [YORK]), ("that", [LEEDS]), ("both", [LEEDS, YORK]), ("neither", [])],
)
def test_each_outcome_is_pressed_and_undone(bond, outcome, left):
    doubt = doubted(bond)

    page = press(bond, doubt, outcome).content.decode()
    after = live(bond)
    press(bond, doubt, "undo")

    assert ("Undo" in page, after, live(bond)) == (True, left, [LEEDS])
    assert Doubt.objects.get().state == "open"


@pytest.mark.parametrize(
    ("make", "outcome", "result", "past"),
    [
        (contradiction, "this", "Settled: the other memory is no longer current.", 1),
        (contradiction, "that", "Settled: the other memory is no longer current.", 1),
        (contradiction, "both", "Settled: both memories stay.", 0),
        (contradiction, "neither", "Settled: neither memory is current any more.", 2),
        (ambiguous, "same", "Settled: the two are merged.", 0),
        (ambiguous, "different", "Settled: the two stay separate.", 0),
        (unverified, "this", "Settled: the memory stays.", 0),
        (unverified, "neither", "Settled: the memory is no longer current.", 1),
        (stale, "this", "Settled: the memory stays.", 0),
        (stale, "neither", "Settled: the memory is no longer current.", 1),
    ],
)
def test_what_became_of_it_is_said_and_shown(bond, make, outcome, result, past):
    page = press(bond, make(bond), outcome).content.decode()

    assert (result in page, page.count('class="past"')) == (True, past)


def test_what_was_settled_last_is_the_first_of_what_was_settled(bond):
    doubts = [make(bond) for make in (contradiction, unverified)]
    for minutes, doubt in enumerate(reversed(doubts)):
        with time_machine.travel(NOW + timedelta(minutes=minutes), tick=False):
            page = press(bond, doubt, "this").content.decode()

    assert re.findall(r'id="doubt-(\d+)"', page) == [str(doubt.pk) for doubt in doubts]


@pytest.mark.parametrize("make", [contradiction, unverified, stale])
@pytest.mark.parametrize("outcome", ["this", "neither"])
def test_what_was_settled_is_among_the_changes_whatever_it_was_about(bond, make, outcome):
    doubt = make(bond)
    press(bond, doubt, outcome)
    reader = browser(bond.user)

    pages = [reader.get(f"/bonds/{bond.pk}/memory/changes/"), reader.get(f"/api/bonds/{bond.pk}/memory/writes/")]

    assert [page.status_code for page in pages] == [200, 200]
    assert address_reader(doubt.a_node) in pages[0].content.decode()


def test_it_is_let_be_and_asked_again(bond):
    doubt, states = doubted(bond), []
    for pressed in ("later", "let_be", "reopen", "bogus"):
        press(bond, doubt, pressed)
        states.append(Doubt.objects.get().state)

    assert states == ["open", "let_go", "open", "open"]


def test_a_stranger_finds_nothing(bond):
    doubt = doubted(bond)
    charlie = UserFactory(username="charlie")
    own = BondFactory(user=charlie)

    assert browser(charlie).get(url(bond)).status_code == 404
    assert [press(one, doubt, "this", user=charlie).status_code for one in (bond, own)] == [404, 404]
    assert Doubt.objects.get().state == "open"
