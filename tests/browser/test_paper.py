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
