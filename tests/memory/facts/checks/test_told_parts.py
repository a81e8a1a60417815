import pytest

from memory.facts.checks import told_parts


@pytest.mark.parametrize(
    ("said", "parts"),
    [
        ("Kate and Dan had a row about money", ["Kate and Dan had a row about money."]),
        ("My brother and I fell out", ["My brother and I fell out."]),
        ("I like tea and Dan likes coffee", ["I like tea.", "Dan likes coffee."]),
    ],
)
def test_who_did_something_together_is_one_part(said, parts):
    assert told_parts.list_told(said) == parts


@pytest.mark.parametrize(
    ("said", "name", "divided"),
    [
        ("我养了一只柯基，叫土豆", "土豆", ("我养了一只柯基，叫土豆。", "")),
        ("我住在成都，养了一只柯基，叫土豆", "土豆", ("我养了一只柯基，叫土豆。", "我住在成都。")),
        (
            "I live in Leeds, I have a cat, she's called Moss",
            "Moss",
            ("I have a cat, she's called Moss.", "I live in Leeds."),
        ),
        (
            "I live in Leeds, I was fired from my first job, at Wipro, nobody knows it",
            "Wipro",
            ("I was fired from my first job, at Wipro, nobody knows it.", "I live in Leeds."),
        ),
    ],
)
def test_with_a_name_goes_what_it_names(said, name, divided):
    assert told_parts.divide(said, name) == divided
