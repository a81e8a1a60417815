import pytest

from echovessel.llm.offline.chinese import sayings as chinese_sayings
from echovessel.llm.offline.english import sayings as english_sayings
from echovessel.llm.offline.reply.recall import memory_sentences
from echovessel.times import Age


@pytest.mark.parametrize("table", ["AGES", "OWN_TIMES"])
def test_both_languages_have_words_for_every_time(table):
    assert getattr(english_sayings, table).keys() == getattr(chinese_sayings, table).keys()


@pytest.mark.parametrize(
    ("age", "english", "chinese"),
    [
        (Age("now"), "a moment ago", "刚才"),
        (Age("chat"), "earlier in this chat", "刚才聊天的时候"),
        (Age("today"), "earlier today", "今天"),
        (Age("yesterday"), "yesterday", "昨天"),
        (Age("days", 2), "2 days ago", "两天前"),
        (Age("days", 3), "3 days ago", "3天前"),
        (Age("weeks", 2), "2 weeks ago", "两周前"),
        (Age("months", 5), "5 months ago", "5个月前"),
        (Age("years", 2), "2 years ago", "两年前"),
        (Age("older"), "some time ago", "之前"),
    ],
)
def test_an_age_is_said_in_both_languages(age, english, chinese):
    said = [memory_sentences.say_age(age, words) for words in (english_sayings, chinese_sayings)]

    assert said == [english, chinese]
