import pytest

from echovessel.llm.offline import pronouns


@pytest.mark.parametrize(
    ("said", "turned"),
    [
        ("My mum doesn't know yet, so that stays between us.", "your mum doesn't know yet, so that stays between us"),
        ("There is a wall between us and the neighbours.", "there is a wall between you and the neighbours"),
        ("We keep it between us.", "you keep it between us"),
    ],
)
def test_what_stays_between_the_two_who_talk_is_ours(said, turned):
    assert pronouns.turn(said).casefold() == turned


def test_a_clause_keeps_what_its_day_is_of():
    assert pronouns.turn_clause("今天的红烧肉又烧糊了") == "今天的红烧肉又烧糊了"


@pytest.mark.parametrize(
    ("asked", "promise"),
    [
        ("Ask me tomorrow how the interview went.", "I'll ask you tomorrow how the interview went."),
        ("Please remind me on Sunday to call Zosia", "I'll remind you on Sunday to call Zosia."),
        ("明天问我面试怎么样。", "明天问你面试怎么样"),
    ],
)
def test_a_wish_to_be_asked_is_promised(asked, promise):
    assert pronouns.turn_reminder(asked) == promise
