import pytest

from echovessel import tokens
from memory.story.line_recaps import rules


def test_a_short_message_is_told_as_it_is():
    assert rules.summarise_line("My cat\n is  called Inky.") == "My cat is called Inky."


@pytest.mark.parametrize("said", ["", "…", "🎉 🎉", "?!"])
def test_what_says_nothing_has_no_recap(said):
    assert rules.summarise_line(said) == ""


def test_of_a_long_message_the_weightiest_sentence_is_told():
    said = (
        "Well, you know how it is with these things, and so on and so on, as I have said before and will say again to you. "
        "On 14 March Lin sold her boat in Trieste for 9000 euros. "
        "And that is all there is to say about it, more or less, if you ask me, and I am not sure that anybody would ask me."
    )

    assert rules.summarise_line(said) == "On 14 March Lin sold her boat in Trieste for 9000 euros."


def test_of_a_long_chinese_message_the_weightiest_sentence_is_told():
    said = "嗯，其实也没有什么特别的，就是这样而已，你也知道的，平时都是这样过来的。" * 2
    said += "林姐三月十四号在青岛卖掉了她的帆船，卖了九千块。然后就没有什么了，就是这样。"

    assert rules.summarise_line(said) == "林姐三月十四号在青岛卖掉了她的帆船，卖了九千块。"


@pytest.mark.parametrize("said", ["harbour " * 400, "港口很大" * 200, "x" * 20_000, "a. " * 3000])
def test_a_recap_has_60_tokens_at_most(said):
    recap = rules.summarise_line(said)

    assert 0 < tokens.estimate(recap) <= rules.RECAP_TOKENS


def test_60_tokens_are_told_as_they_are_and_61_are_not():
    said = ("word " * 48)[:240]

    assert rules.summarise_line(said.strip() + "x") == said.strip() + "x"
    assert rules.summarise_line(f"{said.strip()}xx").endswith("…")


def test_secrets_are_masked():
    assert rules.summarise_line("My password is hunter2xyz9, by the way.") == "My password is [secret], by the way."
