"""The palette and the shortcuts by keyboard alone."""

import re

from playwright.sync_api import expect

from tests.browser import looking
from tests.support.factories import (
    BondFactory,
    ConceptNodeFactory,
    MessageFactory,
    SessionFactory,
)


def world():
    bond = BondFactory(user__username="mara", user__time_zone="UTC", persona__name="Marian")
    BondFactory(user=bond.user, persona__name="Teo")
    session = SessionFactory(bond=bond, status="closed", title="The waltz", message_count=1)
    MessageFactory(session=session, content="I played the waltz.")
    ConceptNodeFactory(bond=bond, description="Mara played the waltz at the audition.")
    return bond


def chosen(page):
    return page.locator("#palette [aria-selected=true]")


def test_everything_is_found_and_reached_by_keys_alone(browse):
    bond = world()
    page = browse(bond.user)
    page.goto(f"/bonds/{bond.pk}/")
    page.locator("#say").focus()
    page.keyboard.press("Control+Shift+k")
    field = page.get_by_role("combobox", name="Find companions")
    expect(field).to_be_focused()
    expect(chosen(page)).to_contain_text("Marian")
    for theme in "light", "dark":
        page.emulate_media(color_scheme=theme, reduced_motion="reduce")
        assert not looking.violations(page)
    page.keyboard.press("ArrowDown")
    expect(chosen(page)).to_contain_text("Teo")
    expect(field).to_have_attribute("aria-activedescendant", re.compile("^palette-"))
    page.keyboard.press("ArrowUp")
    page.keyboard.press("ArrowUp")
    expect(chosen(page)).to_contain_text("Sign out")

    page.keyboard.type("audition")
    expect(chosen(page)).to_contain_text("Mara played the waltz")
    # So Safari ends a word of an input method.
    field.evaluate(
        "one => one.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', keyCode: 229, bubbles: true }))"
    )
    expect(field).to_be_focused()
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile(r"/memory/\d+/$"))
    page.wait_for_load_state()

    page.keyboard.press("Control+Shift+k")
    expect(field).to_be_focused()
    page.keyboard.type("dark")
    expect(chosen(page)).to_contain_text("Appearance: dark")
    page.keyboard.press("Enter")
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    expect(page.locator("#palette")).to_be_hidden()

    page.keyboard.press("Control+Shift+k")
    expect(field).to_be_focused()
    page.keyboard.type("new chat")
    expect(chosen(page)).to_contain_text("New chat")
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile(rf"/bonds/{bond.pk}/$"))


def test_the_list_of_shortcuts_opens_by_its_key_but_not_while_one_types(browse):
    bond = world()
    page = browse(bond.user, viewport={"width": 360, "height": 640}, locale="zh-CN", color_scheme="dark")
    page.goto(f"/bonds/{bond.pk}/")
    page.locator("#say").focus()
    page.keyboard.type("?")
    expect(page.locator("#say")).to_have_value("?")
    expect(page.locator("#shortcuts")).to_be_hidden()

    page.locator("[data-conversation]").focus()
    page.keyboard.press("?")
    expect(page.get_by_role("heading", name="键盘快捷键")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator("#shortcuts")).to_be_hidden()
    expect(page.locator("[data-conversation]")).to_be_focused()


def test_a_search_that_fails_says_so(browse):
    bond = world()
    page = browse(bond.user)
    page.goto(f"/bonds/{bond.pk}/")
    page.route(re.compile(r"/palette/\?"), lambda route: route.fulfill(status=429))
    page.keyboard.press("Control+Shift+k")

    expect(page.locator("[data-palette-said]")).to_have_text("That did not work. Try again.")
