import pytest
from playwright.sync_api import expect

from tests.browser import steps

DIARY = "I am a nurse and I work in Graz.\n\nMy sister Ruth got engaged yesterday! I cried with joy when she told me."


@pytest.mark.usefixtures("worker")
def test_a_diary_is_brought_along_read_and_a_line_of_it_accepted(browse):
    page = steps.begin(browse, "mara", "marian")

    page.get_by_label("Memory pages").get_by_role("link", name="Import").click()
    page.locator("input[type=file]").set_input_files(
        {"name": "diary.txt", "mimeType": "text/plain", "buffer": DIARY.encode()}
    )
    page.get_by_role("button", name="Preview import").click()
    expect(page.locator(".facts")).to_contain_text("Pieces to read")
    page.get_by_role("button", name="Start import").click()

    expect(page.locator(".import__state strong")).to_have_text("Imported")
    expect(page.locator(".piece__quote").filter(has_text="My sister Ruth got engaged yesterday!")).to_be_visible()
    proposal = page.locator(".proposal")
    expect(proposal).to_have_count(1)
    proposal.get_by_role("button", name="Add").click()
    expect(page.locator(".proposal__done")).to_have_text("Added")
    page.reload()
    expect(page.locator(".proposal__done")).to_have_text("Added")

    page.locator(".back").click()
    page.locator(".imports a").click()
    expect(page.locator("h1")).to_have_text("diary.txt")


def test_a_text_of_nothing_is_refused_where_it_was_written(browse):
    page = steps.begin(browse, "mara", "marian")

    page.get_by_label("Memory pages").get_by_role("link", name="Import").click()
    page.get_by_role("button", name="Preview import").click()

    expect(page.get_by_role("alert")).to_contain_text("Paste text or choose a file.")
