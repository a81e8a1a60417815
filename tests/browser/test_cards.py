import json

from playwright.sync_api import expect

from tests.browser import steps
from tests.echovessel.materials.files import V2, as_json, card_png
from tests.personas.cards.full_card import FULL
from tests.support.factories import UserFactory


def take(page, name, mime, content):
    """Import a card through the form, to the chat."""
    page.goto("/companions/new/material/")
    page.get_by_label("Or choose a file").set_input_files({"name": name, "mimeType": mime, "buffer": content})
    page.get_by_role("button", name="Create a draft").click()
    expect(page.locator("#draft")).to_be_visible()
    page.get_by_role("button", name="Start chatting").click()
    steps.wait_until_connected(page)


def exported(page):
    page.goto(f"{page.url.split('?')[0]}persona/")
    with page.expect_download() as download:
        page.get_by_role("link", name="Card as text (JSON)").click()
    return json.loads(download.value.path().read_text())


def test_a_card_of_version_2_is_imported_talked_with_and_exported_the_same(browse):
    page = browse(UserFactory(username="mara"))
    take(page, "ilse.json", "application/json", as_json(V2))
    expect(page.locator("[data-greeting]:visible")).to_have_text("She looks up. You are early, mara.")
    steps.say(page, "What of Hive Three?")
    expect(steps.replies(page)).to_have_count(2)

    back = exported(page)["data"]

    assert {name: back[name] for name in V2["data"]} == V2["data"]
    page.get_by_role("link", name="Edit lore: 2 entries").click()
    expect(page.get_by_role("heading", name="Hive Three")).to_be_visible()
    expect(page.get_by_text("Not in use.")).to_be_visible()


def test_a_card_of_version_3_in_a_picture_is_imported_and_exported_the_same(browse):
    page = browse(UserFactory(username="mara"))
    take(page, "ilse.png", "image/png", card_png(FULL, keyword=b"ccv3"))
    expect(page.locator(".chat__head .avatar img")).to_be_visible()
    steps.say(page, "Tea?")

    assert exported(page) == FULL
