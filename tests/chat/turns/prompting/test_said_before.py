import pytest

from chat.pages.conversation import reply_explanation
from chat.turns import actions
from memory.models import Message
from tests.support.factories import NOW, BondFactory
from tests.support.scenes import say_turns
from tests.support.talking import answer, reply, say

pytestmark = pytest.mark.django_db


@pytest.fixture
def bond(settings):
    settings.OFFLINE_TOKEN_SECONDS = 0
    return BondFactory(user__username="mara_77", user__display_name="")


def variants(turn):
    replies = Message.objects.filter(turn_id=turn.pk, role="persona").order_by("variant")
    return [reply.content for reply in replies]


@pytest.mark.parametrize("line", ["I had soup for lunch.", "I'm so tired.", "ok", "今天好累。", "嗯"])
def test_another_reply_by_rules_is_another_one(bond, line):
    turn = say(bond, line, now=NOW)

    for _ in range(2):
        actions.regenerate(turn=turn, now=NOW)
        answer(bond, now=NOW)

    assert len(set(variants(turn))) == 3


@pytest.mark.parametrize(
    ("told", "asked"),
    [("My name is Nadia.", "What's my name?"), ("我叫许晴。", "我叫什么？"), ("我家的狗叫皮蛋。", "我的狗叫什么？")],
)
def test_another_answer_of_the_same_is_said_in_other_words(bond, told, asked):
    say(bond, told, now=NOW)
    turn = say(bond, asked, now=NOW)

    for _ in range(2):
        actions.regenerate(turn=turn, now=NOW)
        answer(bond, now=NOW)

    assert len(set(variants(turn))) == 3


def test_a_sentence_is_not_said_twice_while_others_fit(bond):
    said = [reply(say(bond, "I see.", now=NOW)) for _ in range(6)]

    assert len(set(said)) == 6


@pytest.mark.parametrize(
    ("told", "asked", "answer"),
    [
        ("My name is Nadia.", "What's my name?", "Nadia."),
        ("I work as a sound engineer.", "What is my job?", "you work as a sound engineer"),
        ("I moved to Leeds in August.", "Where do I live?", "you moved to Leeds in August"),
        ("My surgery is on the 14th of March.", "When is my surgery?", "your surgery is on the 14th of March"),
        ("我叫许晴。", "我叫什么？", "许晴"),
        ("我在一家小剧场做音响师。", "我是做什么工作的？", "你在一家小剧场做音响师"),
        ("我八月搬到了苏州。", "我住在哪里？", "你八月搬到了苏州"),
        ("我的手术定在三月十四号。", "我的手术是什么时候？", "你的手术定在三月十四号"),
    ],
)
@pytest.mark.parametrize("has_story", [False, True], ids=["no story", "story"])
def test_what_was_stated_plainly_is_known_far_beyond_the_newest_messages_and_stands_in_the_trace(
    bond, told, asked, answer, has_story, settings
):
    settings.STORY_ENABLED = has_story
    stated = say(bond, told, now=NOW)
    say_turns(bond, 12, text="Hm." if told.isascii() else "嗯。")

    turn = say(bond, asked, now=NOW)

    assert answer in reply(turn)
    [message] = Message.objects.filter(turn_id=stated.pk, role="user")
    assert message in reply_explanation.load(turn).quoted


def test_who_never_said_their_name_is_told_so(bond):
    assert reply(say(bond, "What is my name?", now=NOW)) == "You haven't told me; here you go by mara_77."
