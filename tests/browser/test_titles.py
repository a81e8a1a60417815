"""A chat gets its title while it is open, and a person's own stays."""

import pytest
from playwright.sync_api import expect

from memory.models import Session
from tests.browser import steps
from tests.browser.test_conversation import open_bond
from tests.support.factories import BondFactory


@pytest.mark.usefixtures("worker")
def test_a_chat_is_named_after_its_first_exchange_on_all_open_pages(browse):
    bond = BondFactory(user__username="mara", persona__name="Marian")
    here, elsewhere = open_bond(browse, bond), open_bond(browse, bond)

    steps.say(here, "I planted forty tulips in the garden.")

    for page in (here, elsewhere):
        expect(page.locator(".sessions__title").first).to_have_text("Planted forty tulips in the garden")
        expect(page.locator("[data-rule] [data-title]").first).to_have_text("Planted forty tulips in the garden")
    assert Session.objects.get().auto_title == "Planted forty tulips in the garden"
