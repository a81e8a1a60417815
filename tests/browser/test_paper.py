"""What a printer gets of a page."""

from tests.support.factories import MessageFactory, SessionFactory

# The heights of what is shown and of what there is; whether the ink is dark; what should not be there.
PRINTED = """() => {
  const chat = document.querySelector("[data-conversation]");
  const shown = (all) => [...document.querySelectorAll(all)].filter((one) => one.checkVisibility()).map((one) => one.className);
  return [chat.clientHeight >= chat.scrollHeight, getComputedStyle(document.body).color, shown(".side, .composer, .topbar, .toasts")];
}"""


def test_a_chat_is_printed_whole_and_dark_on_white(browse, bond):
    session = SessionFactory(bond=bond)
    for role in ("user", "persona") * 15:
        MessageFactory(session=session, role=role, content="The tide came in at four. " * 10)
    page = browse(bond.user, color_scheme="dark")
    page.goto(f"/bonds/{bond.pk}/")
    page.emulate_media(media="print", color_scheme="dark")

    assert page.evaluate(PRINTED) == [True, "rgb(43, 38, 34)", []]
