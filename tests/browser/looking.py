"""Checks an open page: axe's findings, overflow, and focus that does not show."""

from axe_playwright_python.base import AXE_FILE_PATH
from playwright.sync_api import Locator, Page, expect

# Targets of 24 px, which axe looks at only when asked. Style sheets need not be fetched again: only a rule that is off reads them.
OPTIONS = {"resultTypes": ["violations"], "rules": {"target-size": {"enabled": True}}, "preload": False}
VIOLATIONS = """async (options) => (await axe.run(options)).violations.flatMap(({ id, nodes }) =>
  nodes.map((one) => `${id}: ${one.html.slice(0, 160)} ${one.failureSummary.slice(0, 200)}`))"""
# How far what is shown reaches out of the window, with what does.
WIDE = """async () => {
  await new Promise((settled) => requestAnimationFrame(() => requestAnimationFrame(settled)));
  const most = document.documentElement.clientWidth;
  if (document.documentElement.scrollWidth <= most) return [];
  const over = [...document.body.querySelectorAll("*")].filter((one) => one.getBoundingClientRect().right > most + 1);
  return over.slice(0, 3).map((one) => `${innerWidth}: ${one.outerHTML.slice(0, 120)}`);
}"""
STILL = "() => document.getAnimations().every((one) => one.effect.getComputedTiming().endTime === Infinity)"
# What can be reached by Tab and looks with the focus as it does without.
FOCUS = """() => {
  const look = (element) => {
    const around = [element, element.firstElementChild];
    for (let one = element.parentElement; one && around.length < 6; one = one.parentElement) around.push(one);
    return around.map((one) => one && ["", "::after"].map((part) => {
      const { outline, boxShadow, borderColor, backgroundColor, stroke } = getComputedStyle(one, part || null);
      return [outline, boxShadow, borderColor, backgroundColor, stroke].join();
    }).join()).join();
  };
  const all = document.querySelectorAll("a[href], button, input:not([type=hidden]), select, textarea, summary, [tabindex='0']");
  const shown = [...all].filter((one) => !one.disabled && one.tabIndex >= 0 && one.checkVisibility({ visibilityProperty: true }));
  document.activeElement?.blur();
  return shown.filter((one) => {
    const before = look(one);
    one.focus({ focusVisible: true, preventScroll: true });
    const is = document.activeElement === one && look(one) !== before;
    one.blur();
    return !is;
  }).map((one) => one.outerHTML.slice(0, 120));
}"""


def wait_until_loaded(page: Page) -> None:
    """Until what the page asks for by itself is there, and drawn."""
    expect(page.locator(".is-loading, [aria-busy=true]")).to_have_count(0)
    wait_until_still(page)


def wait_until_still(page: Page) -> None:
    """Until nothing moves. Asked again and again: headless Chromium may stop drawing, so that `finished` of an animation never comes."""
    page.wait_for_function(STILL, polling=100)


def violations(page: Page) -> list[str]:
    """What axe finds, also while a dialog keeps the focus."""
    wait_until_loaded(page)
    if not page.evaluate("() => 'axe' in window"):
        # Brought along by each page that its browser opens from now on: half a megabyte need not be sent again.
        page.context.add_init_script(path=AXE_FILE_PATH)
        page.evaluate(AXE_FILE_PATH.read_text())
    found: list[str] = page.evaluate(VIOLATIONS, OPTIONS)
    return found


def hindrances(page: Page) -> list[str]:
    return violations(page) + [f"no sign of focus: {one}" for one in page.evaluate(FOCUS)]


def overflow(page: Page, *widths: int) -> list[str]:
    """What is wider than the window, at each of these widths; 640 is a desktop at 200 %."""
    found: list[str] = []
    for width in widths:
        page.set_viewport_size({"width": width, "height": 800})
        found += page.evaluate(WIDE)
    return found


def overflow_of_large_text(page: Page) -> list[str]:
    """What is wider than a phone whose text is twice as large, or lies outside of it in the head of a chat."""
    page.set_viewport_size({"width": 360, "height": 800})
    page.evaluate("document.documentElement.style.fontSize = '200%'")
    found: list[str] = page.evaluate(WIDE)
    heads = page.locator(":is(.chat__head, .topbar) :is(button, summary):visible").all()
    outside = [one for one in heads if not is_within(one, 360)]
    return found + [f"outside: {one.evaluate('one => one.outerHTML.slice(0, 120)')}" for one in outside]


def is_within(one: Locator, width: int) -> bool:
    box = one.bounding_box()
    return box is not None and box["width"] >= 24 and box["x"] + box["width"] <= width
