"""Answers that come late, after what happened since is on the page already: nothing of before comes back."""

import re

from django.urls import reverse
from django.utils import timezone
from playwright.sync_api import expect

from memory.facts import undoing
from memory.forgetting import removal, trash
from memory.models import FactWrite, Message
from tests.browser import steps
from tests.browser.late_answer import LateAnswer
from tests.browser.test_conversation import open_bond
from tests.browser.test_folding import row, tell
from tests.browser.test_left_side import talk
from tests.browser.test_messages import press
from tests.browser.test_off_record import notice
from tests.support import facts, story
from tests.support.factories import BondFactory


def test_the_timeline_keeps_what_was_learned_since(browse):
    bond = BondFactory(user__username="mara")
    page = open_bond(browse, bond)
    late = LateAnswer(page, f"**{reverse('bond_memories', args=[bond.pk])}")
    learned = page.locator("#memory .memory--fact")

    facts.save(bond)
    late.wait()
    facts.save(bond, facts.LEEDS)
    expect(learned).to_have_count(2)
    late.arrive()

    expect(learned).to_have_count(2)


def test_a_line_of_what_was_noted_stays_undone(browse):
    bond = BondFactory(user__username="mara")
    page = open_bond(browse, bond)
    late = LateAnswer(page, re.compile(rf"/bonds/{bond.pk}/writes/\d+/$"))
    line = page.locator("[data-write] summary")

    steps.say(page, "Please remember that I can't eat nuts.")
    late.wait()
    undoing.undo(write=FactWrite.objects.get(), now=timezone.now())
    expect(line).to_contain_text("Undone")
    late.arrive()

    expect(line).to_contain_text("Undone")


def test_a_message_deleted_while_its_scene_opens_does_not_come_back(browse):
    bond = BondFactory(user__username="mara")
    said, scenes = tell(bond)
    page = open_bond(browse, bond)
    late = LateAnswer(page, re.compile("/lines/"))

    row(page, scenes[1]).press("Enter")
    late.wait()
    # The frame that tells of it has the list of chats read anew.
    with page.expect_response(lambda answer: reverse("bond_sessions", args=[bond.pk]) in answer.url):
        removal.forget_message(message=said[13], now=timezone.now())
    late.arrive()

    expect(page.locator(f"#message-{said[12].pk}")).to_be_focused()
    expect(page.locator(f"#message-{said[13].pk}")).to_have_count(0)


def test_a_chat_deleted_while_its_scene_opens_does_not_come_back(browse):
    bond = BondFactory(user__username="mara")
    [*_, first] = talk(bond, *(f"The garden, line {n}." for n in range(12)))
    scene = story.create_scene(bond, first, text="A day about the garden.")
    _, scenes = tell(bond)
    story.create_version(bond, scene, *scenes)
    page = open_bond(browse, bond)
    late = LateAnswer(page, re.compile("/lines/"))

    row(page, scene).press("Enter")
    late.wait()
    with page.expect_response(lambda answer: reverse("bond_sessions", args=[bond.pk]) in answer.url):
        removal.forget_session(session=first.session, now=timezone.now())
    late.arrive()

    expect(row(page, scene)).to_have_count(0)
    expect(page.get_by_text("The garden, line 3.")).to_have_count(0)


def test_a_message_left_out_stays_so_where_its_menu_asked_before(browse):
    bond = BondFactory(user__username="mara")
    [line] = talk(bond, "My cat jumps on my face at night.")
    page = open_bond(browse, bond)
    late = LateAnswer(page, re.compile("/lines/told/"))
    message = page.locator(f"#message-{line.pk}")

    message.locator(".message__more").press("Enter")
    late.wait()
    page.locator("#message-menu [data-act=leaveOut]").press("Enter")
    expect(message).to_have_attribute("data-left-out", "")
    late.arrive()

    expect(message).to_have_attribute("data-left-out", "")


def test_a_message_that_is_no_longer_kept_gets_no_star_again(browse):
    bond = BondFactory(user__username="mara")
    [line] = talk(bond, "My cat jumps on my face at night.")
    page = browse(bond.user)
    with page.expect_websocket() as socket:
        page.goto(f"/bonds/{bond.pk}/")
    late = LateAnswer(page, re.compile("/keep/$"))
    message = page.locator(f"#message-{line.pk}")
    star = message.locator("[data-kept]")

    press(page, message, "keep")
    late.wait()
    expect(star).to_be_visible()
    with socket.value.expect_event("framereceived", lambda frame: "chat.message.kept" in frame):
        press(page, message, "letGo")
    expect(star).to_be_hidden()
    late.arrive()

    expect(star).to_be_hidden()


def test_a_message_deleted_again_does_not_come_back(browse):
    bond = BondFactory(user__username="mara")
    _, line = talk(bond, "It is late.", "My cat jumps on my face at night.")
    page = open_bond(browse, bond)
    shown = page.locator(f"#message-{line.pk}")
    late = LateAnswer(page, re.compile(rf"/lines/{line.pk}/$"))

    removal.forget_message(message=line, now=timezone.now())
    expect(shown).to_have_count(0)
    trash.restore(act=trash.find(bond=bond, kind="message", object_id=line.pk), now=timezone.now())
    late.wait()
    with page.expect_response(lambda answer: reverse("bond_sessions", args=[bond.pk]) in answer.url):
        removal.forget_message(message=Message.objects.get(pk=line.pk), now=timezone.now())
    late.arrive()

    expect(shown).to_have_count(0)


def test_of_two_chats_begun_at_once_the_last_one_is_shown(browse):
    bond = BondFactory(user__username="mara")
    page = open_bond(browse, bond)
    late = LateAnswer(page, re.compile(rf"/api/bonds/{bond.pk}/sessions/"))

    page.get_by_role("button", name="New chat", exact=True).first.click()
    late.wait()
    page.get_by_role("button", name="Chat off the record").click()
    # The second one waits: nothing was asked for before this.
    page.evaluate(f"fetch('/api/bonds/{bond.pk}/sessions/')")
    assert [route.request.method for route in late.asked] == ["POST", "GET"]
    late.arrive()

    expect(notice(page)).to_be_visible()
    assert bond.sessions.filter(status="open", off_record=True).exists()


def test_two_refused_messages_go_back_to_where_they_were_written_once(browse):
    page = open_bond(browse, BondFactory(user__username="mara"))
    held = []

    def hold(route):
        held.append(route)
        released = [*held] if len(held) == 2 else held[2:][-1:]
        for one in released:
            one.continue_()

    page.route("**/messages/", hold)
    for text in ("one\x00", "two\x00"):
        page.locator("#say").fill(text)
        page.locator("#say").press("Enter")

    expect(page.locator(".message--user")).to_have_count(0)
    expect(page.locator("#say")).to_have_value("two\x00\none\x00")
