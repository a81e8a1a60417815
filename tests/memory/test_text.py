import pytest

from memory import text


@pytest.mark.parametrize(
    ("name", "folded"),
    [
        ("Nimbus", "nimbus"),
        ("  Aunt \t May\n", "aunt may"),
        ("ＮＩＭＢＵＳ", "nimbus"),
        ("Straße", "strasse"),
        ("小黑", "小黑"),
        ("\u3000小 黑", "小 黑"),
    ],
)
def test_names_are_folded(name, folded):
    assert text.fold(name) == folded


@pytest.mark.parametrize(
    ("said", "name", "is_named"),
    [
        ("I met Ann today", "Ann", True),
        ("ANN!", "Ann", True),
        ("Ann's dog", "Ann", True),
        ("we plan the annual party", "Ann", False),
        ("Joanna", "Ann", False),
        ("Ann2", "Ann", False),
        ("我和Ann吃饭", "Ann", True),
        ("aunt  may came", "Aunt May", True),
        ("a C++ course", "C++", True),
        ("今天小黑跳到我脸上", "小黑", True),
        ("今天小白跳到我脸上", "小黑", False),
        ("黑夜", "黑", False),
        ("小Amy来了", "小Amy", True),
    ],
)
def test_latin_names_are_whole_words_and_cjk_names_any_part(said, name, is_named):
    assert text.contains_name(text.fold(said), text.fold(name)) is is_named


@pytest.mark.parametrize(
    ("said", "terms"),
    [
        ("My cats were jumping", ["cat", "jump"]),
        ("Anna's dog", ["anna", "dog"]),
        ("Anna’s dog can’t sleep", ["anna", "dog", "can't", "sleep"]),
        ("我的猫叫小黑", ["猫", "叫", "小", "黑", "猫叫", "叫小", "小黑"]),
        ("那块手帕，你还记得吗", ["手", "帕", "手帕"]),
        ("样品出了什么问题", ["样", "品", "出", "样品", "品出"]),
        ("我家的猫", ["猫"]),
        ("我是哪天被裁的？", ["裁"]),
        ("一碗面条", ["碗", "面", "条", "碗面", "面条"]),
        ("小黑 and Nimbus", ["小", "黑", "小黑", "nimbus"]),
        ("to be or not to be", []),
        ("", []),
        ("🐈 !?", []),
        ("x" * 100, ["x" * 64]),
    ],
)
def test_terms_leave_out_function_words_and_characters(said, terms):
    assert text.extract_terms(said) == terms


def test_search_terms_keep_every_word_and_bigram():
    assert text.extract_search_terms("我的 cats aren’t") == ["我", "的", "我的", "cat", "aren't"]


@pytest.mark.parametrize(("said", "has"), [("小黑", True), ("カフェ", True), ("한국", True), ("Nimbus 2", False)])
def test_cjk_is_seen(said, has):
    assert text.has_cjk(said) is has


@pytest.mark.parametrize(
    ("said", "numbers"),
    [
        ("married forty-four years, 3 cats", ("44", "3")),
        ("1,200 steps, the first of seven", ("1200", "first", "7")),
        ("二十三个，一九九八年，两千", ("23", "1998", "2000")),
        ("一半", ("一半",)),
        ("一" * 20, ("1" * 20,)),
        ("一" * 21, ("一" * 21,)),
        ("万" * 5000, ("万" * 5000,)),
    ],
)
def test_numbers_are_read_in_words_and_digits(said, numbers):
    assert text.find_numbers(said) == numbers
