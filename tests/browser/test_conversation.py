from django.utils import timezone
from playwright.sync_api import expect

from tests.browser import steps
from tests.support.dumping import tables_with
from tests.support.factories import BondFactory, MessageFactory, SessionFactory


def open_bond(browse, bond, **options):
    page = browse(bond.user, **options)
    page.goto(f"/bonds/{bond.pk}/")
    steps.wait_until_connected(page)
    return page


def test_two_tabs_show_the_same(browse):
    first = steps.begin(browse, "mara", "teo")
    second = first.context.new_page()
    second.goto(first.url)
    steps.wait_until_connected(second)

    steps.say(first, "Are you awake?")
    # The greeting, and a reply to each message.
    expect(steps.replies(second)).to_have_count(2)
    steps.say(second, "So am I.")
    expect(steps.replies(first)).to_have_count(3)
    expect(steps.replies(second)).to_have_count(3)

    shown = second.locator(".message [data-text]").all_text_contents()
    assert len(shown) == 5
    expect(first.locator(".message [data-text]")).to_have_text(shown)


def test_a_long_day_is_marked_once(browse):
    bond = BondFactory(user__username="mara")
    session = SessionFactory(bond=bond)
    now = timezone.now()
    for _ in range(52):
        MessageFactory(session=session, created_at=now)
    page = open_bond(browse, bond)
    expect(page.locator("[data-message]")).to_have_count(50)

    steps.say(page, "Are you still awake?")

    expect(steps.replies(page)).not_to_have_count(0)
    expect(page.locator(".messages > .day")).to_have_count(0)
    expect(page.locator(".message").last.locator("time")).to_have_css("opacity", "1")


def test_a_message_written_while_the_server_is_gone_is_sent_once_or_given_back_where_its_chat_is_erased(browse, site):
    page = steps.begin(browse, "mara", "teo")
    bond = BondFactory()
    unrecorded = open_bond(browse, bond)
    unrecorded.get_by_role("button", name="Chat off the record").click()
    expect(unrecorded.locator("[data-off-record]")).to_be_visible()
    steps.say(unrecorded, "First.")
    expect(steps.replies(unrecorded)).to_have_count(1)
    site.kill("web")
    for one in (page, unrecorded):
        expect(one.locator("[data-connection]")).to_have_attribute("data-state", "offline")
    bond.sessions.all().delete()

    page.locator("#say").fill("Is anybody there?")
    page.locator("#say").press("Enter")
    unrecorded.locator("#say").fill("Zymurgy, between us.")
    unrecorded.locator("#say").press("Enter")
    # The greeting that is answered waits with the answer.
    expect(page.locator(".message--persona.is-pending")).to_have_count(1)
    expect(page.locator(".message--user.is-pending")).to_contain_text("Not sent yet")
    expect(page.locator("[data-lost]")).to_be_visible()
    site.start("web")

    expect(page.locator('.message--user[id^="message-"]')).to_have_count(1)
    expect(page.locator(".message.is-pending")).to_have_count(0)
    expect(page.locator("[data-lost]")).to_be_hidden()
    expect(steps.replies(page)).to_have_count(2)
    # Nothing puts it on the record.
    expect(unrecorded.locator("#say")).to_have_value("Zymurgy, between us.")
    expect(unrecorded.locator("[data-trouble]")).to_contain_text(
        "This chat has ended or was deleted. The message was not sent."
    )
    assert tables_with("Zymurgy") == []


def test_a_draft_outlives_the_page(browse):
    page = steps.begin(browse, "mara", "teo")

    page.locator("#say").fill("I was going to say")
    page.reload()

    expect(page.locator("#say")).to_have_value("I was going to say")


