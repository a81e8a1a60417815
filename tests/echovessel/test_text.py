from concurrent.futures import ThreadPoolExecutor

import pytest

from echovessel import text


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
        ("Ich wohne nicht in Querétaro", ["queretaro"]),
        ("В Казани Ковалёва, красивый", ["казан", "ковалев", "красив"]),
        ("مهندسًا في الإسكندرية", ["مهندس", "اسكندر"]),
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
        ("£2.5k, 15k, 12万，1万5，3kg", ("2500", "15000", "120000", "10000", "5", "3")),
        ("一万五，三千二百，一百零五，四百五", ("15000", "3200", "105", "450")),
        ("一" * 20, ("1" * 20,)),
        ("一" * 21, ("一" * 21,)),
        ("万" * 5000, ("万" * 5000,)),
    ],
)
def test_numbers_are_read_in_words_and_digits(said, numbers):
    assert text.find_numbers(said) == numbers


@pytest.mark.parametrize("said", ["x", "x" * 10, " 小黑\u202e<b> ", "❤️\u200b\x07"])
def test_text_is_taken_as_it_is(said):
    assert text.check(said, most=10) == said


@pytest.mark.parametrize(
    ("said", "code", "detail"),
    [
        (None, "invalid", "This must be text."),
        (7, "invalid", "This must be text."),
        (["x"], "invalid", "This must be text."),
        ("", "invalid", "This text is blank."),
        (" \n\t\u3000", "invalid", "This text is blank."),
        ("\u200b \u2060\ufeff\x07", "invalid", "This text is blank."),
        ("x" * 11, "too_long", "This text has 11 characters; at most 10 are allowed."),
        ("a\x00b", "invalid", "This text has a character that cannot be stored (a NUL or half a surrogate pair)."),
        ("a\ud83d", "invalid", "This text has a character that cannot be stored (a NUL or half a surrogate pair)."),
    ],
)
def test_what_cannot_be_taken_is_said(said, code, detail):
    with pytest.raises(text.TextError) as refused:
        text.check(said, most=10)

    assert (refused.value.code, refused.value.detail, str(refused.value)) == (code, detail, detail)


def test_unstorable_characters_of_a_model_are_left_out():
    assert text.strip_unstorable("a\x00b\ud800c\udfff小黑") == "abc小黑"


@pytest.mark.parametrize("said", ["小黑", "علی\u200cرضا", "👩\u200d👩\u200d👧", "क्\u200dष", "Zoë"])
def test_a_name_of_any_script_is_one_line(said):
    assert text.is_one_line(said) is True


@pytest.mark.parametrize("said", ["a\nb", "a\u2028b", "a\tb", "a\x07", "a\u202eb", "a\u2066b", "\u200d", " \u200c "])
def test_what_breaks_a_line_or_cannot_be_seen_is_none(said):
    assert text.is_one_line(said) is False


def test_words_are_stemmed_in_several_threads_at_once():
    words = [
        f"{stem}{number}{end}"
        for stem in ("jump", "happi", "nation")
        for number in range(150)
        for end in ("ing", "ness", "ally")
    ]
    alone = [text.stem.__wrapped__(word) for word in words]

    with ThreadPoolExecutor(4) as threads:
        together = list(threads.map(lambda _: [text.stem.__wrapped__(word) for word in words], range(8)))

    assert together == [alone] * 8
