"""Every page of the list in a real browser. In the short form each once, themes, widths and languages spread over them."""

from itertools import product

import pytest

from tests.browser import looking
from tests.browser.pages import PAGES
from tests.support import sample

THEMES, WIDTHS, LANGUAGES = ("light", "dark"), (1280, 360), ("en-GB", "zh-CN")
MATRIX = list(product(THEMES, WIDTHS, LANGUAGES))


@pytest.fixture
def life(transactional_db):
    return sample.live()


def seen(visit, life, page, theme, width, language):
    tab = visit(page, life, theme=theme, width=width, language=language)
    return looking.hindrances(tab) + looking.overflow(tab, 640, 360) + looking.overflow_of_large_text(tab)


def test_nothing_hinders_on_any_page(visit, life):
    found = {page.name: seen(visit, life, page, *MATRIX[at % len(MATRIX)]) for at, page in enumerate(PAGES)}

    assert {name: hindrances for name, hindrances in found.items() if hindrances} == {}


@pytest.mark.soak
@pytest.mark.parametrize(("theme", "width", "language"), MATRIX)
def test_nothing_hinders_on_any_page_in_any_look(theme, width, language, visit, life):
    found = {page.name: seen(visit, life, page, theme, width, language) for page in PAGES}

    assert {name: hindrances for name, hindrances in found.items() if hindrances} == {}
