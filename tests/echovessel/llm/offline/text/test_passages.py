import re

import pytest

from echovessel.llm.offline.text import passages

WANTED = re.compile(r"\bno need to|记")


def find(line, words=()):
    return [passage.text for passage in passages.find(line, WANTED, words)]


def test_the_first_and_the_last_sentences_of_a_long_line_are_read():
    between = "It rained. " * 700
    lines = [f"No need to {at}. {between}" for at in range(9)]

    assert find("".join(lines)) == [f"No need to {at}." for at in (0, 1, 2, 6, 7, 8)]
    assert find(f"{between}No need to. {between}Sam waits. {between}", ["sam"]) == ["No need to.", "Sam waits."]
    assert find(between) == []


@pytest.mark.parametrize(
    ("said", "is_question"),
    [
        ("Do you call me Ann", True),
        ("Do not call me Ann, I am tired", False),
        ("我写前端还是后端", True),
        ("叶子生了男孩还是女孩", True),
        ("我吃了药还是不舒服", False),
        ("最想去的地方是冰岛，攒钱呢", False),
        ("我要睡了，你呢", True),
        ("我现在75公斤了，牛不牛", False),
        ("老公问晚上吃什么", False),
        ("她发消息问我在干嘛", False),
        ("面试官问了我哪些问题", True),
        ("我妈问我啥了", True),
        ("谁问我怎么种番茄", True),
        ("我都不知道他问了什么", False),
    ],
)
def test_an_order_is_no_question(said, is_question):
    assert passages.is_question(said) is is_question


@pytest.mark.parametrize("before", range(988, 1002))
def test_a_keyword_is_found_wherever_it_stands(before):
    assert find(f"{'-' * (before - 2)}. No need to. {'-' * 900}") == ["No need to."]
