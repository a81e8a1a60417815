"""What one types or presses on a slow line before the script of the page came."""

from playwright.sync_api import expect

from tests.browser import steps
from tests.support.factories import MessageFactory, SessionFactory, UserFactory


def before(page, script, act):
    """Does it when the page is there and asks for this script."""

    def come_late(route):
        act()
        route.continue_()

    page.route(f"**/js/{script}*.js", come_late)


def test_a_message_typed_before_its_script_follows_the_draft(browse, bond):
    page = browse(bond.user)
    page.goto(f"/bonds/{bond.pk}/")
    page.locator("#say").fill("From yesterday.")
    before(page, "conversation/main", lambda: page.locator("#say").fill("Typed at once."))

    page.reload()

    expect(page.locator("#say")).to_have_value("From yesterday.\nTyped at once.")
    steps.wait_until_connected(page)
    page.locator("[data-send]").click()
    expect(page.locator(".message--user [data-text]")).to_have_text("From yesterday.\nTyped at once.")


def test_a_draft_that_the_browser_put_back_itself_stands_once(browse, bond):
    page = browse(bond.user)
    page.goto(f"/bonds/{bond.pk}/")
    page.locator("#say").fill("From yesterday.")
    before(page, "conversation/main", lambda: page.locator("#say").fill("From yesterday. And more."))

    page.reload()
    steps.wait_until_connected(page)

    expect(page.locator("#say")).to_have_value("From yesterday. And more.")


def test_a_search_typed_before_its_script_is_made(browse, bond):
    MessageFactory(session=SessionFactory(bond=bond), content="The cat is called Nimbus.")
    page = browse(bond.user)
    before(page, "conversation/main", lambda: page.locator("#find").fill("nimbus"))

    page.goto(f"/bonds/{bond.pk}/")

    expect(page.locator("[data-found-message]")).to_have_count(1)


def test_a_form_keeps_what_was_typed_before_its_script(browse):
    page = browse(UserFactory())
    page.goto("/companions/new/write/")
    page.locator("[name=name]").fill("Older")
    page.locator("[name=persona]").fill("She keeps a mill.")
    before(page, "app", lambda: page.locator("[name=name]").fill("Newer"))

    page.reload()

    expect(page.locator("[name=persona]")).to_have_value("She keeps a mill.")
    expect(page.locator("[name=name]")).to_have_value("Newer")
    page.unroute_all()
    page.reload()
    expect(page.locator("[name=name]")).to_have_value("Newer")


def test_what_was_opened_before_its_script_shows_what_it_has(browse, bond):
    page = browse(bond.user)

    def open_at_once(route):
        page.locator(".switcher > summary").click()
        route.continue_()

    page.route("**/vendor/htmx/htmx*.js", open_at_once)

    page.goto(f"/bonds/{bond.pk}/")

    expect(page.locator("[data-switcher]").get_by_role("link").first).to_be_visible()


def test_the_palette_goes_where_the_words_lead_and_not_where_fewer_letters_led(browse, bond):
    page = browse(bond.user)
    page.goto("/companions/new/")
    page.keyboard.press("Control+Shift+k")
    expect(page.locator("#palette [role=option]").first).to_be_visible()

    page.locator("#palette [role=combobox]").press_sequentially("settings")
    page.keyboard.press("Enter")

    page.wait_for_url("**/settings/")
