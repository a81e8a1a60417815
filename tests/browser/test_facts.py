"""What is noted while one talks: a line at its place in the reply, on every page, and its undo."""

import re

import pytest
from django.utils import timezone
from playwright.sync_api import expect

from memory.facts import acts, undoing
from memory.serializers import timeline
from tests.browser import steps
from tests.browser.test_conversation import open_bond
from tests.support import facts
from tests.support.factories import BondFactory, ConceptNodeFactory


@pytest.fixture
def bond():
    return BondFactory(user__username="mara", persona__name="Marian")


def test_a_fact_is_noted_before_the_reply_ends_opened_and_undone_on_two_pages(browse, bond):
    here, elsewhere = open_bond(browse, bond), open_bond(browse, bond)

    steps.say(here, "Remember that I can't eat nuts")
    for page in (here, elsewhere):
        line = page.locator(".message--persona [data-write]")
        expect(line.locator("summary")).to_contain_text(re.compile(r"Remembered\s+.+nuts"))
        expect(steps.replies(page)).to_contain_text("nuts")
    # A screen reader hears of it by its line alone.
    expect(here.locator("#memory .memory--fact")).to_be_visible()
    expect(here.locator("[data-announce]")).to_contain_text("Remembered")
    expect(here.locator("[data-memory-news]")).to_be_empty()
    # What is said next is of the same chat, so no other one is announced above it.
    rules = elsewhere.locator("[data-rule]").count()
    steps.say(elsewhere, "It is late.")
    expect(steps.replies(elsewhere)).to_have_count(2)
    expect(elsewhere.locator("[data-rule]")).to_have_count(rules)
    here.reload()
    line = here.locator(".message--persona [data-text] [data-write]")
    line.locator("summary").click()
    expect(line).to_contain_text("you said it")
    line.get_by_role("button", name="Undo").press("Enter")

    expect(here.locator("[data-write] summary")).to_be_focused()
    for page in (here, elsewhere):
        line = page.locator("[data-write]")
        expect(line.locator("summary")).to_contain_text("Undone")
        expect(line.locator("summary")).not_to_contain_text("nuts")
    assert facts.live(bond) == []


def test_what_moves_up_in_the_timeline_is_no_news(browse, bond):
    ConceptNodeFactory.create_batch(timeline.PAGE, bond=bond)
    write = facts.save(bond)
    page = open_bond(browse, bond)
    entries = page.locator("#memory .memory--event")
    expect(entries).to_have_count(timeline.PAGE - 1)

    undoing.undo(write=write, now=timezone.now())

    expect(entries).to_have_count(timeline.PAGE)
    expect(page.locator("#memory .is-new")).to_have_count(0)
    expect(page.locator("[data-memory-news]")).to_be_empty()


def test_a_changed_fact_is_asked_for_by_its_chip_and_stands_as_history(browse, bond):
    old = acts.save(bond=bond, draft=facts.home(), writer=facts.writer()).node
    page = open_bond(browse, bond)
    page.goto(f"/bonds/{bond.pk}/memory/{old.pk}/")
    page.get_by_text("More", exact=True).click()
    page.get_by_role("link", name="Ask to change").click()
    steps.wait_until_connected(page)
    chip = page.locator("[data-about]")
    expect(chip).to_contain_text("You live in Leeds.")

    steps.say(page, "I moved to York")

    expect(chip).to_have_count(0)
    line = page.locator("[data-write]")
    expect(line.locator("summary")).to_contain_text(re.compile(r"Changed\s+.+York"))
    line.locator("summary").click()
    expect(line).to_contain_text("You live in Leeds.")
    expect(steps.replies(page)).to_have_count(1)
    line.get_by_role("link", name="Open in memory").click()
    expect(page.locator(".chain .past")).to_have_text("You live in Leeds.")
    assert bond.messages.order_by("id").first().about_id == old.pk


def test_what_a_close_learned_is_counted_on_an_open_page(browse, bond):
    page = open_bond(browse, bond)
    steps.say(page, "It is late.")
    expect(steps.replies(page)).to_have_count(1)
    session = bond.sessions.get()
    learned = page.locator(f'[data-rule="{session.pk}"] [data-learned]')
    expect(learned).to_be_empty()

    at_close = facts.job(session=session, now=timezone.now())
    facts.save(bond, by=at_close)
    write = facts.save(bond, facts.LEEDS, by=at_close)
    expect(learned.get_by_role("link", name="2 facts learned")).to_be_visible()
    undoing.undo(write=write, now=timezone.now())

    expect(learned.get_by_role("link", name="one fact learned")).to_be_visible()
