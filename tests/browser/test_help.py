import re

from playwright.sync_api import expect

from tests.browser import steps
from tests.support.factories import BondFactory, UserFactory


def test_a_newcomer_is_shown_around_once_and_again_on_wish(browse):
    page = browse()
    steps.sign_up(page, "mara")
    steps.choose(page, "Marian Hale")
    tour = page.get_by_role("region", name="Tour")
    chat = page.locator("[data-chat]")
    # One notice at a time: that no model is connected comes first.
    expect(page.get_by_role("link", name="Connect a model")).to_be_visible()
    expect(page.locator("[data-tour]")).to_be_hidden()
    page.locator("[data-voiceless-close]").click()
    expect(tour.get_by_role("heading")).to_have_text("Say what you like")
    expect(chat).to_have_attribute("data-tour-at", "1")
    # Typing goes on as if it was not there.
    expect(page.locator("#say")).to_be_focused()
    steps.say(page, "Hello there.")

    page.keyboard.press("Shift+Tab")
    expect(tour.get_by_role("button", name="Next", exact=True)).to_be_focused()
    with page.expect_response(lambda answer: answer.request.post_data == "step=2"):
        page.keyboard.press("Enter")
    expect(tour.get_by_role("status")).to_contain_text("See what is remembered")
    page.reload()
    expect(tour.get_by_role("heading")).to_have_text("See what is remembered")

    tour.get_by_role("button", name="Next", exact=True).click()
    expect(chat).to_have_attribute("data-tour-at", "3")
    tour.get_by_role("link", name="How memory works").click()
    page.get_by_role("link", name=re.compile("^Events")).click()
    expect(page).to_have_url(re.compile("#layer-3$"))
    page.get_by_role("button", name="Show the tour").click()
    expect(tour.get_by_role("heading")).to_have_text("Say what you like")
    # The script of the new page says this once it listens to keys.
    expect(chat).to_have_attribute("data-tour-at", "1")
    tour.get_by_role("button", name="Skip").focus()
    with page.expect_response(lambda answer: answer.request.post_data == "step=0"):
        page.keyboard.press("Escape")
    expect(tour).to_have_count(0)
    expect(page.locator("#say")).to_be_focused()
    page.reload()
    steps.wait_until_connected(page)
    expect(tour).to_have_count(0)


def test_on_a_phone_a_newcomer_is_shown_the_same_in_turn(browse):
    phone = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True}
    page = steps.begin(browse, "mara", "marian", **phone)

    expect(page.locator("[data-voiceless]")).to_be_visible()
    expect(page.locator("[data-tour]")).to_be_hidden()
    page.locator("[data-voiceless-close]").tap()
    expect(page.locator("[data-voiceless]")).to_be_hidden()
    expect(page.get_by_role("region", name="Tour").get_by_role("heading")).to_have_text("Say what you like")
    # The keyboard of the phone stays down.
    expect(page.locator("#say")).not_to_be_focused()


def test_how_memory_works_leads_to_the_chosen_companion(browse):
    lin = UserFactory(username="lin", time_zone="Asia/Shanghai")
    BondFactory(user=lin, persona__name="沈砚")
    other = BondFactory(user=lin, persona__name="阿珍")
    page = browse(lin, locale="zh-CN", viewport={"width": 360, "height": 740}, color_scheme="dark")
    page.goto("/how-memory-works/")
    page.get_by_role("combobox").select_option("沈砚")
    page.locator(".whose button").click()
    page.locator("#layer-6").get_by_role("link").click()
    expect(page.locator("h1")).to_contain_text("沈砚")
    page.goto(f"/how-memory-works/?bond={other.pk}")
    expect(page.locator(".back")).to_have_text("阿珍")
    assert page.evaluate("document.documentElement.scrollWidth") == 360
