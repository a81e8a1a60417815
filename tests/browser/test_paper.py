"""What a printer gets of a page."""

from playwright.sync_api import expect

from tests.support.factories import MessageFactory, SessionFactory

# The heights of what is shown and of what there is; whether the ink is dark; what should not be there.
PRINTED = """() => {
  const chat = document.querySelector("[data-conversation]");
  const shown = (all) => [...document.querySelectorAll(all)].filter((one) => one.checkVisibility()).map((one) => one.className);
  return [chat.clientHeight >= chat.scrollHeight, getComputedStyle(document.body).color, shown(".skip, .side, .composer, .topbar, .toasts, [data-copy-code]")];
}"""


def test_a_chat_is_printed_whole_and_dark_on_white(browse, bond):
    session = SessionFactory(bond=bond)
    for role in ("user", "persona") * 15:
        MessageFactory(session=session, role=role, content="The tide came in at four. " * 10)
    MessageFactory(session=session, role="persona", content="```\ntide = 4\n```")
    page = browse(bond.user, color_scheme="dark")
    page.goto(f"/bonds/{bond.pk}/")
    expect(page.locator("[data-copy-code]")).to_have_count(1)
    page.emulate_media(media="print", color_scheme="dark")

    assert page.evaluate(PRINTED) == [True, "rgb(43, 38, 34)", []]


def test_a_long_message_is_folded_until_it_is_opened_found_or_printed(browse, bond):
    message = MessageFactory(session=SessionFactory(bond=bond), role="user", content="The tide came in at four.\n" * 40)
    MessageFactory(session=message.session, role="persona", content="At four again?")
    page = browse(bond.user)
    page.goto(f"/bonds/{bond.pk}/")
    item, text = page.locator(f"#message-{message.pk}"), page.locator(f"#message-{message.pk} [data-text]")
    button = item.get_by_role("button", name="Show all")
    height = "one => one.clientHeight"
    assert text.evaluate(height) < 320

    page.emulate_media(media="print")
    assert text.evaluate(height) > 900
    expect(button).to_be_hidden()
    page.emulate_media(media="screen")
    button.press("Enter")
    assert text.evaluate(height) > 900
    item.get_by_role("button", name="Show less").press("Enter")
    assert text.evaluate(height) < 320
    # As the browser does where it finds a word below the fold.
    text.evaluate("one => { one.scrollTop = 200; }")
    expect(item.get_by_role("button", name="Show less")).to_be_visible()
