import re

from playwright.sync_api import expect

from memory.models import Message
from tests.browser import steps

BEGINNING = re.compile(r"/api/bonds/\d+/sessions/$")


def hold_beginning(page):
    held = []

    def hold(route):
        held.append(route)

    page.route(BEGINNING, hold)
    return held


def say_at_once(page, text):
    page.locator("[data-off-record-begin]").click()
    page.locator("#say").fill(text)
    page.locator("#say").press("Enter")


def test_what_is_said_while_an_off_record_chat_begins_waits_for_it(page):
    held = hold_beginning(page)

    say_at_once(page, "Between us.")
    expect(page.locator("#say")).to_have_value("")
    assert not Message.objects.exists()
    held[0].continue_()

    expect(steps.replies(page)).to_have_count(1)
    assert Message.objects.get(role="user").session.off_record


def test_what_is_said_goes_back_where_an_off_record_chat_does_not_begin(page):
    held = hold_beginning(page)

    say_at_once(page, "Between us.")
    expect(page.locator("#say")).to_have_value("")
    held[0].abort()

    expect(page.locator("[data-trouble]")).to_be_visible()
    expect(page.locator("#say")).to_have_value("Between us.")
    assert not Message.objects.exists()


def test_what_is_said_while_a_chat_begins_is_not_lost_with_its_page(page):
    hold_beginning(page)

    say_at_once(page, "Between us.")
    expect(page.locator("#say")).to_have_value("")
    later = page.context.new_page()
    later.goto(page.url)

    expect(later.locator("#say")).to_have_value("Between us.")
