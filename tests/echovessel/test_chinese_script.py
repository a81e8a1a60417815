import pytest

from echovessel import chinese_script


@pytest.mark.parametrize(
    ("traditional", "simplified"),
    [
        ("我養了一隻貓，牠叫湯圓", "我养了一只猫，它叫汤圆"),
        ("妳的頭髮發亮，裡面有麵", "你的头发发亮，里面有面"),
        ("我住在台北", "我住在台北"),
        ("I have a cat.", "I have a cat."),
    ],
)
def test_traditional_characters_are_simplified_in_their_places(traditional, simplified):
    assert chinese_script.simplify(traditional) == simplified
    assert len(traditional) == len(simplified)


def test_simplified_words_are_written_in_traditional_characters():
    assert chinese_script.traditionalise("慢慢来，我听着，见面再说。") == "慢慢來，我聽著，見面再說。"


@pytest.mark.parametrize(
    ("text", "is_traditional", "is_simplified"),
    [("還好嗎", True, False), ("还好吗", False, True), ("晚安", False, False), ("good night", False, False)],
)
def test_the_script_of_a_text_is_told_by_characters_of_one_script_alone(text, is_traditional, is_simplified):
    assert chinese_script.is_traditional(text) == is_traditional
    assert chinese_script.is_simplified(text) == is_simplified


def test_what_was_told_is_written_as_it_was_told():
    told = "我吃了一碗麵，頭髮發亮。"
    assert chinese_script.restore("用户吃了一碗面，头发发亮", told=told) == "用户吃了一碗麵，頭髮發亮"


def test_words_that_nobody_told_are_written_in_ones_own_way():
    written = chinese_script.restore("一碗面啊，见面说", told="一碗麵", own=chinese_script.traditionalise)
    assert written == "一碗麵啊，見面說"
