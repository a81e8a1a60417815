from playwright.sync_api import expect

from tests.support.factories import BondFactory, ConceptNodeFactory

SHOW = """async ([script, text, { undo, ...options }]) => {
  const { toast } = await import(script);
  window.undone = 0;
  toast(text, { ...options, undo: undo && (async () => { window.undone += 1; await fetch("/healthz"); }) });
}"""


def test_a_notice_waits_for_eyes_and_keys_and_takes_back(browse):
    cat = ConceptNodeFactory(bond=BondFactory(), description="She has a white cat.")
    page = browse(cat.bond.user)
    page.clock.install()
    toasts = page.locator("[data-toast]")

    with page.expect_request("**/js/toasts.*") as script:
        page.goto(f"/bonds/{cat.bond_id}/memory/{cat.pk}/forget/")
    page.locator("main button[type=submit]").click()
    expect(toasts).to_contain_text("trash for 30 days")
    # The script shows this button before it listens to keys, in one go: the server writes it hidden.
    expect(toasts.get_by_role("button", name="Close")).to_be_visible()
    page.keyboard.press("F8")
    expect(toasts.get_by_role("button", name="Undo")).to_be_focused()
    page.keyboard.press("Enter")
    expect(toasts).to_contain_text("Restored.")
    expect(page.locator("main")).to_contain_text("She has a white cat.")

    expect(toasts.get_by_role("button", name="Close")).to_be_visible()
    page.keyboard.press("F8")
    page.clock.run_for(60_000)
    expect(toasts).to_have_count(1)
    page.keyboard.press("Escape")
    expect(toasts).to_have_count(0)
    expect(page.locator("#content")).to_be_focused()

    def show(text, **options):
        page.evaluate(SHOW, [script.value.url, text, options])

    show("<b>Deleted.</b>", undo=True, label="Put back")
    expect(toasts.locator("[data-toast-text]")).to_have_text("<b>Deleted.</b>")
    toasts.hover()
    page.clock.run_for(60_000)
    expect(toasts).to_have_count(1)
    toasts.get_by_role("button", name="Put back").click()
    expect(toasts).to_have_count(0)
    assert page.evaluate("window.undone") == 1

    page.mouse.move(0, 0)
    page.locator(".wordmark").focus()
    show("Deleted.", undo=True)
    page.keyboard.press("F8")
    page.keyboard.press("Enter")
    expect(toasts).to_have_count(0)
    expect(page.locator(".wordmark")).to_be_focused()

    show("It did not work.", alert=True)
    for name in ("One", "Two", "Three"):
        show(name)
    assert toasts.locator("[data-toast-text]").all_inner_texts() == ["One", "Two", "Three"]
    page.clock.run_for(8_000)
    expect(toasts).to_have_count(0)
