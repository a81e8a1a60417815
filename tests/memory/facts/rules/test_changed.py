import pytest

from memory.facts.rules.acts import Op
from memory.facts.rules.reading import read_acts


@pytest.mark.parametrize(
    ("line", "content", "denied", "is_sure"),
    [
        ("Remember that I go running on Sundays instead.", "The user goes running on Sundays.", "", True),
        ("Remember: I drink tea instead of coffee", "The user drinks tea.", "coffee", True),
        ("Lily swapped the cello for the trumpet. Remember that.", "Lily swapped the cello for the trumpet.", "the cello", True),
        ("Remember that our car is a red Fiat now, not the Volvo.", "The user's car is a red Fiat now.", "the Volvo", True),
        ("Remember that our car is not a Volvo but a Fiat", "The user's car is a Fiat.", "a Volvo", True),
        ("Remember that I no longer eat fish", "The user no longer eats fish.", "eat fish", True),
        ("Remember that I don't eat fish any more", "The user doesn't eat fish any more.", "eat fish", True),
        ("Remember that we moved the meeting to Friday", "The user moved the meeting to Friday.", "", True),
        ("Remember that my brother lives in London now", "The user's brother lives in London now.", "", False),
        ("记住，我改成每周日跑步。", "用户改成每周日跑步。", "", True),
        ("记住，莉莉不学大提琴了，改学小号。", "莉莉不学大提琴了，改学小号。", "学大提琴", True),
        ("记住，我们的车现在是红色的菲亚特，不是沃尔沃了。", "用户的车现在是红色的菲亚特。", "沃尔沃", True),
        ("记住我们的车不是沃尔沃，是菲亚特", "用户的车是菲亚特。", "沃尔沃", True),
        ("记住我不吃鱼了", "用户不吃鱼了。", "吃鱼", True),
        ("记住我不再喝酒", "用户不再喝酒。", "喝酒", True),
        ("记住我哥现在住在伦敦", "用户哥现在住在伦敦。", "", False),
    ],
)  # fmt: skip
def test_a_wish_that_tells_a_change_says_what_it_denies(line, content, denied, is_sure):
    [act] = read_acts([line], [], {})

    assert (act.op, act.content, act.slot) == (Op.SAVE, content, "")
    assert (act.change.denied, act.change.is_sure) == (denied, is_sure)


@pytest.mark.parametrize(
    "line",
    [
        "Remember that I can't eat nuts",
        "Remember that I'm not allergic to cats",
        "Remember that I know Ann",
        "Remember that my sister has a red car",
        "记住我不能吃坚果",
        "记住我对花生过敏",
        "记住我有一辆红色的车",
    ],
)
def test_other_wishes_change_nothing(line):
    assert [(act.op, act.change) for act in read_acts([line], [], {})] == [(Op.SAVE, None)]
