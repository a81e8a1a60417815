"""Long talks in the browser: folded and asked about without a model; forgotten, edited, merged on and told anew with one."""

import json
import re
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import timedelta

import pytest
from django.db import connections
from django.utils import timezone
from playwright.sync_api import expect

from echovessel.llm import provider
from memory.forgetting import purging
from memory.story.inclusion.budget import FIRM_TOKENS
from memory.story.scenes import closing
from memory.storytelling.work import story_worker
from personas.models import Bond
from tests.browser import steps
from tests.browser.looking import overflow, violations
from tests.browser.test_folding import open_bond, row
from tests.browser.test_left_side import talk
from tests.browser.test_messages import press
from tests.support import story
from tests.support.dumping import tables_with
from tests.support.factories import BondFactory

ENGLISH = (
    "en-GB",
    "We planted forty tulips in the garden of my grandmother.",
    "That sounds lovely, tell me more of day {day}, part {part}.",
    "Do you remember what we planted in the garden of my grandmother?",
    "tulips",
)
CHINESE = (
    "zh-CN",
    "我们在外婆的花园里种了四十株郁金香。",
    "听起来真好，再多说说第 {day} 天的第 {part} 件事吧。",
    "你还记得我们在外婆的花园里种了什么吗？",
    "郁金香",
)


def work():
    """Do what is due, as a worker does; beside Playwright's loop no call can be made in this thread."""
    with ThreadPoolExecutor(1) as pool:
        pool.submit(tell_stories).result()


def tell_stories():
    try:
        story_worker.tell(bond_id=Bond.objects.get().pk, llm=provider.get_llm())
    finally:
        connections.close_all()


@pytest.mark.parametrize("told", [ENGLISH, CHINESE], ids=["en", "zh"])
def test_three_hundred_messages_are_folded_and_asked_about_without_a_model(browse, told):
    language, first, further, question, answer = told
    bond = BondFactory(user__username="mara")
    for day in range(10):
        begun = first if day == 0 else further.format(day=day, part=0)
        talk(bond, begun, *(further.format(day=day, part=part) for part in range(1, 30)), days_ago=10 - day)
    closing.cut_backlog(bond=bond, firm_tokens=FIRM_TOKENS, now=timezone.now())
    work()

    page = open_bond(browse, bond, locale=language)
    page.locator("[data-gap] button").first.press("Enter")
    expect(page.locator(".fold")).to_have_count(8)
    expect(page.locator("[data-messages] [data-message]:not([data-message=''])")).to_have_count(60)
    assert violations(page) + overflow(page, 360) == []
    steps.say(page, question)

    expect(steps.replies(page).last).to_contain_text(answer)


@dataclass(frozen=True)
class Walks:
    """A talk of sixty messages in which a name is told once, what is told of it, and the words of the pages."""

    language: str
    name: str
    named: str
    walked: str
    boat: tuple[str, str]
    met: str
    on: str
    anew: str
    page: tuple[str, str, str, str, str, str]


WALKS = [
    Walks(
        language="en-GB",
        name="Quillfeather",
        named="The heron is called Quillfeather.",
        walked="We walked, mile {n}.",
        boat=("They own a boat.", "They own a red boat."),
        met="They met Quillfeather.",
        on="They walked on.",
        anew="They walked anew.",
        page=("Delete", "being rewritten", "Edit the text", "Save", "Rewrite the whole story", "Tidying memories"),
    ),
    Walks(
        language="zh-CN",
        name="鹭鸶翎",
        named="那只苍鹭叫鹭鸶翎。",
        walked="我们走到了第{n}里。",
        boat=("他们有一条船。", "他们有一条红船。"),
        met="他们遇见了鹭鸶翎。",
        on="他们继续往前走。",
        anew="他们重新走了一遍。",
        page=("删除", "正在重写", "编辑文字", "保存", "全部重新讲述", "整理记忆"),
    ),
]


@pytest.mark.parametrize("site", ["served"], indirect=True)
@pytest.mark.parametrize("told", WALKS, ids=["en", "zh"])
def test_a_line_goes_from_every_version_and_the_edited_story_is_merged_on_and_told_anew(
    browse, model_server, settings, told
):
    settings.MODEL_SERVER, settings.OPENAI_API_KEY, settings.OPENAI_BASE_URL = True, "sk-secret", model_server.url
    settings.LLM_MODELS = {"main": "big", "medium": "mid", "small": "tiny"}
    delete, is_told_anew, edit, save, tell_anew, tidying = told.page
    bond = BondFactory(user__username="mara")
    said = talk(bond, *(told.named if n == 3 else told.walked.format(n=n) for n in range(60)))
    scenes = [story.create_scene(bond, said[at], text=f"{told.name} {at}") for at in (11, 23, 35, 47, 59)]
    points = [
        story.build_point(told.met, scenes[0]),
        story.build_point(told.boat[0], scenes[1], part="state", id="p2"),
    ]
    for _ in range(2):
        story.create_version(bond, *scenes, points=points)
    page = open_bond(browse, bond, locale=told.language)

    row(page, scenes[0]).press("Enter")
    press(page, page.locator(f"#message-{said[3].pk}"), "forget")
    page.locator("#forget-message").get_by_role("button", name=delete).press("Enter")
    expect(page.locator(f"#message-{said[3].pk}")).to_have_count(0)
    # The message itself is in the trash.
    assert tables_with(told.met) == tables_with(f"{told.name} 11") == []
    page.reload()
    expect(row(page, scenes[0])).to_contain_text(is_told_anew)

    page.goto(f"/bonds/{bond.pk}/memory/story/")
    page.locator("summary", has_text=edit).press("Enter")
    field = page.locator("#story-text")
    field.fill(field.input_value().replace(*told.boat))
    page.locator("form", has=field).get_by_role("button", name=save).press("Enter")
    expect(page.locator(".memory__text", has_text=told.boat[1])).to_be_visible()
    assert violations(page) + overflow(page, 360) == []

    def script(text):
        recap = {"title": "1", "outcomes": [{"text": told.on, "lines": [1]}]}
        merge = {"add": [{"part": "happened", "text": text, "scenes": [1]}]}
        for feature, answer in [("scene_recap", recap), ("story_merge", merge)]:
            for _ in scenes:
                model_server.will("answer", text=json.dumps(answer), feature=feature)

    script(told.on)
    work()
    page.reload()
    expect(page.locator(".memory__text", has_text=told.on)).to_be_visible()
    expect(page.locator(".memory__text", has_text=told.boat[1])).to_be_visible()

    model_server.script.clear()
    script(told.anew)
    page.get_by_role("button", name=tell_anew).press("Enter")
    expect(page.get_by_role("heading", name=re.compile(f"^{tidying}"))).to_be_visible()
    work()
    page.goto(f"/bonds/{bond.pk}/memory/story/")
    expect(page.locator(".memory__text", has_text=told.anew)).to_be_visible()
    assert told.name not in page.content()

    purging.purge(now=timezone.now() + timedelta(days=31))
    assert tables_with(told.named, told.met) == []