def test_what_is_too_long_is_not_sent(browse):
    page = steps.begin(browse, "mara", "teo")

    page.locator("#say").fill("x" * 20_001)

    expect(page.locator("[data-send]")).to_be_disabled()
    expect(page.locator("[data-length]")).to_have_text("20,001 / 20,000")
    page.locator("#say").fill("  \n ")
    expect(page.locator("[data-send]")).to_be_disabled()


def test_markup_in_a_message_is_text_and_a_reply_loads_nothing(browse):
    bond = BondFactory(user__username="mara")
    session = SessionFactory(bond=bond, message_count=2)
    wicked = '<img src=x onerror="document.title=1"><script>document.title=2</script>'
    MessageFactory(session=session, content=wicked)
    MessageFactory(
        session=session,
        role="persona",
        content=f"{wicked} ![x](http://evil.example/x.png) **bold** [a](javascript:alert(1))",
    )

    page = open_bond(browse, bond)

    expect(page.locator(".message--user [data-text]")).to_have_text(wicked)
    expect(page.locator(".message--persona strong")).to_have_text("bold")
    assert page.locator(".messages img, .messages script").count() == 0
    # Only who clicks on the image's text fetches it; the script's link leads nowhere.
    expect(page.locator(".messages a[href]")).to_have_text(["x"])
    expect(page.locator(".messages a[href]")).to_have_attribute("href", "http://evil.example/x.png")
    expect(page.locator(".messages a[href]")).to_have_attribute("rel", "noopener noreferrer nofollow")
    assert page.title().startswith("Marian")


def test_earlier_messages_load_while_scrolling_up_without_a_jump(browse):
    bond = BondFactory(user__username="mara")
    session = SessionFactory(bond=bond, message_count=120)
    for n in range(120):
        MessageFactory(session=session, content=f"line {n}", role=("user", "persona")[n % 2])
    page = open_bond(browse, bond)
    expect(page.get_by_text("line 119", exact=True)).to_be_in_viewport()
    expect(page.get_by_text("line 69", exact=True)).to_have_count(0)

    anchor = page.get_by_text("line 70", exact=True)
    anchor.scroll_into_view_if_needed()
    expect(page.get_by_text("line 69", exact=True)).to_have_count(1)

    expect(anchor).to_be_in_viewport()
    page.locator("[data-session-link]").click()
    expect(page.get_by_text("line 0", exact=True)).to_be_in_viewport()


def test_on_a_phone_the_sides_are_drawers_for_the_keyboard_too(browse):
    page = steps.begin(browse, "mara", "teo", viewport={"width": 360, "height": 740})
    assert page.evaluate("document.documentElement.scrollWidth") == 360

    page.get_by_role("button", name="Memory").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#memory")).to_be_visible()
    expect(page.locator("#memory [data-drawer-close]")).to_be_focused()
    page.keyboard.press("Escape")

    expect(page.locator("#memory")).to_be_hidden()
    expect(page.get_by_role("button", name="Memory")).to_be_focused()


def test_the_theme_is_chosen_and_stays(browse):
    page = browse()
    page.goto("/")
    page.get_by_text("Appearance and language").click()
    page.get_by_role("button", name="Dark", exact=True).click()
    page.reload()

    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(27, 25, 23)"


def test_a_message_that_is_refused_goes_back_to_where_it_was_written(browse):
    page = open_bond(browse, BondFactory(user__username="mara"), locale="zh-CN")

    page.locator("#say").fill("Nothing\x00ness")
    page.locator("#say").press("Enter")

    expect(page.get_by_role("alert")).to_be_visible()
    expect(page.locator("#say")).to_have_value("Nothing\x00ness")
    expect(page.locator(".message--user")).to_have_count(0)

    throttled = {"code": "rate_limited", "detail": "Too much in one minute. Try again in 40 seconds."}
    page.route("**/api/bonds/*/messages/", lambda route: route.fulfill(status=429, json=throttled))
    page.locator("#say").press("Enter")

    expect(page.get_by_role("alert")).to_have_text("一分钟里消息太多，请稍等。")
