"""What becomes of messages in the prompt: in their menu, on all of them, and said once a chat."""

import re

from playwright.sync_api import expect

from memory.models import ConceptNode, Message, Scene
from tests.browser.looking import overflow, violations
from tests.browser.test_folding import open_bond, row, tell
from tests.browser.test_left_side import talk
from tests.browser.test_messages import press
from tests.support.factories import BondFactory, ConceptNodeFactory, MessageFactory, SessionFactory

NARROW = {"width": 360, "height": 640}


def test_a_message_is_left_out_of_memory_and_taken_in_again(browse):
    bond = BondFactory(user__username="mara", persona__name="Marian")
    [line] = talk(bond, "My cat jumps on my face at night.")
    node = ConceptNodeFactory(bond=bond, description="A cat that jumps.", sources=[line])
    page = open_bond(browse, bond, viewport=NARROW)
    message = page.locator(f"#message-{line.pk}")
    menu = page.locator("#message-menu")

    message.locator(".message__more").focus()
    page.keyboard.press("Enter")
    expect(menu.locator("[data-menu-told]")).to_have_text("Marian reads it word for word, as it is recent.")
    assert violations(page) + overflow(page, 360) == []
    page.keyboard.press("Escape")
    press(page, message, "leaveOut")
    offered = page.get_by_role("dialog", name=re.compile("^Also forget what was learned"))
    expect(offered).to_contain_text("These memories come of it alone:")
    assert violations(page) + overflow(page, 360) == []
    offered.get_by_role("button", name="Forget selected").press("Enter")
    expect(page.locator("[data-toast-text]")).to_contain_text("Message left out of memory")
    assert (Message.objects.get().left_out, ConceptNode.objects.filter(deleted_at=None).count()) == (True, 0)

    page.get_by_role("button", name="Undo").press("Enter")
    expect(page.locator("[data-toast-text]").last).to_have_text("Message taken into memory again.")
    assert (Message.objects.get().left_out, ConceptNode.objects.get(deleted_at=None)) == (False, node)
    press(page, message, "leaveOut")
    offered.get_by_role("button", name="Keep them").press("Enter")
    expect(page.locator("[data-toast-text]").last).to_have_text("Message left out of memory.")
    page.reload()
    message.locator(".message__more").press("Enter")
    expect(menu.locator("[data-menu-told]")).to_contain_text("You left it out of memory.")
    expect(menu.locator("[data-act=leaveOut]")).to_be_hidden()
    menu.locator("[data-act=takeIn]").press("Enter")
    expect(page.locator("[data-toast-text]")).to_have_text("Message taken into memory again.")
    assert not Message.objects.get().left_out


def test_what_is_told_is_shown_on_all_messages_also_of_a_scene_that_opens(browse):
    bond = BondFactory(user__username="mara")
    said, scenes = tell(bond)
    page = open_bond(browse, bond)

    press(page, page.locator(f"#message-{said[-1].pk}"), "showTold")
    expect(page.locator("[data-told]", has_text="Word for word")).to_have_count(24)
    row(page, scenes[0]).press("Enter")
    expect(page.locator("[data-told]", has_text="In the story")).to_have_count(12)
    press(page, page.locator(f"#message-{said[-1].pk}"), "hideTold")

    expect(page.locator("[data-told]", has_text=re.compile("."))).to_have_count(0)


def test_a_long_chat_says_once_that_its_beginning_is_told_in_short(browse):
    bond = BondFactory(user__username="mara", persona__name="Marian")
    session = SessionFactory(bond=bond, message_count=60)
    for number in range(60):
        MessageFactory(session=session, content=f"Line {number}.", token_count=120)
    page = open_bond(browse, bond, viewport=NARROW)
    head = page.locator("[data-told-head]")

    expect(head).to_contain_text("Marian reads its first messages in short")
    assert violations(page) + overflow(page, 360) == []
    head.get_by_role("button", name="Show memory status").press("Enter")
    expect(head).to_be_hidden()
    expect(page.locator("[data-told]", has_text=re.compile("Word for word|Recapped"))).to_have_count(50)
    page.reload()
    expect(page.locator("[data-connection][data-state=online]")).to_be_attached()
    page.wait_for_load_state("networkidle")
    expect(head).to_be_hidden()


def test_a_scene_is_ended_behind_a_reply_and_taken_back(browse):
    bond = BondFactory(user__username="mara")
    session = SessionFactory(bond=bond, status="closed", message_count=6)
    said = [MessageFactory(session=session, role=role) for role in ["user", "persona"] * 3]
    page = open_bond(browse, bond)

    press(page, page.locator(f"#message-{said[5].pk}"), "endScene")
    expect(page.locator("[data-toast-text]")).to_contain_text("A scene cannot end here")
    press(page, page.locator(f"#message-{said[1].pk}"), "endScene")
    expect(page.locator("[data-toast-text]").last).to_have_text("Scene ended here.")
    assert Scene.objects.get().last_message_id == said[1].pk

    with page.expect_response(lambda answer: answer.request.method == "DELETE"):
        page.get_by_role("button", name="Undo").press("Enter")
    assert not Scene.objects.exists()
    page.locator(f"#message-{said[0].pk} .message__more").press("Enter")
    expect(page.locator("#message-menu [data-act=endScene]")).to_be_hidden()


def test_the_menu_of_a_message_is_whole_in_a_low_window(browse):
    bond = BondFactory(user__username="mara", persona__name="Marian")
    [line] = talk(bond, "My cat jumps on my face at night.")
    page = open_bond(browse, bond, viewport={"width": 360, "height": 440})
    menu = page.locator("#message-menu")

    page.locator(f"#message-{line.pk} .message__more").press("Enter")
    expect(menu.locator("[data-menu-told]")).not_to_be_empty()
    page.wait_for_function(
        "() => document.getElementById('message-menu').getBoundingClientRect().bottom <= innerHeight"
    )
    assert menu.evaluate("menu => menu.getBoundingClientRect().top") >= 0
