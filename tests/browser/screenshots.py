"""Screenshots of every page, and of what opens on them: `make screenshots` writes them to screenshots/.

This is no test, so no test run collects it.
"""

from collections.abc import Callable
from itertools import product

import pytest
from django.conf import settings
from playwright.sync_api import Page, expect

from tests.browser import looking, steps
from tests.browser.pages import ADA, NOBODY, PAGES
from tests.browser.pages import Page as Listed
from tests.support import sample

FOLDER = settings.BASE_DIR / "screenshots"
WIDTHS = {1280: 800, 360: 740}
LANGUAGES = {"en-GB": "", "zh-CN": ".zh"}
BY_NAME = {page.name: page for page in PAGES}
ADMIN = {
    "admin": "/admin/",
    "admin-memories": "/admin/memory/event/",
    "admin-turns": "/admin/chat/turn/",
    "admin-ledger": "/admin/echovessel/ledgerentry/",
}


@pytest.fixture
def life(transactional_db):
    return sample.live()


def shoot(page: Page, name: str, *, is_whole: bool) -> None:
    looking.wait_until_loaded(page)
    if is_whole:
        # What stands fixed or sticks is pictured where the page is scrolled to.
        page.evaluate("scrollTo({top: 0, behavior: 'instant'})")
    page.wait_for_timeout(150)
    page.screenshot(path=FOLDER / f"{name}.png", full_page=is_whole)


def opened(visit, page: Listed, life, theme: str):
    """Open a page in each width and language, and tell how a picture of it is named."""
    FOLDER.mkdir(exist_ok=True)
    for width, language in product(WIDTHS, LANGUAGES):
        tab = visit(page, life, width=width, theme=theme, language=language)
        tab.set_viewport_size({"width": width, "height": WIDTHS[width]})
        yield tab, f"{width}.{theme}{LANGUAGES[language]}"


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_pictures_of_every_page(theme, visit, life):
    for page in PAGES:
        for tab, how in opened(visit, page, life, theme):
            # A conversation is as high as the window.
            is_whole = page.route != "bond" or page.reader == NOBODY
            shoot(tab, f"{page.name.replace(' ', '-')}.{how}", is_whole=is_whole)


def press(*keys: str) -> Callable[[Page], None]:
    def act(page: Page) -> None:
        page.locator("[data-conversation]").focus()
        for key in keys:
            page.keyboard.press(key)
        expect(page.locator("dialog[open]")).to_be_visible()

    return act


def open_palette(page: Page) -> None:
    press("Control+Shift+k")(page)
    expect(page.locator("#palette [role=option]").first).to_be_visible()


def find(page: Page) -> None:
    open_palette(page)
    page.keyboard.type("nimbus")
    expect(page.locator("#palette [role=option]", has_text="Nimbus").first).to_be_visible()


def click(selector: str) -> Callable[[Page], None]:
    return lambda page: page.locator(selector).first.click()


def choose(role: str, act: str) -> Callable[[Page], None]:
    """Choose in the menu of the newest message of one side."""

    def do(page: Page) -> None:
        page.locator(f".message--{role}").last.locator(".message__more").click()
        if act:
            page.locator(f"#message-menu [data-act={act}]").click()
            expect(page.locator("dialog[open]")).to_be_visible()

    return do


def open_side(name: str, *then: str) -> Callable[[Page], None]:
    def do(page: Page) -> None:
        if page.evaluate("innerWidth") < 700:
            page.locator(f"[data-drawer={name}]").click()
        for selector in then:
            page.locator(selector).first.click()

    return do


def fail_to_sign_in(page: Page) -> None:
    page.locator("[name=login]").fill("lin")
    page.locator("[name=password]").fill("wrong")
    page.locator("main button").click()
    expect(page.get_by_role("alert")).to_be_visible()


CHAT = BY_NAME["bond"]
# What opens on a page, and how.
PARTS: dict[str, tuple[Listed, Callable[[Page], None]]] = {
    "part-palette": (CHAT, open_palette),
    "part-palette-found": (CHAT, find),
    "part-shortcuts": (CHAT, press("?")),
    "part-switcher": (CHAT, click(".switcher > summary")),
    "part-no-model": (CHAT, click(".offline-voice > summary")),
    "part-message-menu": (CHAT, choose("user", "")),
    "part-edit": (CHAT, choose("user", "edit")),
    "part-delete": (CHAT, choose("user", "forget")),
    "part-note": (CHAT, choose("user", "note")),
    "part-why": (CHAT, choose("persona", "why")),
    "part-chats": (CHAT, open_side("sessions")),
    "part-chat-menu": (CHAT, open_side("sessions", "[id^=more-]")),
    "part-scenes": (CHAT, open_side("sessions", "#list-scenes")),
    "part-timeline": (CHAT, open_side("memory")),
    "part-account-menu": (BY_NAME["home companions"], click(".topbar summary")),
    "part-wrong-password": (BY_NAME["account_login"], fail_to_sign_in),
    "part-filters": (BY_NAME["memories"], click(".filters > summary")),
    "part-selected": (BY_NAME["memories"], click(".mark input")),
    "part-source": (BY_NAME["memories"], click(".memory summary")),
    "part-add-fact": (BY_NAME["facts"], click(".fact-form > summary")),
    "part-edit-story": (BY_NAME["story"], click(".story-acts summary")),
    "part-story-settings": (BY_NAME["story"], click(".story-acts summary >> nth=-1")),
    "part-edit-lore": (BY_NAME["lore"], click(".panel .reveal > summary")),
    "part-correct": (BY_NAME["memory"], click(".one__acts > details > summary")),
    "part-new-token": (BY_NAME["settings"], click("#tokens summary")),
}


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_pictures_of_what_opens(theme, visit, life):
    for name, (page, act) in PARTS.items():
        for tab, how in opened(visit, page, life, theme):
            if page is CHAT:
                steps.wait_until_connected(tab)
            act(tab)
            shoot(tab, f"{name}.{how}", is_whole=page is not CHAT)


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_pictures_of_the_admin(theme, visit, life):
    for tab, how in opened(visit, Listed("model", ADA), life, theme):
        for name, address in ADMIN.items():
            tab.goto(address)
            shoot(tab, f"{name}.{how}", is_whole=False)
