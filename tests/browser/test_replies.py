import re

import pytest
from playwright.sync_api import expect

from memory.models import Message
from personas.models import User
from tests.browser import looking, steps

LONG = " ".join(f"word{n}" for n in range(150))
TABLE = """A cat, **white**:

1. feed him
2. give in

| When | Angle | Notes |
|---|---|---|
| Evening | 45° | soft, purrs loudly if the door is open and the bowl is full |"""
WATCH = """() => new MutationObserver(() => (window.wasAwaited = true)).observe(
  document.querySelector("[data-messages]"), { attributeFilter: ["data-awaited"] })"""
LINES = """(one) => {
  const words = document.createRange();
  words.selectNodeContents(one);
  return words.getClientRects().length;
}"""


@pytest.fixture
def site(served):
    return served


def test_a_reply_streams_as_markdown_and_the_composer_stays_where_it_is(page, model_server):
    model_server.will("stream", text=TABLE)
    page.evaluate(WATCH)
    place = page.locator(".composer__box").bounding_box()

    steps.say(page, "What shall I do?")
    expect(page.locator("[data-streaming]")).to_be_visible()

    expect(steps.replies(page).locator("strong")).to_have_text("white")
    assert steps.replies(page).locator("li").all_text_contents() == ["feed him", "give in"]
    assert page.locator(".composer__box").bounding_box() == place
    expect(page.locator("[data-announce]")).to_contain_text("A cat")
    # From the message on until the reply began.
    assert page.evaluate("window.wasAwaited")
    expect(page.locator("[data-awaited]")).to_have_count(0)
    page.set_viewport_size({"width": 320, "height": 740})
    assert steps.replies(page).locator("td").first.evaluate(LINES) == 1


def test_each_paragraph_of_a_reply_runs_in_the_direction_of_its_own_script(page, model_server):
    model_server.will("stream", text="مرحبا!\n\nIn English.")
    steps.say(page, "Hello?")

    english = steps.replies(page).locator("p").last
    expect(english).to_have_text("In English.")
    assert english.evaluate(
        """(one) => {
          const words = document.createRange();
          words.selectNodeContents(one);
          return words.getBoundingClientRect().left === one.getBoundingClientRect().left;
        }"""
    )


def test_a_reply_is_stopped_and_keeps_what_was_said(page, model_server):
    model_server.will("stream", text=LONG)
    steps.say(page, "Tell me everything.")
    expect(page.locator("[data-streaming]")).to_contain_text("word5")

    page.get_by_role("button", name="Stop reply").click()

    expect(steps.replies(page)).to_contain_text("word5")
    expect(steps.replies(page)).not_to_contain_text("word149")
    expect(page.locator(".message--persona [data-cut-off]")).to_be_visible()
    expect(page.locator("[data-stop]")).to_be_hidden()


def middle(box):
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


CLICK_AGAIN = """([x, y]) => {
    const send = document.querySelector("[data-send]");
    new MutationObserver((_, watch) => {
        watch.disconnect();
        document.elementFromPoint(x, y).closest("button").click();
        send.dataset.clickedAgain = "";
    }).observe(send, { attributeFilter: ["hidden"] });
}"""


def test_stop_stands_where_send_was_and_a_second_click_hits_nothing(page, model_server):
    model_server.will("stream", text=LONG)
    send, off_record = page.locator("[data-send]"), page.locator("[data-off-record-begin]")
    places = send.bounding_box(), off_record.bounding_box(), page.locator("#say").bounding_box()
    steps.say(page, "Tell me everything.")
    expect(page.locator("[data-streaming]")).to_contain_text("word5")
    page.locator("#say").fill("And tea, please.")
    stop = page.get_by_role("button", name="Stop reply")
    expect(send).to_be_hidden()
    assert (stop.bounding_box(), off_record.bounding_box(), page.locator("#say").bounding_box()) == places

    # By the page itself, since half a second later one may send again.
    page.evaluate(CLICK_AGAIN, middle(places[0]))
    page.mouse.click(*middle(places[0]))
    expect(send).to_have_attribute("data-clicked-again", "")

    expect(steps.replies(page)).to_contain_text("word5")
    expect(steps.replies(page)).not_to_contain_text("word149")
    assert (send.bounding_box(), off_record.bounding_box(), page.locator("#say").bounding_box()) == places
    expect(page.locator("[data-off-record]")).to_be_hidden()
    expect(page.locator("#say")).to_have_value("And tea, please.")
    expect(page.locator(".message--user")).to_have_count(1)


