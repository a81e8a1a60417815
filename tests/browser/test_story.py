import re

import pytest
from playwright.sync_api import expect

from tests.browser import steps


@pytest.mark.usefixtures("worker")
def test_a_cat_is_told_of_remembered_and_named_again(browse):
    page = browse()
    steps.sign_up(page, "mara")
    steps.choose(page, "Marian Hale")
    expect(page.locator(".offline-voice summary")).to_be_visible()

    steps.say(page, "I have a white cat called 小黑.")
    steps.say(page, "He jumps on my face at night.")
    steps.say(page, "It makes me laugh even when I am tired.")
    # The greeting is the first.
    expect(steps.replies(page).nth(1)).to_be_visible()
    page.keyboard.press("Control+k")

    rules = page.locator("[data-rule]")
    expect(rules).to_have_count(2)
    event = page.locator(".memory--event").filter(has_text="小黑").first
    expect(event).to_be_visible()
    expect(event.locator(".impact")).to_have_text(re.compile(r"[+−]?\d"))
    expect(page.locator(".memory--entity").filter(has_text="小黑")).to_be_visible()
    expect(page.locator(".memory--mood").first).to_be_visible()

    event.locator("summary").click()
    event.locator("[data-jump]").first.click()
    expect(page.locator(".message.is-target, .message--user").first).to_be_visible()

    before = steps.replies(page).count()
    steps.say(page, "Do you remember my cat?")
    expect(steps.replies(page)).to_have_count(before + 1)
    expect(steps.replies(page).last).to_contain_text("小黑")

    page.reload()
    expect(steps.replies(page).last).to_contain_text("小黑")
    expect(page.locator("[data-session-link]")).to_have_count(2)


@pytest.mark.usefixtures("worker")
def test_the_same_story_in_chinese(browse):
    page = browse(locale="zh-CN")
    steps.sign_up(page, "lin")
    steps.choose(page, "沈砚")

    steps.say(page, "我养了一只白猫，叫小黑。")
    steps.say(page, "它半夜总跳到我脸上。")
    steps.say(page, "再累我也会被它逗笑。")
    # The greeting is the first.
    expect(steps.replies(page).nth(1)).to_be_visible()
    page.get_by_role("button", name="新聊天").click()

    expect(page.locator(".memory--event").filter(has_text="小黑").first).to_be_visible()
    expect(page.locator(".memory--event .memory__kind").first).to_have_text("事件")
    before = steps.replies(page).count()
    steps.say(page, "你还记得我的猫吗？")
    expect(steps.replies(page)).to_have_count(before + 1)
    expect(steps.replies(page).last).to_contain_text("小黑")
