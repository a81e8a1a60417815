"""Messages that are kept with a note, and chats that end with their last tab."""

from datetime import timedelta

import pytest
from django.db import connection
from django.utils import timezone
from playwright.sync_api import expect

from memory.models import Session
from memory.sessions import leaving
from tests.browser import steps
from tests.browser.test_conversation import open_bond
from tests.browser.test_messages import press
from tests.support.factories import BondFactory, MessageFactory, SessionFactory


@pytest.fixture
def bond():
    return BondFactory(user__username="mara", persona__name="Marian")


def said(bond, *lines):
    session = SessionFactory(bond=bond, status="closed", message_count=len(lines))
    return [MessageFactory(session=session, content=line, role=role) for role, line in lines]


def test_a_message_is_kept_noted_found_and_let_go(browse, bond):
    [line, reply] = said(bond, ("user", "We planted forty tulips."), ("persona", "In one day!"))
    here, elsewhere = open_bond(browse, bond), open_bond(browse, bond)
    kept = f"#message-{reply.pk} [data-kept]"
    expect(here.locator(kept)).to_be_hidden()

    press(here, here.locator(f"#message-{reply.pk}"), "keep")
    for page in (here, elsewhere):
        expect(page.locator(kept)).to_be_visible()
        expect(page.locator(f"#message-{line.pk} [data-kept]")).to_be_hidden()
    press(here, here.locator(f"#message-{reply.pk}"), "note")
    here.get_by_label("Note").fill("The garden, <at last>.")
    here.get_by_role("button", name="Save").click()
    for page in (here, elsewhere):
        expect(page.locator(kept)).to_have_text("The garden, <at last>.")
    here.reload()
    expect(here.locator(kept)).to_have_text("The garden, <at last>.")

    here.goto(f"/bonds/{bond.pk}/memory/kept/")
    expect(here.locator(".kept__note")).to_have_text("The garden, <at last>.")
    here.get_by_role("button", name="Edit note").or_(here.locator("summary", has_text="Edit note")).first.click()
    here.get_by_label("Note").fill("Our garden.")
    here.get_by_role("button", name="Save").click()
    expect(here.locator(".kept__note")).to_have_text("Our garden.")
    expect(elsewhere.locator(kept)).to_have_text("Our garden.")
    here.get_by_role("link", name="In one day!").click()
    expect(here.locator(f"#message-{reply.pk}")).to_be_in_viewport()

    press(elsewhere, elsewhere.locator(f"#message-{reply.pk}"), "letGo")
    for page in (here, elsewhere):
        expect(page.locator(kept)).to_be_hidden()
    elsewhere.locator("[data-toast-undo]:visible").click()
    for page in (here, elsewhere):
        expect(page.locator(kept)).to_have_text("Our garden.")
    here.goto(f"/bonds/{bond.pk}/memory/kept/")
    here.get_by_role("button", name="No longer keep").click()
    expect(here.get_by_role("heading", name="Nothing kept yet")).to_be_visible()


def test_what_is_off_the_record_is_not_kept(browse, bond):
    page = open_bond(browse, bond)
    page.locator("[data-off-record-begin]").click()
    steps.say(page, "Between us.")
    # Until the message is stored its row is another one, which would take the focus along.
    expect(steps.replies(page)).to_have_count(1)

    page.locator(".message--user .message__more").last.focus()
    page.keyboard.press("Enter")

    expect(page.locator("#message-menu [data-act=copy]")).to_be_visible()
    expect(page.locator("#message-menu [data-act=keep]")).to_be_hidden()


def left(bond):
    return Session.objects.get(bond=bond).left_at is not None


def until_left(page, bond, *, is_left):
    """Wait for what a closed or opened page tells the server."""
    for _ in range(400):
        if left(bond) is is_left:
            return
        page.wait_for_timeout(100)
    assert left(bond) is is_left


def test_a_chat_ends_with_its_last_tab_and_not_with_a_reload_or_one_of_two(browse, bond):
    first = open_bond(browse, bond)
    steps.say(first, "We planted forty tulips.")
    expect(steps.replies(first)).to_have_count(1)
    second = first.context.new_page()
    second.goto(f"/bonds/{bond.pk}/")
    steps.wait_until_connected(second)
    bystander = first.context.new_page()
    Session.objects.update(held_until=None)

    first.close()
    bystander.wait_for_timeout(1000)
    after_one_of_two = left(bond)

    def let_the_last_word_go_first(route):
        until_left(bystander, bond, is_left=True)
        # Playwright runs this in a context of its own, where Django opened a connection of its own.
        connection.close()
        route.continue_()

    # Where it came after the new page has opened, that page would clear it within 30 seconds (`tests/chat/live/test_consumers.py`).
    second.route("**/js/conversation/main*.js", let_the_last_word_go_first)
    second.reload()
    steps.wait_until_connected(second)
    until_left(bystander, bond, is_left=False)
    # As its closing does, and a browser ends a closed tab that is slow to say its last word.
    second.goto("about:blank")
    until_left(bystander, bond, is_left=True)

    assert after_one_of_two is False
    assert leaving.close_left(now=timezone.now() + timedelta(seconds=60)) == 0
    assert leaving.close_left(now=timezone.now() + timedelta(seconds=121)) == 1
    session = Session.objects.get()
    assert (session.status, session.close_reason) == ("closing", "left")


def test_a_chat_in_which_nothing_was_said_is_left_as_it_is(browse, bond):
    page = open_bond(browse, bond)
    page.locator("[data-new-chat]").click()
    expect(page.locator("[data-rule]")).to_have_count(1)
    bystander = page.context.new_page()

    page.close()
    bystander.wait_for_timeout(1000)

    assert left(bond) is False
