from dataclasses import replace

import pytest

from echovessel.llm.inputs import NumberedDoubt
from echovessel.llm.offline.extraction import clarified
from tests.support.extracting import inputs_of

HOMES = NumberedDoubt(
    number=1,
    kind="contradiction",
    this="The user lives in York.",
    that="The user lives in Leeds.",
    this_value="York",
    that_value="Leeds",
)
TASTES = NumberedDoubt(number=1, kind="contradiction", this="The user likes tea.", that="The user likes coffee.")
NURSE = NumberedDoubt(number=1, kind="unverified", this="The user is a nurse.")
QUARREL = NumberedDoubt(number=1, kind="stale", this="用户跟佩格吵架了。")


@pytest.mark.parametrize(
    ("doubt", "question", "answer", "holds"),
    [
        (HOMES, "Leeds or York?", "York.", "this"),
        (HOMES, "Leeds or York?", "Leeds, of course.", "that"),
        (HOMES, "Leeds or York?", "Both, in turn.", "both"),
        (HOMES, "Leeds or York?", "Neither.", "neither"),
        (HOMES, "Leeds or York?", "Not York.", ""),
        (HOMES, "Leeds or York?", "Why do you ask?", ""),
        (HOMES, "How was your day?", "York was wet.", ""),
        (TASTES, "Is it that you like coffee, or that you like tea?", "Tea.", "this"),
        (NURSE, "By the way, I have read that you are a nurse. Is that so?", "Yes, I am.", "this"),
        (NURSE, "By the way, I have read that you are a nurse. Is that so?", "No.", "neither"),
        (NURSE, "By the way, I have read that you are a nurse. Is that so?", "It rains.", ""),
        (QUARREL, "对了，我记得你跟佩格吵架了，现在还是这样吗？", "对", "this"),
        (QUARREL, "对了，我记得你跟佩格吵架了，现在还是这样吗？", "没有了", "neither"),
    ],
)
def test_a_plain_answer_to_the_question_is_understood(doubt, question, answer, holds):
    talk = inputs_of("Hi.", f"P: {question}", answer)
    found = clarified.find_clarified(replace(talk, doubts=(doubt,)))

    assert [one["holds"] for one in found] == ([holds] if holds else [])
