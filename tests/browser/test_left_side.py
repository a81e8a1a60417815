from datetime import timedelta

from playwright.sync_api import expect

from memory.models import Message, lexemes
from tests.browser import steps
from tests.browser.test_conversation import open_bond
from tests.support.factories import NOW, BondFactory, ConceptNodeFactory, SessionFactory

# Of the first view, compressed and without fonts.
MOST_BYTES = 150_000
MOST_REQUESTS = 30
MEASURE = """
window.shifts = [];
const tell = ({ value, sources }) => [value, ...sources.map(({ node }) => node?.outerHTML?.slice(0, 120))];
new PerformanceObserver((list) => window.shifts.push(...list.getEntries().map(tell)))
  .observe({ type: "layout-shift", buffered: true });
"""


def find_jumps(page):
    """Return each shift with what moved, if all of them are more than one would overlook."""
    shifts = page.evaluate("window.shifts")
    return shifts if sum(value for value, *_ in shifts) >= 0.001 else []


def lines_of(session, *contents):
    said = [
        Message(
            bond=session.bond,
            session=session,
            role=("user", "persona")[n % 2],
            content=content,
            channel="web",
            token_count=8,
            day=session.started_at.date(),
            created_at=session.started_at + timedelta(minutes=n),
            search=lexemes.build_search_vector(session.bond.pk, content),
        )
        for n, content in enumerate(contents)
    ]
    return Message.objects.bulk_create(said)


def talk(bond, *contents, days_ago=0, **columns):
    at = NOW - timedelta(days=days_ago)
    columns = {"status": "closed", "message_count": len(contents)} | columns
    return lines_of(SessionFactory(bond=bond, started_at=at, **columns), *contents)


def sides(page):
    return page.get_by_role("navigation", name="Chats"), page.get_by_role("region", name="Search results")


def act(page, title, name):
    """Choose an action in the menu of a session."""
    row = page.locator(".sessions__row").filter(has_text=title)
    row.hover()
    row.get_by_role("button", name="Chat actions").click()
    page.locator("#session-menu").get_by_role("button", name=name, exact=True).click()


def test_a_message_from_weeks_ago_is_found_and_left_again(browse):
    bond = BondFactory(user__username="mara")
    old = talk(
        bond,
        *(f"old {n}" for n in range(60)),
        "小黑 sleeps on the sill.",
        *(f"mid {n}" for n in range(300)),
        days_ago=30,
    )
    talk(bond, *(f"new {n}" for n in range(60)), title="Lately")
    page = open_bond(browse, bond)
    sessions, found = sides(page)
    newest = page.get_by_text("new 59", exact=True)
    expect(newest).to_be_in_viewport()

    page.keyboard.press("Control+/")
    page.keyboard.insert_text("小黑")
    expect(found.get_by_role("listitem")).to_have_count(1)
    expect(found.locator("mark")).to_have_text("小黑")
    expect(sessions).to_be_hidden()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")

    expect(page.locator(f"#message-{old[60].pk}")).to_be_focused()
    expect(page.locator(f"#message-{old[60].pk}")).to_be_in_viewport(ratio=1)
    assert page.url.endswith(f"#message-{old[60].pk}")
    # What lies between is not on the page, and comes from where one goes.
    expect(page.get_by_text("mid 299", exact=True)).to_have_count(0)
    page.locator("[data-gap] button").last.dispatch_event("click")
    expect(page.get_by_text("mid 90", exact=True)).to_have_count(1)
    expect(page.locator(f"#message-{old[60].pk}")).to_be_in_viewport(ratio=1)
    page.go_back()
    expect(newest).to_be_in_viewport()
    page.locator("#find").press("Escape")
    expect(sessions).to_be_visible()
    expect(found).to_be_hidden()
    expect(page.locator("#find")).to_have_value("")


