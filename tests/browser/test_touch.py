"""Under a finger: what is pressed is 44 px high, or is pressed that far beyond its line. A field has letters that no iPhone enlarges."""

from tests.browser import pages
from tests.support import sample

PHONE = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True}
NAMES = (
    "home companions",
    "home empty",
    "persona",
    "memories",
    "memories filtered",
    "memory",
    "scene",
    "mood none",
    "facts",
    "doubts",
    "story",
    "people",
    "person",
    "kept",
    "trash",
    "settings",
    "lore",
    "model",
    "account_login",
)
# Links within a sentence are as high as its lines. A box of a form is pressed by its label too.
LOW = """() => [...document.querySelectorAll("a, button, summary, select, .field :is(input:not([type=checkbox]), textarea)")].filter((one) => {
  const box = one.getBoundingClientRect();
  const alone = ".layer__ways, .memory__more, .memory__text, .filters__on, .footer p, .entrance__after, .soft";
  if (!box.width || one.closest(`.sr-only, .skip, p:not(${alone})`) || (one.closest(".chain li") && !one.matches(".chain > li > a"))) return false;
  const beyond = getComputedStyle(one, "::after");
  const height = beyond.position === "absolute" && beyond.content !== "none" ? parseFloat(beyond.height) : 0;
  return Math.max(box.height, height) < 43.5;
}).map((one) => `${Math.round(one.getBoundingClientRect().height)}: ${one.outerHTML.slice(0, 100)}`)"""

SMALL = """() => [...document.querySelectorAll("input:not([type=hidden]), textarea, select")]
  .filter((one) => parseFloat(getComputedStyle(one).fontSize) < 16).map((one) => one.outerHTML.slice(0, 100))"""


def test_what_is_pressed_is_as_high_as_a_finger(transactional_db, browse):
    life = sample.live()
    by_name = {one.name: one for one in pages.PAGES}
    readers = {by_name[name].reader for name in NAMES}
    tabs = {who: browse(getattr(life, who, None), **PHONE) for who in readers}
    low = {}
    for name in NAMES:
        page = tabs[by_name[name].reader]
        page.goto(by_name[name].address(life))
        low[name] = page.evaluate(LOW) + page.evaluate(SMALL)
    tabs[pages.MARA].goto(by_name["bond"].address(life))
    low["bond"] = tabs[pages.MARA].evaluate(SMALL)

    assert {name: found for name, found in low.items() if found} == {}
