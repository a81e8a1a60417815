import re

import pytest
from playwright.sync_api import expect

from memory.models import Forgotten, Message, Session
from tests.browser import looking, steps
from tests.support.factories import ConceptNodeFactory


@pytest.fixture
def site(served):
    return served


def talk(page, model_server, *said):
    for number, text in enumerate(said):
        model_server.will("stream", text=f"Reply {number}.", feature="reply")
        steps.say(page, text)
        expect(steps.replies(page).last).to_have_text(f"Reply {number}.")


def shown(page):
    return [steps.text_of(message) for message in page.locator(".message:not([data-streaming]) [data-text]").all()]


def open_menu(page, text, name):
    message = page.locator(".message", has_text=text)
    message.hover()
    message.locator(".message__more").click()
    page.locator("#message-menu").get_by_role("button", name=name, exact=True).click()


def test_the_third_last_message_is_edited_and_the_edit_undone(page, bond, model_server):
    talk(page, model_server, "I like tea.", "I have a cat.", "And a fish.", "They get along.")
    before = shown(page)
    ConceptNodeFactory(
        bond=bond, description="The user has a cat.", sources=[Message.objects.get(content="I have a cat.")]
    )

    open_menu(page, "I have a cat.", "Edit")
    dialog = page.locator("#edit-message")
    expect(dialog.get_by_role("textbox")).to_have_value("I have a cat.")
    expect(dialog).to_contain_text("The 5 messages that came after it go to the trash too")
    expect(dialog).to_contain_text("The user has a cat.")
    assert not [found for found in looking.hindrances(page) if "edit-message" in found]
    model_server.will("stream", text="A dog!", feature="reply")
    dialog.get_by_role("textbox").fill("I have a dog.")
    dialog.get_by_role("button", name="Send").click()

    expect(steps.replies(page).last).to_have_text("A dog!")
    assert shown(page) == ["I like tea.", "Reply 0.", "I have a dog.", "A dog!"]
    assert len(Forgotten.objects.get().node_ids) == 1
    page.get_by_role("button", name="Undo").click()

    expect(steps.replies(page).last).to_have_text("Reply 3.")
    expect(page.locator(".message")).to_have_count(8)
    assert shown(page) == before
    page.reload()
    assert shown(page) == before


def test_an_undo_stops_the_reply_that_is_being_written(page, model_server):
    talk(page, model_server, "I like tea.")
    page.locator("#say").press("ArrowUp")
    model_server.will("stream", text=" ".join(f"word{n}" for n in range(300)), feature="reply")
    page.locator("#edit-message textarea").fill("I like coffee.")
    page.locator("#edit-message textarea").press("Control+Enter")
    expect(page.locator("[data-streaming]")).to_contain_text("word5")

    page.get_by_role("button", name="Undo").click()

    expect(page.locator(".message")).to_have_text([re.compile("I like tea."), re.compile("Reply 0.")])


def test_what_is_too_long_stays_in_the_dialog_and_the_companions_messages_are_not_edited(page, model_server):
    talk(page, model_server, "I like tea.")
    open_menu(page, "I like tea.", "Edit")
    page.locator("#edit-message textarea").fill("x" * 20_001)
    page.locator("#edit-message").get_by_role("button", name="Send").click()
    expect(page.locator("#edit-message [data-refused]")).to_be_visible()
    page.locator("#edit-message").get_by_role("button", name="Cancel").click()

    assert shown(page) == ["I like tea.", "Reply 0."]
    page.locator(".message--persona .message__more").click()
    expect(page.locator("#message-menu [data-act=edit]")).to_be_hidden()


def test_last_weeks_chat_is_gone_on_with(browse, bond, model_server):
    page = browse(bond.user, locale="zh-CN")
    page.goto(f"/bonds/{bond.pk}/")
    steps.wait_until_connected(page)
    talk(page, model_server, "我喜欢喝茶。")
    older = Session.objects.get()
    Session.objects.update(status="closed", close_reason="explicit", closed_at=older.last_message_at, title="茶")
    page.reload()
    steps.wait_until_connected(page)
    talk(page, model_server, "今天下雨。")
    page.get_by_role("button", name="新聊天").click()
    expect(page.locator(".rule").last).to_contain_text("新聊天")
    # The list is read anew for the chat that ended; what is pressed in that moment is replaced.
    ended = Session.objects.exclude(pk=older.pk).order_by("id").first()
    expect(page.locator(f"#more-{ended.pk}")).not_to_have_attribute("data-status", "open")

    page.locator(f"#more-{older.pk}").click()
    page.get_by_role("button", name="继续这次聊天").click()
    expect(page.locator("[data-continued]")).to_contain_text("继续： 茶")
    expect(page.locator("#say")).to_be_focused()
    expect(page.locator(f'[data-session="{older.pk}"][data-message]').last).to_be_in_viewport()
    talk(page, model_server, "我还喜欢红茶。")

    expect(page.locator("[data-continued]")).to_be_hidden()
    assert Message.objects.get(content="我还喜欢红茶。").session_id == older.pk
    older.refresh_from_db()
    assert older.status == "open"
    expect(page.locator(".rule").last).to_contain_text("茶")
    assert "我喜欢喝茶。" in str(model_server.requests[-1]["messages"])


def test_a_reply_is_stopped_and_continued(page, model_server):
    model_server.will("stream", text=" ".join(f"word{n}" for n in range(300)), feature="reply")
    steps.say(page, "Tell me everything.")
    expect(page.locator("[data-streaming]")).to_contain_text("word5")
    page.get_by_role("button", name="Stop reply").click()
    expect(page.locator("[data-cut-off]")).to_be_visible()
    begun = steps.text_of(steps.replies(page))
    model_server.will("stream", text=f"{begun} and no more.", feature="reply")

    page.get_by_role("button", name="Continue reply").press("Enter")

    expect(steps.replies(page)).to_have_text(f"{begun} and no more.")
    expect(page.locator("[data-cut-off]")).to_be_hidden()
    expect(page.get_by_role("button", name="Continue reply")).to_be_hidden()
    expect(page.get_by_role("button", name="Regenerate")).to_be_focused()
    page.get_by_role("button", name="Previous").click()
    expect(steps.replies(page)).to_have_text(begun)
    expect(page.get_by_role("button", name="Continue reply")).to_be_visible()


CODE = "Like this:\n\n```python\nprint('tea')\n```\n\n![a picture](https://example.com/a.png)"


def test_code_is_copied_and_an_image_is_a_link(page, model_server):
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    asked = []
    page.on("request", lambda request: asked.append(request.url))
    model_server.will("stream", text=CODE, feature="reply")
    steps.say(page, "Show me.")
    expect(steps.replies(page).locator("pre")).to_contain_text("print('tea')")

    steps.replies(page).get_by_role("button", name="Copy code").click()

    steps.expect_announced(page, "Copied")
    # What is told next takes nothing away from what a screen reader has yet to say.
    expect(page.locator("[data-announce]")).to_contain_text("Like this:")
    assert page.evaluate("navigator.clipboard.readText()").strip() == "print('tea')"
    link = steps.replies(page).get_by_role("link", name="a picture")
    expect(link).to_have_attribute("href", "https://example.com/a.png")
    assert not [url for url in asked if "example.com" in url]
