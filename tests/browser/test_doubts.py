"""What is not certain: each kind with its sides, settled and taken back by presses."""

import pytest
from playwright.sync_api import expect

from memory.models import Doubt
from tests.support import doubts
from tests.support.factories import BondFactory


@pytest.fixture
def bond():
    return BondFactory(user__username="mara", persona__name="Marian")


ENGLISH = {
    "contradiction": ("May not both be true", "The first is right"),
    "ambiguous": ("May be the same", "The same"),
    "unverified": ("Read, but never told", "True"),
    "stale": ("May no longer be true", "No longer true"),
}
CHINESE = {
    "contradiction": ("可能不能同时成立", "第一条对"),
    "ambiguous": ("可能是同一个", "是同一个"),
    "unverified": ("读到过，但你没说过", "是这样"),
    "stale": ("可能已经不是这样了", "不再是这样"),
}


# How many sides each has, and what becomes of it.
SETTLED = {"contradiction": (2, "this"), "ambiguous": (2, "same"), "unverified": (1, "this"), "stale": (1, "neither")}


@pytest.mark.parametrize(
    ("locale", "words", "undo"), [("en-GB", ENGLISH, "Undo"), ("zh-CN", CHINESE, "撤销")], ids=["en", "zh"]
)
def test_each_kind_is_settled_and_taken_back(browse, bond, locale, words, undo):
    opened = {kind: create(bond) for kind, create in doubts.KINDS.items()}
    page = browse(bond.user, locale=locale)
    page.goto(f"/bonds/{bond.pk}/memory/doubts/")
    for kind, (sides, outcome) in SETTLED.items():
        doubt, (word, press) = opened[kind], words[kind]
        row = page.locator(f"#doubt-{doubt.pk}")
        expect(row.locator(".memory__kind").first).to_have_text(word)
        expect(row.locator(".doubt__side")).to_have_count(sides)

        row.get_by_role("button", name=press, exact=True).click()
        expect(row.locator(".actions .soft")).to_have_text(press)
        settled = Doubt.objects.get(pk=doubt.pk).outcome
        row.get_by_role("button", name=undo).click()

        expect(row.get_by_role("button", name=press, exact=True)).to_be_visible()
        assert (settled, Doubt.objects.get(pk=doubt.pk).state) == (outcome, "open"), kind
