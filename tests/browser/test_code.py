"""Code in replies has the colours of its language, which are loaded when they are needed and stay while a reply is written."""

import pytest
from playwright.sync_api import expect

from tests.browser import looking, steps
from tests.support.factories import BondFactory

PYTHON = """Here:

```py
# Greets, <img src=x onerror=alert(1)>.
def greet(name: str, times: int = 3) -> str:
    return "Hello, " + name * times
```

And as data:

```JSON
{"name": "Mara", "times": 3, "kind": true}
```"""
# For each frame whether a block that names its language has no colours.
WATCH = """() => {
  window.plain = [];
  const look = () => {
    const blocks = [...document.querySelectorAll("[data-streaming] code[data-language=py]")];
    if (blocks.some((one) => one.textContent.includes("def greet"))) window.plain.push(blocks.some((one) => !("coloured" in one.dataset)));
    requestAnimationFrame(look);
  };
  look();
}"""


@pytest.fixture
def site(served):
    return served


@pytest.fixture
def page(browse):
    bond = BondFactory(user__username="mara")
    page = browse(bond.user)
    page.goto(f"/bonds/{bond.pk}/")
    steps.wait_until_connected(page)
    return page


def ask(page, model_server, text):
    there = steps.replies(page).count()
    model_server.will("stream", text=text)
    steps.say(page, "Show me.")
    expect(steps.replies(page)).to_have_count(there + 1)


LONG = "```python\n" + "print('a line that is wider than a phone and goes on behind its edge')\n" * 2 + "```"


def covered(page):
    """Whether the button lies on the code."""
    button, code = (page.locator(name).bounding_box() for name in (".code__copy", ".code code"))
    return button["y"] + button["height"] > code["y"]


def test_the_copy_button_covers_no_code(page, model_server):
    ask(page, model_server, LONG)
    page.set_viewport_size({"width": 360, "height": 740})

    assert not covered(page)


def test_code_has_colours_of_its_language_and_keeps_them_while_it_is_written(page, model_server):
    loaded = []
    page.on("request", lambda one: "highlight" in one.url and loaded.append(one.url.rsplit("/", 1)[1].split(".")[0]))
    ask(page, model_server, "```\nno language\n```\n\nAnd `inline`.")
    assert loaded == []
    ask(page, model_server, "```klingon\nQapla'\n```")
    assert set(loaded) <= {"highlight"}

    ask(page, model_server, PYTHON)

    code = steps.replies(page).last.locator("code")
    expect(code.nth(1).locator(".hljs-attr")).to_have_text(['"name"', '"times"', '"kind"'])
    expect(code.first.locator(".hljs-title")).to_have_text("greet")
    expect(code.first.locator(".hljs-comment")).to_have_text("# Greets, <img src=x onerror=alert(1)>.")
    assert sorted(set(loaded)) == ["core", "highlight", "json", "python"]

    page.evaluate(WATCH)
    ask(page, model_server, PYTHON)
    assert set(page.evaluate("window.plain")) == {False}

    page.reload()
    expect(page.locator(".hljs-keyword").first).to_have_text("def")
    for theme in "light", "dark":
        page.emulate_media(color_scheme=theme, reduced_motion="reduce")
        assert not looking.hindrances(page)
