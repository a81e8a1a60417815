"""Actions on one message: other replies, the explanation, copying, deleting and undoing."""

import re

import pytest
from playwright.sync_api import expect

from memory.models import ConceptNode, Message
from tests.browser import steps
from tests.browser.late_answer import LateAnswer
from tests.browser.test_conversation import open_bond
from tests.support.factories import BondFactory, ConceptNodeFactory, MessageFactory, SessionFactory

CAT = "The user's cat jumps on their face at night."


@pytest.fixture
def site(served):
    return served


@pytest.fixture
def bond():
    bond = BondFactory(user__username="mara")
    session = SessionFactory(bond=bond, status="closed", message_count=2)
    line = MessageFactory(session=session, content="My cat jumps on my face at night.")
    MessageFactory(session=session, role="persona", content="Poor you.")
    ConceptNodeFactory(bond=bond, session=session, description=CAT, emotional_impact=-3, sources=[line])
    return bond


def press(page, line, act):
    """Choose an item of a message's menu by keyboard."""
    line.locator(".message__more").focus()
    page.keyboard.press("Enter")
    page.locator(f"#message-menu [data-act={act}]").focus()
    page.keyboard.press("Enter")


def test_a_message_is_answered_anew_explained_copied_deleted_and_taken_back(browse, bond, model_server):
    first = browse(bond.user, permissions=["clipboard-read", "clipboard-write"])
    second = open_bond(browse, bond)
    first.goto(f"/bonds/{bond.pk}/")
    steps.wait_until_connected(first)

    model_server.will("stream", text="A cat, **white**.")
    steps.say(first, "Do you remember what my cat does at night?")
    expect(steps.replies(first).last).to_have_text("A cat, white.")
    steps.expect_announced(first, f"{bond.persona.name}: A cat, white.")
    model_server.will("stream", text="He jumps on your face.")
    first.get_by_role("button", name="Regenerate").click()
    for page in (first, second):
        expect(steps.replies(page).last).to_have_text("He jumps on your face.")
        expect(page.locator("[data-reply-count]")).to_have_text("2 / 2")
    # The answer to what the first page chose comes after the second one chose otherwise.
    late = LateAnswer(first, re.compile("/choose/"))
    first.get_by_role("button", name="Previous", exact=True).press("Enter")
    late.wait()
    expect(second.locator("[data-reply-count]")).to_have_text("1 / 2")
    second.get_by_role("button", name="Next", exact=True).press("Enter")
    expect(first.locator("[data-reply-count]")).to_have_text("2 / 2")
    late.arrive()
    expect(first.locator("[data-reply-count]")).to_have_text("2 / 2")
    first.get_by_role("button", name="Previous", exact=True).press("Enter")
    for page in (first, second):
        expect(steps.replies(page).last).to_have_text("A cat, white.")
        expect(page.locator("[data-reply-count]")).to_have_text("1 / 2")
        expect(steps.replies(page)).to_have_count(2)
    expect(first.get_by_role("button", name="Regenerate")).to_be_visible()

    model_server.will("status", status=400)
    first.get_by_role("button", name="Regenerate").click()
    for page in (first, second):
        expect(page.get_by_role("button", name="Try again")).to_be_visible()
        expect(steps.replies(page).last).to_have_text("A cat, white.")
        expect(page.get_by_role("button", name="Regenerate")).to_be_hidden()
    model_server.will("stream", text="He jumps.")
    second.get_by_role("button", name="Try again").click()
    for page in (first, second):
        expect(steps.replies(page).last).to_have_text("He jumps.")
        expect(page.locator("[data-reply-count]")).to_have_text("3 / 3")
    first.get_by_role("button", name="Previous", exact=True).press("Enter")
    expect(first.locator("[data-reply-count]")).to_have_text("2 / 3")
    first.get_by_role("button", name="Previous", exact=True).press("Enter")
    expect(steps.replies(first).last).to_have_text("A cat, white.")

    reply = first.locator(".message--persona").last
    press(first, reply, "copy")
    expect(reply.locator(".message__more")).to_be_focused()
    steps.expect_announced(first, "Copied")
    assert first.evaluate("navigator.clipboard.readText()") == "A cat, **white**."

    press(first, reply, "why")
    why = first.get_by_role("dialog", name="Why this reply?")
    memory = why.locator(".why__memory").first
    node = ConceptNode.objects.get()
    expect(memory.get_by_role("link", name=CAT)).to_have_attribute("href", f"/bonds/{bond.pk}/memory/{node.pk}/")
    expect(memory.locator(".why__because")).to_contain_text("similar to your message")
    memory.locator("summary").click()
    expect(memory.locator("tbody tr")).to_have_count(7)
    first.keyboard.press("Escape")
    expect(reply.locator(".message__more")).to_be_focused()

    told = first.locator(".message--user").first
    press(first, told, "forget")
    asked = first.get_by_role("dialog", name="Delete this message?")
    expect(asked.locator("[data-said]")).to_have_text("My cat jumps on my face at night.")
    asked.get_by_role("button", name="Delete").click()
    offered = first.get_by_role("dialog", name=re.compile("^Also forget what was learned"))
    expect(offered.locator("[data-description]")).to_have_text(CAT)
    offered.get_by_role("button", name="Forget selected").click()
    expect(first.locator("[data-toast-text]")).to_have_text("Message deleted, and what was based on it is forgotten.")
    for page in (first, second):
        expect(page.locator(".message--user")).to_have_count(1)
    assert list(ConceptNode.objects.filter(deleted_at=None)) == []

    first.get_by_role("button", name="Undo").click()
    for page in (first, second):
        expect(page.locator(".message--user")).to_have_count(2)
        expect(page.locator(".message").first).to_contain_text("My cat jumps on my face")
    assert list(ConceptNode.objects.filter(deleted_at=None)) == [node]
    second.reload()
    expect(steps.replies(second).last).to_have_text("A cat, white.")
    expect(second.locator("[data-reply-count]")).to_have_text("1 / 3")
    assert Message.objects.filter(deleted_at=None).count() == 6


def test_two_writes_stand_between_three_texts_live_and_after_a_reload(browse, bond, model_server):
    page = open_bond(browse, bond)
    for text, content in (("One moment.", "The user can't eat nuts."), ("And the town.", "The user lives in Leeds.")):
        model_server.will("calls", text=text, calls=[("memory_save", {"content": content})], feature="reply")
    model_server.will("stream", text="Both are noted.", feature="reply")

    steps.say(page, "I can't eat nuts and I live in Leeds.")

    order = re.compile(
        r"One moment\.\s*Remembered\s.+nuts.+And the town\.\s*Remembered\s.+Leeds.+Both are noted\.", re.DOTALL
    )
    expect(page.locator(".message--persona [data-write]")).to_have_count(2)
    expect(steps.replies(page).last).to_contain_text(order)
    page.reload()
    expect(steps.replies(page).last).to_contain_text(order)
