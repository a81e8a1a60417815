import pytest

from memory.recall import query_intent
from memory.recall.query_intent import Asks


@pytest.mark.parametrize(
    ("said", "asks"),
    [
        ("What is my cat called?", Asks.MEMORY),
        ("what did we eat on the boat", Asks.MEMORY),
        ("我的猫叫什么", Asks.MEMORY),
        ("我们去过哪儿？", Asks.MEMORY),
        ("我腿上的伤是怎么弄的？", Asks.MEMORY),
        ("Who sank the boat?", Asks.OPEN),
        ("店名最后叫什么？", Asks.OPEN),
        ("My cat sleeps.", Asks.OPEN),
        ("我累了", Asks.OPEN),
        ("店里怎么了？", Asks.OPEN),
        ("My phone has died, how do I reset it?", Asks.ADVICE),
        ("Can you recommend a film for us?", Asks.ADVICE),
        ("推荐一首我能睡着的歌", Asks.ADVICE),
        ("衣服上的油漆怎么洗？", Asks.ADVICE),
        ("手柄漂移能修吗？", Asks.ADVICE),
    ],
)
def test_what_a_text_asks_for(said, asks):
    assert query_intent.of(said) is asks


def test_a_question_about_somebody_who_is_named_asks_for_memory():
    assert query_intent.of("Where does Nimbus sleep?", names_someone=True) is Asks.MEMORY
    assert query_intent.of("Nimbus sleeps.", names_someone=True) is Asks.OPEN


@pytest.mark.parametrize("said", ["hi", "Good night then.", "Thank you kindly.", "哈喽", "在不", "好的", "?!", ""])
def test_small_talk_has_no_subject(said):
    assert query_intent.is_small_talk(said)


@pytest.mark.parametrize("said", ["hi, the cat is ill", "早上去了医院", "boat"])
def test_what_has_a_subject_is_no_small_talk(said):
    assert not query_intent.is_small_talk(said)