@pytest.mark.parametrize("keys", [["Tab", "Tab", "Enter"], ["Escape"]], ids="".join)
def test_by_the_keyboard_stop_leads_back_to_where_one_writes(page, model_server, keys):
    model_server.will("stream", text=LONG)
    steps.say(page, "Tell me everything.")
    expect(page.locator("[data-streaming]")).to_contain_text("word5")

    page.locator("#say").focus()
    for key in keys:
        page.keyboard.press(key)

    expect(page.locator("#say")).to_be_focused()
    expect(page.locator("[data-announce]")).to_contain_text("Stopped")


def test_a_reply_off_the_record_ends_with_its_chat(page, model_server):
    page.get_by_role("button", name="Chat off the record").click()
    expect(page.locator("[data-off-record]")).to_be_visible()
    model_server.will("stream", text=LONG)
    steps.say(page, "Between us.")
    expect(page.locator("[data-streaming]")).to_contain_text("word5")

    page.get_by_role("button", name="End and erase").click()

    expect(page.locator("[data-messages]")).not_to_contain_text("word5", timeout=20_000)
    expect(page.locator("[data-send]")).to_be_visible()
    assert Message.objects.count() == 0


@pytest.mark.parametrize("words", [LONG, ""], ids=["with words", "before a word"])
def test_ones_own_stop_is_no_warning(page, model_server, words):
    model_server.will("stream", text=LONG) if words else model_server.will("hang")
    steps.say(page, "Tell me everything.")
    expect(page.locator("[data-streaming]")).to_contain_text("word5" if words else "")

    page.get_by_role("button", name="Stop reply").click()

    for _ in range(2):
        said = page.locator(".message__note:visible")
        expect(said).to_have_count(1)
        expect(said).to_contain_text("Stopped")
        expect(said.locator("> .sign")).to_have_count(0)
        expect(page.locator("[data-trouble]")).to_be_hidden()
        page.reload()
        steps.wait_until_connected(page)


def test_one_may_write_while_the_reply_streams(page, model_server):
    model_server.will("stream", text=LONG)
    steps.say(page, "Tell me everything.")
    expect(page.locator("[data-streaming]")).to_contain_text("word5")

    steps.say(page, "And tea, please.")

    expect(page.locator("[data-streaming], .message--persona").first).to_contain_text("word149")
    expect(steps.replies(page)).to_have_count(2)
    expect(steps.replies(page).last).to_contain_text("And tea, please.")


def test_a_page_opened_in_the_middle_shows_the_whole_reply(page, model_server):
    model_server.will("stream", text=LONG)
    steps.say(page, "Tell me everything.")
    expect(page.locator("[data-streaming]")).to_contain_text("word20")

    page.reload()

    expect(page.locator("[data-streaming]")).to_contain_text("word0 word1 word2")
    expect(steps.replies(page)).to_have_text(LONG)


def can_be_away(page):
    """The sockets that the page opens, and a list: while anything is in it, none can be opened."""
    sockets, is_away = [], []

    def pass_on(socket):
        if is_away:
            socket.close()
        else:
            socket.connect_to_server()
            sockets.append(socket)

    page.route_web_socket(re.compile("/ws/"), pass_on)
    return sockets, is_away


