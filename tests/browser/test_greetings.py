import json

import pytest
from playwright.sync_api import expect

from memory.models import Message
from tests.browser import steps


def shown(page):
    return page.locator("[data-greeting]:visible")


def said(page):
    return page.locator("[data-messages] .message:not(.is-pending) [data-text]")


@pytest.mark.parametrize(
    ("character", "locale", "width", "greeting", "starter"),
    [
        ("marian", "en-GB", 1280, "Up early, or up late?", "What does the mill sound like when it is running?"),
        ("shen-yan", "zh-CN", 360, "外面下雨，我走路来的", "修一页书要花多久？"),
    ],
    ids=["english", "chinese"],
)
def test_another_greeting_is_chosen_before_it_is_answered(browse, character, locale, width, greeting, starter):
    page = steps.begin(browse, "mara", character, locale=locale, viewport={"width": width, "height": 800})
    expect(shown(page)).to_have_count(1)
    first = shown(page).inner_text()
    page.locator("[data-greeting-step='-1']").click()
    expect(page.locator("[data-greeting-count]")).to_have_text("3 / 3")
    page.locator("[data-greeting-step='-1']").click()
    expect(shown(page)).to_contain_text(greeting)
    assert Message.objects.count() == 0
    page.get_by_role("button", name=starter).click()
    expect(page.locator("#say")).to_have_value(starter)

    page.locator("#say").press("Enter")

    expect(said(page).nth(1)).to_have_text(starter)
    expect(said(page).first).to_contain_text(greeting)
    expect(page.locator("[data-beginning]")).to_have_count(0)
    expect(said(page)).to_have_count(3)
    page.reload()
    expect(said(page)).to_have_count(3)
    expect(said(page).first).to_contain_text(greeting)
    expect(page.locator("body")).not_to_contain_text(first.split("\n")[0])


def test_an_answer_that_is_not_sent_yet_keeps_its_greeting(browse, site):
    page = steps.begin(browse, "mara", "marian")
    page.locator("[data-greeting-step='1']").click()
    chosen = shown(page).inner_text().split("\n")[0]
    page.context.set_offline(True)
    page.locator("#say").fill("Hello.")
    page.locator("#say").press("Enter")
    expect(page.locator(".message.is-pending")).to_have_count(2)
    page.context.set_offline(False)

    page.reload()

    expect(said(page).first).to_contain_text(chosen)
    expect(said(page).nth(1)).to_have_text("Hello.")

    # The page was left before it heard that its message is stored.
    expect(said(page)).to_have_count(3)
    [sent] = Message.objects.filter(role=Message.Role.USER)
    waiting = json.dumps([{"client_id": sent.client_id, "content": sent.content}])
    outbox = f"echovessel.outbox.{sent.bond_id}"
    page.evaluate("([key, waiting]) => localStorage.setItem(key, waiting)", [outbox, waiting])
    page.reload()
    page.wait_for_function("key => localStorage.getItem(key) === null", arg=outbox)
    expect(page.locator(".is-pending")).to_have_count(0)
    expect(said(page)).to_have_count(3)


# In the higher one nearly all fits.
@pytest.mark.parametrize("height", [700, 830])
def test_on_a_phone_a_first_chat_begins_with_whom_one_talks_to(browse, height):
    page = steps.begin(browse, "mara", "marian", viewport={"width": 390, "height": height})
    # As where the bar of a browser comes and goes.
    page.set_viewport_size({"width": 390, "height": height - 1})
    page.evaluate("new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))")

    expect(page.locator("[data-beginning] .avatar")).to_be_in_viewport(ratio=1)
    steps.say(page, "Hello.")
    expect(steps.replies(page).last).to_be_in_viewport(ratio=1)
