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
    ("said", "turned"),
    [
        ("I'm stopping painting for a while, my hands are bad.", "you're stopping painting for a while"),
        ("I am a postman so I get up at 4:30, that's the reason", "you are a postman"),
        ("My shift is at 4:30 today", "your shift is at 4:30 today"),
        ("i go to st johns its so boring", "you go to st johns"),
        ("Liam got picked for the county!", "Liam got picked for the county"),
        ("beat an IM in round 5, I still can't believe it", "you beat an IM in round 5"),
        ("Signed a lease on a shop!", "you signed a lease on a shop"),
        ("my boyfriends called rhys, hes a plumber", "your boyfriend's called rhys"),
        ("Nobody called!", ""),
    ],
)
def test_what_is_said_back_is_a_whole_clause(said, turned):
    assert pronouns.turn_clause(said) == turned


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
