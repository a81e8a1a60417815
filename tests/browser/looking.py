"""Checks an open page: axe's findings, overflow, and focus that does not show."""

from axe_playwright_python.base import AXE_FILE_PATH
from playwright.sync_api import Page

# Targets of 24 px, which axe looks at only when asked. Style sheets need not be fetched again: only a rule that is off reads them.
# Nothing is written down of what is right: that would take a fifth of its time.
OPTIONS = {"reporter": "no-passes", "rules": {"target-size": {"enabled": True}}, "preload": False}
VIOLATIONS = """async (options) => (await axe.run(options)).violations.flatMap(({ id, nodes }) =>
  nodes.map(({ html, any, all, none }) =>
    `${id}: ${html.slice(0, 160)} ${[...any, ...all, ...none].map(({ message }) => message).join("; ").slice(0, 200)}`))"""
# How far what is shown reaches out of the window, with what does.
WIDE = """async () => {
  await new Promise((settled) => requestAnimationFrame(() => requestAnimationFrame(settled)));
  const most = document.documentElement.clientWidth;
  if (document.documentElement.scrollWidth <= most) return [];
  const over = [...document.body.querySelectorAll("*")].filter((one) => one.getBoundingClientRect().right > most + 1);
  return over.slice(0, 3).map((one) => `${innerWidth}: ${one.outerHTML.slice(0, 120)}`);
}"""
# Until nothing loads and nothing moves, or what does after these milliseconds. It is asked in the page again and again, since headless
# Chromium may stop drawing, so that `finished` of an animation never comes; and at once, since each page would be given the waiting of
# Playwright first.
SETTLED = """async ([loading, most]) => {
  for (const end = performance.now() + most; ; await new Promise((done) => setTimeout(done, 20))) {
    const moving = document.getAnimations().filter((one) => one.effect.getComputedTiming().endTime !== Infinity);
    const all = [...document.querySelectorAll(loading), ...moving.map((one) => one.effect.target)];
    if (!all.length || performance.now() > end) return all.map((one) => one?.outerHTML.slice(0, 120));
  }
}"""
SECONDS = 60
# The buttons that the head of a chat shows, as far as they lie outside of the window or are too small to be pressed.
OUTSIDE = """() => [...document.querySelectorAll(":is(.chat__head, .topbar) :is(button, summary)")].filter((one) => {
  const { right, width, height } = one.getBoundingClientRect();
  const isShown = width > 0 && height > 0 && one.checkVisibility({ visibilityProperty: true });
  return isShown && (width < 24 || right > innerWidth);
}).map((one) => `outside: ${one.outerHTML.slice(0, 120)}`)"""
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
    wait_until_still(page, loading=".is-loading, [aria-busy=true]")


def wait_until_still(page: Page, *, loading: str = ":not(*)") -> None:
    """Until nothing moves."""
    left = page.evaluate(SETTLED, [loading, SECONDS * 1000])
    assert left == [], f"{page.url} does not come to rest: {left}"


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
    found += page.evaluate(OUTSIDE)
    return found
