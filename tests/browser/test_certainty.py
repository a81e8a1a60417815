"""What a companion knows of what it knows, as a person sees it: by the rules alone, and with a model server."""

import re
from datetime import timedelta

import pytest
from django.utils import timezone
from playwright.sync_api import expect

from chat.models import Turn
from chat.turns.prompting.sections import certainty_sections
from echovessel.llm.inputs import Certainty
from tests.browser import steps
from tests.browser.conftest import ready
from tests.support.factories import BondFactory, ConceptNodeFactory, MessageFactory, SessionFactory

ENGLISH = {
    "locale": "en-GB",
    "dog": "My dog is called Biscuit.",
    "interview": "The user has an interview at the harbour.",
    "due": "interview at the harbour",
    "greeting": "hi",
    "unknown": "What was my first teacher called?",
    "near": "What is my cat called?",
    "claimed": re.compile("(?i)your cat is|cat is called"),
    "forgotten": re.compile("don't remember.*[?]"),
    "why_nothing": "Nothing was found that answers what you asked.",
    "why_slight": "memories, messages quoted from earlier chats, since your message said too little",
    "why_return": "You came back after 3 days.",
}
CHINESE = {
    "locale": "zh-CN",
    "dog": "我的狗叫豆豆。",
    "interview": "用户要去港口面试。",
    "due": "港口面试",
    "greeting": "你好",
    "unknown": "我的第一个老师叫什么？",
    "near": "我的猫叫什么？",
    "claimed": re.compile("猫叫"),
    "forgotten": re.compile("不记得.*？"),
    "why_nothing": "没有找到能回答你的内容。",
    "why_slight": "你的消息内容太少",
    "why_return": "你在 3 天后回来了。",
}


@pytest.fixture(params=["rules", "model"])
def site(request, transactional_db):
    if request.param == "model":
        yield request.getfixturevalue("served")
    else:
        yield from ready(request.getfixturevalue("only_site"))


@pytest.fixture
def is_served(request, site):
    return request.node.callspec.params["site"] == "model"


def tell_three_days_ago(bond, words):
    """Let the bond have talked of a dog, and of an interview that was yesterday."""
    then = timezone.now() - timedelta(days=3)
    session = SessionFactory(bond=bond, status="closed", started_at=then, message_count=1)
    MessageFactory(session=session, content=words["dog"], created_at=then)
    yesterday = timezone.now().date() - timedelta(days=1)
    days = {"event_time_start": yesterday, "event_time_end": yesterday}
    ConceptNodeFactory(bond=bond, session=session, description=words["interview"], created_at=then, **days)
    ConceptNodeFactory(bond=bond, session=session, description=words["dog"], created_at=then)


def ask(page, said, *, before):
    """Say something, and return the reply."""
    steps.say(page, said)
    expect(steps.replies(page)).to_have_count(before + 1)
    return steps.text_of(steps.replies(page).last)


def explain_last(page):
    """Open why the last reply is as it is."""
    page.locator(".message--persona .message__more").last.click()
    page.locator("#message-menu [data-act=why]").click()
    why = page.locator("#why")
    expect(why.locator("summary").last).to_be_visible()
    return why


@pytest.mark.parametrize("words", [ENGLISH, CHINESE], ids=["en", "zh"])
def test_what_is_due_is_taken_up_and_nothing_is_claimed_that_was_never_told(browse, model_server, is_served, words):
    bond = BondFactory(user__username="mara")
    tell_three_days_ago(bond, words)
    page = browse(bond.user, locale=words["locale"])
    page.goto(f"/bonds/{bond.pk}/")
    steps.wait_until_connected(page)

    greeted = ask(page, words["greeting"], before=0)
    why = explain_last(page)
    expect(why).to_contain_text(words["why_return"])
    expect(why).to_contain_text(words["why_slight"])
    page.keyboard.press("Escape")
    untold = ask(page, words["unknown"], before=1)
    why = explain_last(page)
    expect(why).to_contain_text(words["why_nothing"])
    page.keyboard.press("Escape")
    near = ask(page, words["near"], before=2)

    states = [turn.trace["knowing"]["state"] for turn in Turn.objects.order_by("created_at")]
    assert states[:2] == [None, "unknown"]
    assert states[2] in ("tip", "unknown")
    if is_served:
        prompts = [str(body["messages"]) for body in model_server.requests if body.get("stream")]
        assert words["due"] in prompts[0]
        assert "# What you remember" not in prompts[0]
        assert [certainty_sections.SENTENCES[Certainty.UNKNOWN] in prompt for prompt in prompts[:2]] == [False, True]
        assert certainty_sections.SENTENCES[Certainty(states[2])] in prompts[2]
    else:
        assert words["due"] in greeted
        assert words["forgotten"].search(untold)
        assert words["claimed"].search(near) is None
        assert near.endswith(("?", "？"))
