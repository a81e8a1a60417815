"""What was told plainly in one chat is answered by the offline voice in a later one, and what was set right is not said again."""

from datetime import timedelta

import pytest

from chat.turns.prompting import said_before
from tests.support.factories import NOW, BondFactory
from tests.support.talking import close, reply, say

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("chats", "question", "said", "unsaid"),
    [
        (
            [["We were burgled on Tuesday night. They took my laptop.", "I feel unsafe at home now"], ["A quiet day."]],
            "What do you remember of the burglary?",
            "burgled",
            "don't remember",
        ),
        (
            [["My daughter Mia turns nine on 12 December.", "A quiet day."]],
            "When's her birthday?",
            "12 December",
            "Near",
        ),
        ([["我大女儿今年上初一了，小儿子才五岁。"], ["今天在家打扫卫生。"]], "小的那个多大了？", "五岁", "不知道"),
        ([["我有两个孩子，大的十二岁，小的七岁。"], ["今天在家打扫卫生。"]], "老大几岁？", "十二岁", "不知道"),
        (
            [["I'm allergic to strawberries."], ["It's not strawberries after all, it's kiwi."]],
            "What am I allergic to?",
            "kiwi",
            "strawberries",
        ),
        (
            [["I'm allergic to peanuts."], ["The doctor says I'm not allergic to peanuts after all, it's the sesame."]],
            "What am I allergic to?",
            "sesame",
            "peanuts",
        ),
        ([["我对花生过敏。"], ["原来不是花生，是芝麻。"]], "我对什么过敏？", "芝麻", "花生"),
        (
            [["I'm allergic to penicillin, remember that."], ["Turns out it's not penicillin after all."]],
            "Am I allergic to penicillin?",
            "",
            "you're allergic",
        ),
        (
            [["I live in Bristol and work as a nurse at the Infirmary.", "A quiet day."]],
            "Do you remember where I work?",
            "nurse",
            "don't remember",
        ),
        (
            [["I live in Bristol and work as a nurse at the Infirmary.", "A quiet day."]],
            "do you know where I live",
            "Bristol",
            "don't remember",
        ),
        (
            [["There is Cillian, from the late shift. Yes, he is my boyfriend.", "A quiet day."]],
            "Who is my boyfriend?",
            "Cillian",
            "don't remember",
        ),
    ],
)
def test_what_was_told_plainly_is_answered_later(chats, question, said, unsaid):
    bond = BondFactory(user__username="mara")
    for day, lines in enumerate(chats):
        for minute, line in enumerate(lines):
            say(bond, line, now=NOW + timedelta(days=day, minutes=minute))
        close(bond, now=NOW + timedelta(days=day, hours=1))

    answer = reply(say(bond, question, now=NOW + timedelta(days=9)))

    assert (said in answer, unsaid in answer) == (True, False), answer


def test_what_is_over_is_left_out_unless_one_asks_how_it_was_before():
    bond = BondFactory(user__username="mara")
    say(bond, "I live in Leeds, remember that.", now=NOW)
    moved = say(bond, "I moved to York.", now=NOW + timedelta(minutes=1))
    asked = say(bond, "Where did I live before?", now=NOW + timedelta(minutes=2))

    assert said_before.list_over(moved) == ["The user lives in Leeds."]
    assert said_before.list_over(asked) == []
