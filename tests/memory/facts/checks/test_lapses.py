import pytest

from memory.facts.checks import lapses

WELDER, LAW, KEY = "The user is a welder.", "The user is studying law at Hull.", "The spare key is under the blue pot."


@pytest.mark.parametrize(
    ("known", "said", "chosen"),
    [
        ([(WELDER, 0.3), (KEY, 0.2)], "I got a bus to drive these days", (0, (0.3, 0.0))),
        ([(WELDER, 0.3), (KEY, 0.25)], "the spare key's moved", (1, (0.25, 1.0))),
        ([(WELDER, 0.4), (KEY, 0.25)], "the spare key's moved", (0, (0.4, 0.0))),
        ([("The user has a rabbit called Pudding.", 0.3)], "the pudding burned", (0, (0.3, 0.0))),
        ([("The user has a rabbit called Pudding.", 0.3)], "poor pudding died", (0, (0.3, 1.0))),
        ([("The user rows at the Club.", 0.3)], "the club closed", (0, (0.3, 1.0))),
        ([("用户叫周敏。", 0.49)], "用户养了一只橘猫，叫胖胖。", (0, (0.49, 0.0))),
        ([("用户住在徐汇。", 0.3), ("用户养了只兔子叫布丁。", 0.3)], "布丁没了", (1, (0.3, 1.0))),
        ([(WELDER, 0.9)], "I am a welder, remember it this time", None),
        ([(WELDER, 0.9)], "I'm not a welder", (0, (0.9, 1.0))),
        ([], "the spare key's moved", None),
    ],
)
def test_a_message_is_about_the_nearest_fact_or_one_whose_word_it_holds(known, said, chosen):
    assert lapses.choose(known, said) == chosen


@pytest.mark.parametrize(
    ("told", "said", "is_of_others"),
    [
        (LAW, "my flatmate dropped her law module, I cooked", True),
        (LAW, "I dropped law, my flatmate cooked", False),
        (LAW, "she says law is over", True),
        ("用户在武大读法学。", "室友不学法学了 改读历史", True),
        ("用户在武大读法学。", "不学法学了 室友改读历史", False),
        ("用户家有只鹦鹉叫船长。", "渡轮的船长换人了", True),
        ("The user's mother is in hospital.", "I moved block, I'm in six now", True),
        ("The user's car is broken.", "I fixed the car", False),
        ("用户家有只鹦鹉叫船长。", "船长送人了 邻居天天投诉", False),
    ],
)
def test_what_is_told_of_others_ends_no_fact_of_the_user(told, said, is_of_others):
    assert lapses.is_of_others(told, said) == is_of_others