def test_sessions_are_named_put_away_forgotten_and_tried_again(browse):
    bond = BondFactory(user__username="mara")
    lines = talk(bond, "My cat is Nimbus.", "A fine name.", title="Of cats", days_ago=2)
    ConceptNodeFactory(bond=bond, description="The cat is called Nimbus.", sources=lines)
    failure = {"failure_code": "model_timeout", "failure_detail": "It took too long."}
    talk(bond, "Hello.", "Good evening.", title="Of evenings", status="failed", days_ago=1, **failure)
    page, other = open_bond(browse, bond), open_bond(browse, bond)
    [sessions, _], [elsewhere, _] = sides(page), sides(other)
    rule = other.locator(f"#session-{lines[0].session_id}")

    act(page, "Of cats", "Rename")
    page.get_by_label("Title").fill("Of Nimbus")
    page.keyboard.press("Enter")
    expect(elsewhere).to_contain_text("Of Nimbus")
    expect(rule).to_contain_text("Of Nimbus")
    expect(page.locator(f"#more-{lines[0].session_id}")).to_be_focused()

    for width in (768, 360):
        page.set_viewport_size({"width": width, "height": 740})
        if width == 360:
            page.locator("[data-drawer=sessions]").click()
        act(page, "Of Nimbus", "Archive")
        expect(elsewhere).not_to_contain_text("Of Nimbus")
        expect(page.locator("[data-session-link]:focus")).to_have_count(1)
        # A click that waits until nothing is above the field.
        page.locator(".find input").click(trial=True)
        page.get_by_role("button", name="New chat").click(trial=True)
        page.get_by_role("button", name="Undo").click()
        expect(elsewhere).to_contain_text("Of Nimbus")
    page.keyboard.press("Escape")
    page.set_viewport_size({"width": 1280, "height": 800})

    act(page, "Of Nimbus", "Delete")
    expect(page.get_by_role("dialog")).to_contain_text("One memory is based on this chat alone")
    expect(page.get_by_label("The messages and this memory")).to_be_checked()
    page.get_by_role("dialog").get_by_role("button", name="Delete").click()
    expect(elsewhere).not_to_contain_text("Of Nimbus")
    expect(other.locator("[data-messages]")).not_to_contain_text("Nimbus")
    page.get_by_role("button", name="Undo").click()
    expect(other.locator("[data-messages]")).to_contain_text("My cat is Nimbus.")
    expect(elsewhere).to_contain_text("Of Nimbus")

    expect(sessions).to_contain_text("The answer took too long.")
    sessions.get_by_role("button", name="Try again").click()
    expect(elsewhere).to_contain_text("Saving memories")


def test_a_long_conversation_is_light_and_nothing_in_it_jumps(browse):
    bond = BondFactory(user__username="mara")
    for n in range(50):
        talk(
            bond,
            *(f"talk {n}, line {m}. **So** it was, and so it is told." for m in range(30)),
            days_ago=60 - n,
            title=f"Talk {n}",
        )
    page = browse(bond.user, reduced_motion="no-preference")
    page.add_init_script(MEASURE)
    network = page.context.new_cdp_session(page)
    fonts, sizes = set(), {}
    network.on("Network.responseReceived", lambda one: one["type"] == "Font" and fonts.add(one["requestId"]))
    network.on("Network.loadingFinished", lambda one: sizes.update({one["requestId"]: one["encodedDataLength"]}))
    asked = []
    network.on("Network.requestWillBeSent", lambda one: asked.append(one["request"]["url"]))
    network.send("Network.enable")

    page.goto(f"/bonds/{bond.pk}/", wait_until="networkidle")
    steps.wait_until_connected(page)

    assert len(asked) <= MOST_REQUESTS, asked
    assert sum(size for one, size in sizes.items() if one not in fonts) <= MOST_BYTES
    assert page.locator("[data-message]:not([data-message=''])").count() == 50
    assert page.locator("[data-session-link]").count() == 40
    assert find_jumps(page) == []
    page.get_by_role("button", name="Show older chats").click()
    expect(page.locator("[data-session-link]")).to_have_count(50)
    # The first message of a session moves the session to the top of the list.
    steps.say(page, "Are you there?")
    expect(steps.replies(page)).to_have_count(26)
    expect(page.locator("[data-session-link]").first).to_contain_text("This chat")
    page.evaluate("window.shifts.length = 0")
    steps.say(page, "Tell me of it.")
    expect(steps.replies(page)).to_have_count(27)
    read = page.get_by_text("talk 49, line 20.")
    read.scroll_into_view_if_needed()
    expect(read).to_be_in_viewport()
    place = read.bounding_box()["y"]
    page.locator("[data-gap] button").dispatch_event("click")
    expect(page.get_by_text("talk 47, line 25.")).to_have_count(1)
    assert abs(read.bounding_box()["y"] - place) < 2
    assert find_jumps(page) == []
