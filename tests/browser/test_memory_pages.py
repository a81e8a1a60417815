"""That the tabs of memory share one grid, begin early on a phone, and offer to forget only what is selected."""

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from tests.support import sample

TABS = ("memories", "facts", "fact_changes", "kept", "trash", "memory_words")
# Where a row's parts begin, and where its text ends.
EDGES = """() => {
  const [sign, body] = ["sign", "body"].map((part) => document.querySelector(`.remembered .memory > .memory__${part}`).getBoundingClientRect());
  return [sign.left, body.left, body.right].map(Math.round);
}"""
FIRST = "document.querySelector('.memory-list :is(.memory, .fact-group, .people, .pair, .panel, p, li, .blank)')"


@pytest.fixture
def life(transactional_db):
    return sample.live()


def address(life, name):
    query = "?q=a" if name == "memory_words" else ""
    return reverse(name, args=[life.bond.pk]) + query


def test_all_tabs_share_one_grid_and_begin_within_200_px_on_a_phone(life, browse):
    page = browse(life.mara)
    found, late = {}, {}
    for name in (*TABS, "people", "mood", "doubts"):
        page.set_viewport_size({"width": 1280, "height": 800})
        page.goto(address(life, name))
        if name in TABS and page.locator(".remembered").count():
            found[name] = page.evaluate(EDGES)
        page.set_viewport_size({"width": 360, "height": 640})
        top = page.evaluate(f"{FIRST}.getBoundingClientRect().top")
        if top > 200:
            late[name] = top

    assert (len(found) >= 4, len({tuple(edges) for edges in found.values()})) == (True, 1), found
    assert late == {}
    # Where the system sets the colours, no ground tells which tab is open.
    page.goto(address(life, "facts"))
    page.emulate_media(forced_colors="active")
    expect(page.locator(".tabs [aria-current]")).to_have_css("outline-style", "solid")


def test_forgetting_is_offered_from_the_first_tick_and_counts(life, browse):
    page = browse(life.mara)
    page.goto(address(life, "memories"))
    forget = page.get_by_role("button", name="Forget selected")
    expect(forget).to_be_hidden()

    boxes = page.locator(".mark input")
    boxes.nth(0).check()
    boxes.nth(2).check()
    expect(forget).to_be_visible()
    assert page.evaluate("getComputedStyle(document.querySelector('.selection__count'), '::before').content") != "none"
    forget.click()
    expect(page.locator("h2, .soft").first).to_be_visible()
    expect(page).to_have_url(reverse("forget_many", args=[life.bond.pk]))


def test_the_search_of_every_tab_looks_at_everything(life, browse):
    page = browse(life.mara, viewport={"width": 360, "height": 640})
    page.goto(address(life, "trash"))
    page.get_by_role("searchbox", name="Search all messages and memories").fill("waltz")
    page.keyboard.press("Enter")

    expect(page.get_by_label("Search results").locator("mark").first).to_have_text("waltz")
    expect(page.get_by_role("searchbox", name="Search all messages and memories")).to_have_value("waltz")
