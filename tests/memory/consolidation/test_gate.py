import pytest

from memory.consolidation import gate
from memory.models import Message

WORDS = [
    *(
        "走了",
        "去世",
        "死了",
        "离世",
        "葬礼",
        "没了",
        "撑不住",
        "不想活",
        "活不下去",
        "自杀",
        "崩溃",
        "分手",
        "离婚",
        "被裁",
    ),
    *("died", "passed away", "funeral", "can't go on", "suicide", "breakdown", "breakup", "divorce", "fired"),
]


def line(content="hi", *, role="user", tokens=1):
    return Message(role=role, content=content, token_count=tokens)


@pytest.mark.parametrize(
    ("count", "tokens", "is_trivial"),
    [(1, 1, True), (2, 199, True), (2, 200, False), (1, 199, True), (1, 200, False), (3, 3, False)],
)
def test_both_counts_must_be_small(count, tokens, is_trivial):
    lines = [line(tokens=tokens - count + 1), *[line() for _ in range(count - 1)]]

    assert bool(gate.find_trivial_reason(lines)) is is_trivial


def test_the_reason_says_what_was_counted():
    reason = gate.find_trivial_reason([line(tokens=3), line("hello", role="persona", tokens=4)])

    assert reason == "2 messages and 7 tokens without a word of strong emotion"


@pytest.mark.parametrize("word", WORDS)
@pytest.mark.parametrize(("role", "is_trivial"), [("user", False), ("persona", True)])
def test_a_strong_word_of_the_user_overrides(word, role, is_trivial):
    assert bool(gate.find_trivial_reason([line(f"…{word.upper()}…", role=role)])) is is_trivial


@pytest.mark.parametrize("said", ["I can’t go on", "CAN'T GO ON like this", "my grandmother passed away"])
def test_words_are_found_in_any_case_and_with_any_apostrophe(said):
    assert gate.has_strong_emotion(said)


@pytest.mark.parametrize(
    ("said", "is_trivial"),
    [
        ("nan didn't make it", False),
        ("I'm allergic to peanuts", False),
        ("我对花生过敏。", False),
        ("I like peanuts", True),
        ("我喜欢花生。", True),
    ],
)
def test_a_single_line_of_what_harms_the_user_is_worth_a_close(said, is_trivial):
    assert bool(gate.find_trivial_reason([line(said)])) is is_trivial


def test_the_words_are_those_of_the_design(settings):
    assert settings.STRONG_WORDS == WORDS


def test_the_words_are_a_setting(settings):
    settings.STRONG_WORDS = ["relapse", "走丢了"]

    assert [gate.has_strong_emotion(said) for said in ("A RELAPSE.", "猫走丢了", "He died.")] == [True, True, False]


def test_limits_come_from_settings(settings):
    settings.TRIVIAL_MESSAGE_COUNT = 1

    assert gate.find_trivial_reason([line()]) == ""
