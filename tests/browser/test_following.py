from playwright.sync_api import expect

from chat.pages.account.model_server import notify_all_bonds
from echovessel.llm import connection
from echovessel.llm.connection import Connection
from personas import editing
from tests.browser.test_conversation import open_bond
from tests.support.factories import NOW, BondFactory, MessageFactory, SessionFactory


def test_an_open_page_follows_its_companion_and_the_model_server(browse):
    bond = BondFactory(user__username="mara", persona__name="Marian")
    MessageFactory(session=SessionFactory(bond=bond, status="closed"), role="persona", content="Hello.")
    page = open_bond(browse, bond)
    voice = page.locator(".offline-voice")
    expect(voice).to_be_visible()
    page.locator("#say").fill("I was going to say")

    editing.change(persona=bond.persona, values={"name": "Ada <b>"}, now=NOW)
    expect(page.locator(".chat__who h1")).to_have_text("Ada <b>")
    expect(page.locator("#say")).to_have_attribute("placeholder", "Message Ada <b>")
    expect(page).to_have_title("Ada <b> · EchoVessel")
    expect(page.get_by_role("region", name="Chat with Ada <b>")).to_be_visible()
    expect(page.locator(".message--persona > .sr-only")).to_have_text("Ada <b>:")

    connection.store(Connection(address="http://127.0.0.1:1/v1", key="", main="tiny"), now=NOW)
    notify_all_bonds()
    expect(voice).to_have_count(0)
    connection.set_enabled(is_on=False, now=NOW)
    notify_all_bonds()
    expect(voice).to_be_visible()

    expect(page.locator("#say")).to_have_value("I was going to say")
    expect(page.locator("[data-connection]")).to_have_attribute("data-state", "online")
