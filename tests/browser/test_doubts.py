"""What is not certain: each kind with its sides, settled and taken back by presses."""

import pytest
from playwright.sync_api import expect

from memory.models import Doubt
from tests.support import doubts
from tests.support.factories import BondFactory


@pytest.fixture
def bond():
    return BondFactory(user__username="mara", persona__name="Marian")


@pytest.mark.parametrize(
    ("kind", "word", "sides", "press", "outcome"),
    [
        ("contradiction", "May not both hold", 2, "The first holds", "this"),
        ("ambiguous", "May be the same", 2, "The same", "same"),
        ("unverified", "Read, but never told", 1, "It is so", "this"),
        ("stale", "May not hold any more", 1, "No longer so", "neither"),
    ],
)
def test_each_kind_is_settled_and_taken_back(browse, bond, kind, word, sides, press, outcome):
    doubt = doubts.KINDS[kind](bond)
    page = browse(bond.user)
    page.goto(f"/bonds/{bond.pk}/memory/doubts/")
    row = page.locator(f"#doubt-{doubt.pk}")
    expect(row.locator(".memory__kind").first).to_have_text(word)
    expect(row.locator(".doubt__side")).to_have_count(sides)

    row.get_by_role("button", name=press, exact=True).click()
    expect(row.locator(".badge")).to_have_text(press)
    settled = Doubt.objects.get().outcome
    row.get_by_role("button", name="Undo").click()

    expect(row.get_by_role("button", name=press, exact=True)).to_be_visible()
    assert (settled, Doubt.objects.get().state) == (outcome, "open")
