from collections import Counter

from chat.evaluation import words
from chat.evaluation.words import SentenceGenerator
from echovessel import text


def test_the_same_seed_says_the_same():
    assert [SentenceGenerator(1).make_message_text(at) for at in range(5)] == [
        SentenceGenerator(1).make_message_text(at) for at in range(5)
    ]
    assert SentenceGenerator(1).make_message_text(1) != SentenceGenerator(2).make_message_text(1)


def test_every_fourth_message_is_chinese():
    said = SentenceGenerator(1)

    assert [text.has_cjk(said.make_message_text(at)) for at in range(9)] == [
        True,
        False,
        False,
        False,
        True,
        False,
        False,
        False,
        True,
    ]


def test_words_are_the_rarer_the_later_they_stand():
    counts = Counter(SentenceGenerator(1).make_sentence(20_000).split())

    assert counts["w0"] > counts["w100"] > counts["w4000"]


def test_queries_go_from_the_common_to_the_rare():
    latin, chinese = words.make_latin_queries(5), words.make_chinese_queries(5)

    assert latin == ["w0", "w4", "w29", "w165", "w909"]
    assert chinese == [words.CHINESE[at] for at in (0, 3, 19, 86, 387)]
    assert {len(word) for word in chinese} == {2}
