"""What is there to a browser that runs no scripts: nothing that does nothing when it is pressed."""

import pytest
from playwright.sync_api import expect

from tests.support.factories import BondFactory, MessageFactory, SessionFactory


@pytest.fixture
def page(browse):
    bond = BondFactory(user__username="mara", persona__name="Marian")
    MessageFactory(session=SessionFactory(bond=bond), content="I moved to York.")
    page = browse(bond.user, java_script_enabled=False)
    page.goto(f"/bonds/{bond.pk}/")
    return page


def test_a_chat_can_be_read_and_says_what_it_needs(page):
    expect(page.get_by_text("I moved to York.")).to_be_visible()
    expect(page.locator("noscript .notice")).to_be_visible()
    for useless in ("#say", "[data-new-chat]", "[data-connection]", "[data-tour]", ".message__more"):
        expect(page.locator(useless)).to_be_hidden()


def test_settings_and_menu_offer_what_works(page):
    page.goto("/settings/")
    page.locator(".menu summary").click()

    expect(page.get_by_role("heading", name="Profile")).to_be_visible()
    expect(page.get_by_role("link", name="How memory works").first).to_be_visible()
    for useless in ("Appearance", "Find anything", "Keyboard shortcuts"):
        expect(page.get_by_text(useless, exact=True).filter(visible=True)).to_have_count(0)
