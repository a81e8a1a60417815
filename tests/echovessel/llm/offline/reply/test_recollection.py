import pytest

from echovessel.llm.inputs import Certainty
from echovessel.llm.offline import reply
from echovessel.llm.offline.chinese import sayings as chinese
from echovessel.llm.offline.english import sayings as english
from tests.support.reply_inputs import inputs, said, told

DOG, DOG_CHINESE = "My dog is called Biscuit.", "我的狗叫豆豆。"


def answer(burst, certainty, *memories):
    return reply.compose(inputs(burst, recalled=[told(one) for one in memories], certainty=certainty))


@pytest.mark.parametrize("certainty", [Certainty.TIP, Certainty.UNKNOWN])
@pytest.mark.parametrize(
    ("burst", "words"),
    [("What was my first teacher called?", english), ("我的第一个老师叫什么名字？", chinese)],
)
def test_what_was_never_told_is_said_and_asked_back(burst, words, certainty):
    said = answer(burst, certainty)

    assert said in words.SAYINGS["never_told"]
    assert said.endswith(("?", "？"))


@pytest.mark.parametrize("certainty", [Certainty.TIP, Certainty.UNKNOWN])
@pytest.mark.parametrize(
    ("burst", "memory", "refusals"),
    [
        ("What is my cat called?", DOG, ("don't remember", "won't guess")),
        ("我的猫叫什么名字？", DOG_CHINESE, ("不记得", "不想乱猜")),
        ("When did I break my leg?", "I broke my wrist in March.", ("don't remember", "won't guess")),
        ("我是什么时候摔断腿的？", "我上个月滑雪摔断了手腕。", ("不记得", "不想乱猜")),
    ],
)
def test_a_near_miss_is_named_as_near_and_not_claimed(burst, memory, refusals, certainty):
    said = answer(burst, certainty, memory)

    assert any(one in said for one in refusals)
    assert memory.strip(".。") in said
    assert said.endswith(("?", "？"))


@pytest.mark.parametrize(
    ("burst", "memory", "name"),
    [("What is my dog called?", DOG, "Biscuit"), ("我的狗叫什么名字？", DOG_CHINESE, "豆豆")],
)
def test_what_was_told_is_said_as_surely_as_it_is_known(burst, memory, name):
    known, believed = (answer(burst, certainty, memory) for certainty in (Certainty.KNOWN, Certainty.UNSURE))

    assert name in known
    assert not known.endswith(("?", "？"))
    assert name in believed
    assert believed.endswith(("?", "？"))


def test_a_noted_fact_is_told_however_little_is_found():
    slots = {"work": "The user works as a nurse."}

    said = reply.compose(inputs("What do I do for a living?", slots=slots, certainty=Certainty.UNKNOWN))
    assert "nurse" in said


def test_grief_is_answered_before_what_is_not_remembered():
    said = answer("My dad died. Which song did I play?", Certainty.UNKNOWN)

    assert said not in english.SAYINGS["never_told"]


def test_what_the_companion_cannot_tell_of_itself_is_looked_for_in_memory():
    asked = "What did you say about my garden plans?"

    assert answer(asked, Certainty.UNKNOWN) in english.SAYINGS["never_told"]
    assert answer(asked, None) not in english.SAYINGS["never_told"]


@pytest.mark.parametrize(
    ("burst", "memory"),
    [("我姐姐做什么工作？", "我姐姐小兰住在厦门，是护士。"), ("我弟弟是做什么的？", "用户的弟弟是焊工。")],
)
def test_the_work_of_a_relative_is_found(burst, memory):
    assert memory[-4:-1] in answer(burst, Certainty.HERE, memory)


def test_what_changed_is_told_where_one_asks_how_it_is_now():
    told_first = "my sister Chloe studies marine biology in Plymouth"
    told_later = "went to see chloe this weekend, long drive. she's switched to Newcastle, she likes it more"

    assert "Newcastle" in answer("where does chloe study now?", Certainty.KNOWN, told_first, told_later)
    assert "Plymouth" in answer("where did chloe study first?", Certainty.KNOWN, told_first)


def test_who_is_told_not_to_be_so_is_no_answer():
    mad, not_mad = "my flatmate Jaz isn't talking to me, she's mad at me", "I broke tom's mug but he's not mad"

    assert "Jaz" in answer("who's mad at me", Certainty.KNOWN, mad, not_mad)
    assert answer("who's mad at me", Certainty.UNKNOWN, not_mad) in english.SAYINGS["never_told"]
    assert "not mad" in answer("who's not mad at me", Certainty.KNOWN, not_mad)


def test_what_memory_takes_for_a_question_is_answered():
    told_of = "jaz is out of hospital"

    assert told_of in answer("is jaz ok", Certainty.KNOWN, told_of)
    assert told_of not in answer("is jaz ok", None, told_of)


@pytest.mark.parametrize(
    ("burst", "remembered", "is_quoted"),
    [
        ("The coffee machine is leaking.", "The coffee machine is leaking all over the toaster.", True),
        ("The coffee machine is leaking.", "The coffee machine is leaking.", False),
        ("超市打折，买了一大堆。", "超市打折，买了一大堆。", False),
        ("超市打折，买了一大堆。", "超市打折，买了一大堆鸡蛋。", True),
    ],
)
def test_who_says_the_same_again_is_not_reminded_of_it(burst, remembered, is_quoted):
    said = reply.compose(inputs(burst, recalled=[told(remembered, days=9)]))

    assert (remembered.rstrip(".。") in said) == is_quoted


@pytest.mark.parametrize(
    ("burst", "nearest", "cosine", "kind"),
    [
        ("我什么东西喝不了？", "我不能喝咖啡，一喝就心慌", 0.51, "believed"),
        ("我喜欢听谁的歌", "我最喜欢的歌手是周深", 0.55, "believed"),
        ("修车花了多少", "电瓶车今天又爆胎了 修了80块", 0.38, "near"),
        # Of another kind, of somebody else, of the companion, or not near.
        ("我爸叫什么", "儿子刚满一岁 还不会叫爸爸", 0.46, ""),
        ("我闺女喜欢吃什么", "我爱吃甜的，医生不让", 0.45, ""),
        ("我最喜欢什么颜色", "我最喜欢的歌手是周深", 0.4, ""),
        ("我穿多大码的鞋", "我开一辆十年的老卡罗拉", 0.2, ""),
    ],
)
@pytest.mark.parametrize("certainty", [Certainty.UNKNOWN, None])
def test_what_is_nearest_by_its_vector_answers_what_no_words_do(burst, nearest, cosine, kind, certainty):
    answered = reply.compose(inputs(burst, nearest=(said(nearest), cosine), certainty=certainty))

    assert (f"“{nearest}”" in answered) == bool(kind)
    assert not kind or any(answered.startswith(one.partition("{")[0]) for one in chinese.SAYINGS[kind])
