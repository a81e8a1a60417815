import pytest
from playwright.sync_api import expect

from memory.models import Session
from tests.browser import steps
from tests.browser.test_conversation import open_bond
from tests.support.dumping import tables_with
from tests.support.factories import BondFactory, MessageFactory, SessionFactory


def notice(page):
    return page.locator("[data-off-record]")


def test_a_session_off_the_record_is_shown_on_every_page_until_it_ends_and_is_gone(browse):
    bond = BondFactory()
    MessageFactory(session=SessionFactory(bond=bond, status="closed"), content="This may be known.")
    first, second = open_bond(browse, bond), open_bond(browse, bond)
    expect(notice(first)).to_be_hidden()

    first.get_by_role("button", name="Chat off the record").click()
    for page in (first, second):
        expect(notice(page)).to_be_visible()
    steps.say(first, "Zymurgy, between us.")
    expect(steps.replies(second)).to_have_count(1)
    first.reload()
    steps.wait_until_connected(first)
    expect(notice(first)).to_be_visible()
    expect(first.locator("[data-messages]")).to_contain_text("Zymurgy")
    expect(steps.replies(first)).to_have_count(1)
    second.get_by_role("button", name="End and erase").click()

    for page in (first, second):
        expect(notice(page)).to_be_hidden()
        expect(page.locator("[data-messages]")).not_to_contain_text("Zymurgy")
        expect(page.locator("[data-messages]")).to_contain_text("This may be known.")
    assert tables_with("Zymurgy") == []


def rules(page):
    return page.locator(".rule [data-title]")


@pytest.mark.parametrize("loads", [0, 1, 2])
def test_what_is_said_after_its_end_stands_under_no_rule_of_it(browse, loads):
    bond = BondFactory()
    MessageFactory(session=SessionFactory(bond=bond, status="closed"), content="This may be known.")
    page = open_bond(browse, bond)
    page.get_by_role("button", name="Chat off the record").click()
    expect(notice(page)).to_be_visible()
    expect(rules(page).last).to_have_text("Off the record")
    for _ in range(loads):
        page.reload()
        steps.wait_until_connected(page)
        expect(rules(page).last).to_have_text("Off the record")

    page.get_by_role("button", name="End and erase").click()
    expect(notice(page)).to_be_hidden()
    steps.say(page, "For the record.")

    expect(rules(page)).to_have_text(["New chat", "New chat"])
    page.reload()
    expect(rules(page)).to_have_text(["New chat", "New chat"])
    assert Session.objects.get(messages__content="For the record.").off_record is False


def test_what_is_said_in_it_after_a_reload_stands_under_its_rule(browse):
    bond = BondFactory()
    MessageFactory(session=SessionFactory(bond=bond, status="closed"), content="This may be known.")
    first, second = open_bond(browse, bond), open_bond(browse, bond)
    first.get_by_role("button", name="Chat off the record").click()
    expect(notice(first)).to_be_visible()
    first.reload()
    steps.wait_until_connected(first)

    steps.say(first, "Zymurgy, between us.")

    for page in (first, second):
        expect(page.locator("[data-messages]")).to_contain_text("Zymurgy")
        expect(rules(page)).to_have_text(["New chat", "Off the record"])
        expect(notice(page)).to_be_visible()
