from datetime import timedelta

import pytest
from django.utils import timezone
from playwright.sync_api import expect

from tests.browser import steps
from tests.browser.test_conversation import open_bond
from tests.support.factories import BondFactory, MessageFactory, SessionFactory


@pytest.fixture
def bond():
    """A bond with a long session of yesterday and an open one."""
    bond = BondFactory(user__username="mara")
    yesterday = timezone.now() - timedelta(days=1)
    closed = SessionFactory(bond=bond, status="closed", title="Cats", message_count=60)
    for n in range(60):
        MessageFactory(session=closed, content=f"line {n}", role=("user", "persona")[n % 2], created_at=yesterday)
    return bond


def rules(page):
    return page.locator(".rule [data-title]")


def current(page):
    return page.locator("[data-session-link][aria-current]")


def test_a_new_chat_is_shown_to_who_reads_far_above_and_stays_shown(browse, bond):
    page, other = open_bond(browse, bond), open_bond(browse, bond)
    page.get_by_text("line 12", exact=True).scroll_into_view_if_needed()
    expect(page.locator("[data-to-end]")).to_be_visible()

    page.get_by_role("button", name="New chat").click()

    for one in (page, other):
        expect(rules(one).last).to_have_text("New chat")
        expect(rules(one).last).to_be_in_viewport()
        expect(current(one)).to_have_text("New chat")
    steps.expect_announced(page, "New chat")
    expect(page.locator("#say")).to_be_focused()
    page.reload()
    expect(rules(page).last).to_have_text("New chat")
    expect(rules(page).last).to_be_in_viewport()
    expect(current(page)).to_have_text("New chat")


def test_asked_for_once_more_it_is_the_same_one(browse, bond):
    page = open_bond(browse, bond)
    page.get_by_role("button", name="New chat").click()
    expect(rules(page)).to_have_text(["New chat"])
    page.get_by_text("line 30", exact=True).scroll_into_view_if_needed()
    expect(rules(page).last).not_to_be_in_viewport()

    page.keyboard.press("Control+k")

    expect(rules(page).last).to_be_in_viewport()
    expect(rules(page).filter(has_text="New chat")).to_have_count(1)


def test_its_first_message_stands_under_its_rule_and_its_day_above_both(browse, bond):
    page = open_bond(browse, bond)
    page.get_by_role("button", name="New chat").click()
    expect(rules(page).last).to_have_text("New chat")

    steps.say(page, "Good morning.")

    for _ in range(2):
        items = page.locator("[data-messages] > li")
        expect(page.locator(".message--persona[id^=message-]:last-child")).to_be_visible()
        order = [name.split()[0] for name in items.evaluate_all("all => all.map((one) => one.className)")]
        assert order[-4:] == ["day", "rule", "message", "message"]
        expect(current(page)).to_have_text("This chat")
        page.reload()
        steps.wait_until_connected(page)
