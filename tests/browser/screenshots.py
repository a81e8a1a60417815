"""Screenshots of every page: `make screenshots` writes them to screenshots/. This is no test, so no test run collects it."""

from itertools import product

import pytest
from django.conf import settings
from playwright.sync_api import Page

from tests.browser import looking
from tests.browser.pages import NOBODY, PAGES
from tests.support import sample

FOLDER = settings.BASE_DIR / "screenshots"
WIDTHS = {1280: 800, 360: 740}
# Also in Chinese: one of each kind.
ALSO_IN_CHINESE = {"home", "home companions", "bond", "memories", "memory", "persona", "settings", "account_login"}


@pytest.fixture
def life(transactional_db):
    return sample.live()


def shoot(page: Page, name: str, *, is_whole: bool) -> None:
    looking.wait_until_loaded(page)
    page.wait_for_timeout(150)
    page.screenshot(path=FOLDER / f"{name}.png", full_page=is_whole)


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_pictures_of_every_page(theme, visit, life):
    FOLDER.mkdir(exist_ok=True)
    for page, width in product(PAGES, WIDTHS):
        languages = ["en-GB", "zh-CN"] if page.name in ALSO_IN_CHINESE else ["en-GB"]
        for language in languages:
            tab = visit(page, life, width=width, theme=theme, language=language)
            tab.set_viewport_size({"width": width, "height": WIDTHS[width]})
            name = f"{page.name.replace(' ', '-')}.{width}.{theme}{'.zh' if language == 'zh-CN' else ''}"
            # A conversation is as high as the window.
            shoot(tab, name, is_whole=page.route != "bond" or page.reader == NOBODY)
