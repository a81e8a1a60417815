from datetime import date

import pytest

from memory.story import card_names

TODAY = date(2026, 11, 23)


def select(*names, said=None):
    return card_names.select_names(names, said=said or " ".join(names), today=TODAY)


@pytest.mark.parametrize(
    "name",
    ["Anna", "Anna Lind", "小黑", "王阿姨", "May", "Café Luna", "Route 66", "Ms. O'Neil", "The Beatles", "x" * 40],
)
def test_a_name_of_somebody_or_something_is_usable(name):
    assert select(name) == [name]


@pytest.mark.parametrize(
    "name",
    [
        *("the", "she", "what", "的", "我们", "它"),
        *("42", "3.5", "10:30", "1,000", "三十"),
        *("yesterday", "on 3 May", "last summer", "Monday", "昨天", "上周三", "星期一"),
        *("dog", "the cat", "my boss", "A Friend", "朋友", "我的老板", "公司"),
        *("A", "黑", "", "   "),
        "x" * 41,
    ],
)
def test_what_names_nobody_and_nothing_is_left_out(name):
    assert select(name) == []


def test_a_name_stands_in_a_told_message_as_a_whole_word():
    assert select("Ann", "Anna", said="I met anna today.") == ["Anna"]
    assert select("小黑", "大黄", said="小黑今天很乖。") == ["小黑"]


def test_ten_names_are_kept():
    names = [f"Anna{letter}" for letter in "abcdefghijk"]

    assert select(*names) == names[:10]
