from datetime import date

import pytest

from memory.recall import memories, query_intent
from memory.recall.query_intent import QueryIntent


@pytest.mark.parametrize(
    ("said", "asks"),
    [
        ("What is my cat called?", QueryIntent.MEMORY),
        ("what did we eat on the boat", QueryIntent.MEMORY),
        ("我的猫叫什么", QueryIntent.MEMORY),
        ("我们去过哪儿？", QueryIntent.MEMORY),
        ("我腿上的伤是怎么弄的？", QueryIntent.MEMORY),
        ("Who sank the boat?", QueryIntent.OPEN),
        ("店名最后叫什么？", QueryIntent.OPEN),
        ("My cat sleeps.", QueryIntent.OPEN),
        ("我累了", QueryIntent.OPEN),
        ("店里怎么了？", QueryIntent.OPEN),
        ("My phone has died, how do I reset it?", QueryIntent.ADVICE),
        ("Can you recommend a film for us?", QueryIntent.ADVICE),
        ("推荐一首我能睡着的歌", QueryIntent.ADVICE),
        ("衣服上的油漆怎么洗？", QueryIntent.ADVICE),
        ("手柄漂移能修吗？", QueryIntent.ADVICE),
    ],
)
def test_what_a_text_asks_for(said, asks):
    assert query_intent.detect_intent(said) is asks


def test_a_question_about_somebody_who_is_named_asks_for_memory():
    assert query_intent.detect_intent("Where does Nimbus sleep?", names_someone=True) is QueryIntent.MEMORY
    assert query_intent.detect_intent("Nimbus sleeps.", names_someone=True) is QueryIntent.OPEN


@pytest.mark.parametrize("said", ["hi", "Good night then.", "Thank you kindly.", "哈喽", "在不", "好的", "?!", ""])
def test_small_talk_has_no_subject(said):
    assert query_intent.is_small_talk(said)


@pytest.mark.parametrize("said", ["hi, the cat is ill", "早上去了医院", "boat"])
def test_what_has_a_subject_is_no_small_talk(said):
    assert not query_intent.is_small_talk(said)


@pytest.mark.parametrize(
    "said",
    [
        "Sum up how it went with Ana.",
        "Give me a summary, please",
        "An account of this year?",
        "把我们的事理一理",
        "从头到尾讲一遍",
    ],
)
def test_who_wants_an_account(said):
    assert query_intent.asks_for_account(said)


@pytest.mark.parametrize(
    "said", ["The sum was up to me.", "My account is empty.", "How did it go with Ana?", "她捋了一下头发", "理了一次发"]
)
def test_who_wants_no_account(said):
    assert not query_intent.asks_for_account(said)


@pytest.mark.parametrize(
    ("said", "is_past"),
    [
        ("What did I do in March?", True),
        ("What happened in March?", True),
        ("What happens in March?", False),
        ("What will happen in March?", False),
        ("Did Peg cook in March?", False),
        ("三月份出了什么事？", True),
        ("三月份我做了什么事？", True),
    ],
)
def test_who_asks_what_happened_means_a_time_that_is_over(said, is_past):
    today = date(2026, 11, 28)

    assert query_intent.asks_what_happened(said, today=today) is is_past
    if is_past:
        assert [one.start for one in memories.find_periods(said, today=today)] == [date(2026, 3, 1)]


@pytest.mark.parametrize(
    ("said", "of_talk", "of_what_happens"),
    [
        ("What did we talk about on 14 March?", True, True),
        ("What did I do last Thursday?", True, True),
        ("What happened last Wednesday?", False, True),
        ("What did Peg cook last Thursday?", False, False),
        ("What happened to Peg?", False, False),
        ("It happened last Thursday.", False, False),
        ("上周三我说了什么？", True, True),
        ("三月五号那天我说了啥", True, True),
        ("三月五号晚上我告诉过你一件什么事？", True, True),
        ("三月五那天我跟你说什么了？", True, True),
        ("四月里我有什么打算？", False, True),
        ("上周三小芸摔了吗？", False, False),
        # Where it happened does not matter.
        ("上周二店里出了什么事？", False, True),
        ("四月一号我有啥子安排？", False, True),
        ("月底三十号前我得办什么？", False, True),
        ("What happened at the shop last Tuesday?", False, True),
        ("店里出了什么事？", False, False),
    ],
)
def test_what_asks_for_a_day_alone(said, of_talk, of_what_happens):
    today = date(2026, 3, 20)

    assert query_intent.is_about_day(said, today=today) is of_talk
    assert query_intent.asks_what_happens(said, today=today) is of_what_happens