def test_the_connection_is_lost_in_the_middle_and_what_was_missed_is_there_once(browse, bond, model_server):
    page = browse(bond.user)
    sockets, is_away = can_be_away(page)
    page.goto(f"/bonds/{bond.pk}/")
    steps.wait_until_connected(page)
    model_server.will("stream", text=LONG)
    steps.say(page, "Tell me everything.")
    expect(page.locator("[data-streaming]")).to_contain_text("word20")

    is_away.append(True)
    sockets[0].close()
    expect(page.get_by_text("Connection lost.")).to_be_visible()
    is_away.clear()

    steps.wait_until_connected(page)
    expect(steps.replies(page)).to_have_text(LONG)
    expect(page.locator(".message--persona")).to_have_count(1)


def test_a_stop_while_the_connection_is_away_is_told_and_sent_when_it_is_back(browse, bond, model_server):
    page = browse(bond.user)
    sockets, is_away = can_be_away(page)
    page.clock.install()
    page.goto(f"/bonds/{bond.pk}/")
    steps.wait_until_connected(page)
    model_server.will("hang")
    steps.say(page, "Tell me everything.")
    expect(page.locator("[data-stop]")).to_be_visible()
    page.clock.fast_forward(9000)
    expect(page.get_by_text("The model has not answered yet.")).to_be_visible()

    is_away.append(True)
    sockets[-1].close()
    expect(page.locator("[data-connection]")).to_have_attribute("data-state", "offline")
    page.get_by_role("button", name="Stop reply").click()
    expect(page.get_by_text("The reply will be stopped when the connection is back.")).to_be_visible()
    is_away.clear()
    page.clock.fast_forward(9000)

    expect(page.locator("[data-stop]")).to_be_hidden()
    expect(page.locator("[data-reply-status]")).to_be_hidden()
    expect(page.locator("[data-note]", has_text="Stopped")).to_be_visible()


def test_what_went_wrong_is_said_and_can_be_tried_again(page, model_server):
    model_server.will("status", status=400)
    steps.say(page, "Hello?")
    retry = page.get_by_role("button", name="Try again")
    expect(retry).to_be_visible()
    expect(steps.replies(page)).to_have_count(0)

    page.reload()
    expect(retry).to_be_visible()
    steps.wait_until_connected(page)
    retry.press("Enter")

    expect(page.locator("#say")).to_be_focused()
    expect(steps.replies(page)).to_have_text("You said: Hello?")
    expect(retry).to_have_count(0)


def test_what_went_wrong_is_said_in_the_readers_language_with_its_cause(browse, bond, model_server):
    User.objects.filter(pk=bond.user_id).update(language="zh-hans")
    page = browse(bond.user)
    page.goto(f"/bonds/{bond.pk}/")
    steps.wait_until_connected(page)
    model_server.will("status", status=401)

    steps.say(page, "Hello?")

    expect(page.locator("[data-note]")).to_have_text("模型服务器不接受这个密钥 (401)。")


def test_what_went_wrong_stays_with_its_message_until_that_is_deleted(page, model_server):
    model_server.will("status", status=400)
    steps.say(page, "Hello?")
    expect(page.get_by_role("button", name="Try again")).to_be_visible()
    steps.say(page, "Are you there?")
    expect(steps.replies(page)).to_have_count(1)
    page.reload()
    steps.wait_until_connected(page)
    note = page.locator("[data-message] + [data-note-of]")
    expect(note).to_have_count(1)
    expect(note.get_by_role("button", name="Try again")).to_have_count(0)

    page.locator(".message--user .message__more").first.click()
    page.locator("#message-menu [data-act=forget]").click()
    page.get_by_role("dialog", name="Delete this message?").get_by_role("button", name="Delete").click()

    expect(page.locator(".message--user")).to_have_count(1)
    expect(note).to_have_count(0)


