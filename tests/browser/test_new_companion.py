from playwright.sync_api import expect

from tests.browser import steps
from tests.echovessel.materials.files import V2, card_png
from tests.support.factories import UserFactory

CARD = {"name": "ilse.png", "mimeType": "image/png", "buffer": card_png(V2)}


def test_a_draft_leaves_what_was_typed_and_is_there_on_the_way_back(browse):
    page = browse(UserFactory())
    page.goto("/companions/new/")
    page.get_by_role("link", name="Create from notes or a file").click()
    page.get_by_text("Write some of it yourself").click()
    page.get_by_label("Name", exact=True).fill("Elsa")
    page.get_by_label("Or choose a file").set_input_files(CARD)

    page.get_by_role("button", name="Create a draft").click()

    expect(page.locator("#draft")).to_be_visible()
    expect(page.get_by_label("Name", exact=True)).to_have_value("Elsa")
    expect(page.locator("[data-picture] img")).to_be_visible()
    page.get_by_text("The draft differs here: Name").click()
    page.get_by_role("button", name="Use this").click()
    expect(page.get_by_label("Name", exact=True)).to_have_value("Ilse")
    page.get_by_text("Preview the prompt").click()
    page.get_by_label("How do they speak?").fill("Very dry indeed.")
    expect(page.locator(".preview pre")).to_contain_text("Very dry indeed.")

    page.get_by_role("link", name="New companion").click()
    page.get_by_role("link", name="Create from notes or a file").click()

    expect(page.get_by_label("How do they speak?")).to_have_value("Very dry indeed.")
    expect(page.get_by_label("Name", exact=True)).to_have_value("Ilse")
    page.get_by_role("button", name="Start chatting").click()
    steps.wait_until_connected(page)
    expect(page.locator(".chat__who h1")).to_have_text("Ilse")
    expect(page.locator(".chat__head .avatar img")).to_be_visible()


def test_why_a_file_was_refused_is_in_view_on_a_phone(browse):
    page = browse(UserFactory(), viewport={"width": 390, "height": 844})
    page.goto("/companions/new/?restore")
    page.locator("#id_export").set_input_files({"name": "a.zip", "mimeType": "application/zip", "buffer": b"no zip"})

    page.get_by_role("button", name="Restore").click()

    expect(page.get_by_role("alert")).to_be_in_viewport(ratio=1)


def test_what_is_wrong_with_a_picture_is_seen_above_the_bar_that_saves(page, bond):
    page.goto(f"/bonds/{bond.pk}/persona/")
    page.locator("input[type=file]").set_input_files({"name": "a.png", "mimeType": "image/png", "buffer": b"none"})

    page.locator(".save-bar button").click()

    wrong = page.locator(".field__error")
    expect(wrong).to_be_in_viewport(ratio=1)
    assert wrong.bounding_box()["y"] < page.locator(".save-bar").bounding_box()["y"] - 20
