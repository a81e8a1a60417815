"""Steps of a person in the browser."""

import re

from django.test import Client
from django.urls import reverse
from playwright.sync_api import Locator, Page, expect

PASSWORD = "a blue kettle sings"


def sign_up(page: Page, name: str) -> None:
    page.goto("/accounts/signup/")
    page.get_by_label(re.compile("^(Username|用户名)$")).fill(name)
    page.locator("[name=password1]").fill(PASSWORD)
    page.locator("[name=password2]").fill(PASSWORD)
    page.locator("main button").click()
    page.wait_for_url(lambda url: "/accounts/" not in url)
    if page.url.endswith("?first"):
        page.get_by_role("link", name=re.compile("^(Try without one|暂不连接)$")).click()
    expect(page.locator("h1")).to_contain_text(name)


def choose(page: Page, character: str) -> None:
    page.goto("/companions/new/")
    page.get_by_role("link", name=character).click()
    page.locator("form.begin button").click()
    wait_until_connected(page)


def begin(browse, name: str, character: str, **options) -> Page:
    """The first chat of a new user with a ready-made character, for tests of what comes after: the forms are sent without the browser."""
    client = Client()
    passwords = {"password1": PASSWORD, "password2": PASSWORD}
    client.post(reverse("account_signup"), {"username": name, **passwords}, follow=True)
    begun = client.post(reverse("ready_companion", args=[character]), {"user": ""})
    page: Page = browse(client=client, **options)
    page.goto(begun["Location"])
    wait_until_connected(page)
    return page


def wait_until_connected(page: Page) -> None:
    expect(page.locator("[data-connection]")).to_have_attribute("data-state", "online")


def say(page: Page, text: str) -> None:
    page.locator("#say").fill(text)
    page.locator("#say").press("Enter")
    expect(page.locator(".message--user:not(.is-pending) [data-text]").last).to_have_text(text)


def expect_announced(page: Page, text: str) -> None:
    """A text was given to screen readers, whatever else was told before or after it."""
    expect(page.locator("[data-announce]").get_by_text(text, exact=True).last).to_be_attached()


def replies(page: Page):
    """Return the stored messages of the persona."""
    return page.locator('.message--persona[id^="message-"]:not([data-streaming]) [data-text]')


def text_of(message: Locator) -> str:
    """Return the text of a message. Its `inner_text` is empty while it is out of sight (content-visibility)."""
    return (message.text_content() or "").strip()