def test_what_failed_cannot_be_tried_again_once_more_was_said(page, model_server):
    model_server.will("cut", text=LONG, after=60)
    steps.say(page, "Remember that I like tea.")
    expect(page.locator("[data-streaming]")).to_contain_text("word1")
    steps.say(page, "Are you there?")
    # One row of dots is enough.
    assert page.locator(".messages").evaluate("list => getComputedStyle(list, '::after').content") == "none"

    expect(steps.replies(page).last).to_have_text("You said: Are you there?")
    expect(page.locator(".messages > [data-note-of]")).to_have_count(1)
    expect(page.get_by_role("button", name="Try again")).to_have_count(0)


def test_a_reply_cut_off_keeps_its_text_and_is_replaced_when_tried_again(page, model_server):
    model_server.will("cut", text=LONG, after=10)
    steps.say(page, "Hello?")
    expect(page.get_by_role("button", name="Try again")).to_be_visible()
    expect(steps.replies(page)).to_contain_text("word9")

    page.get_by_role("button", name="Try again").click()

    expect(steps.replies(page)).to_have_text("You said: Hello?")
    expect(page.locator(".message--user")).to_have_count(1)


def test_a_session_that_could_not_be_remembered_is_said_and_tried_again(page, served, model_server):
    served.start("worker")
    steps.say(page, "My grandmother passed away.")
    expect(steps.replies(page)).to_have_count(1)
    model_server.will("status", status=400, feature="extraction")

    page.get_by_role("button", name="New chat").click()
    failure = page.locator(".memory--failed")
    expect(failure).to_contain_text("could not be turned into memories yet")
    expect(page.locator(".sessions__state--failed")).to_be_visible()
    failure.get_by_role("button", name="Try again").click()

    expect(page.locator(".memory--event")).to_contain_text("grandmother")
    expect(failure).to_have_count(0)
    expect(page.locator(".sessions__state--failed")).to_have_count(0)


NOTES = """| tea | cups |
| :-- | --: |
| green | 2 |
| <b align=center>black</b> | 10 |

- [x] feed **Tofu**
- [ ] water the fern
- a plain point

3. third"""


def test_a_table_keeps_its_alignment_and_a_task_list_its_boxes(page, model_server):
    model_server.will("stream", text=NOTES)

    steps.say(page, "What is left to do?")
    expect(steps.replies(page).locator("li")).to_have_count(4)

    reply = steps.replies(page)
    aligned = "cells => cells.map(cell => getComputedStyle(cell).textAlign)"
    assert reply.locator("tr:nth-child(1) > *").evaluate_all(aligned) == ["start", "right", "start", "right"]
    expect(reply.locator("b")).to_have_count(0)
    done, open_ = reply.get_by_role("checkbox").all()
    expect(done).to_be_checked()
    expect(done).to_be_disabled()
    expect(done).to_have_accessible_name("feed Tofu")
    expect(open_).not_to_be_checked()
    marks = "points => points.map(point => getComputedStyle(point).listStyleType)"
    assert reply.locator("li").evaluate_all(marks) == ["none", "none", "disc", "decimal"]
    expect(reply.locator("ol")).to_have_attribute("start", "3")
    assert not looking.hindrances(page)


def test_on_a_phone_the_title_of_the_memory_drawer_stays_on_one_line(page):
    for width in (360, 320):
        page.set_viewport_size({"width": width, "height": 740})
        if width == 360:
            page.locator("[data-drawer=memory]").click()

        title = page.locator("#memory h2")
        expect(title).to_be_visible()
        assert title.evaluate(LINES) == 1, width
        looking.wait_until_still(page)
        named, close = title.bounding_box(), page.locator("#memory [data-drawer-close]").bounding_box()
        assert named["x"] + named["width"] <= close["x"]
        assert close["x"] + close["width"] <= width
        links = [link.bounding_box() for link in page.locator("#memory .side__links a").all()]
        assert {link["y"] for link in links} == {links[0]["y"]}, width
        assert links[0]["x"] == named["x"], width
        assert links[-1]["x"] + links[-1]["width"] <= width
