import pytest

from memory.facts.rules import changed
from memory.facts.rules.acts import Op
from memory.facts.rules.reading import read_acts, read_told


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
        ("记住我哥现在住在伦敦", "用户的哥哥现在住在伦敦。", "", False),
        ("ten coffins now, remember that instead of the nine", "Ten coffins now.", "the nine", True),
        ("11.9 seconds!! that's my best time, remember it, not the 13.2", "The user's best time is 11.9 seconds.", "the 13.2", True),
        ("我又唱老生了，不唱净角，请你记下。", "用户又唱老生了，不唱净角。", "唱净角", True),
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


@pytest.mark.parametrize(
    ("told", "line", "content"),
    [
        ("The user is allergic to walnuts.", "I meant almonds, not walnuts.", "The user is allergic to almonds."),
        (
            "The user is allergic to latex.",
            "actually it's not latex, the doctor says it's the powder in the gloves",
            "The user is allergic to powder in the gloves.",
        ),
        (
            "The user is allergic to penicillin.",
            "Actually the doctor says it isn't penicillin, it's ibuprofen I'm allergic to.",
            "The user is allergic to ibuprofen.",
        ),
        ("用户对乳胶过敏。", "不是乳胶，医生说是滑石粉", "用户对滑石粉过敏。"),
        ("用户对青霉素过敏。", "其实医生说不是青霉素，我是对布洛芬过敏。", "用户对布洛芬过敏。"),
        ("The user has physio on Wednesdays.", "It's Tuesday, not Wednesday.", "The user has physio on Tuesdays."),
        ("The user's left knee is bad.", "No, not the left but the right.", "The user's right knee is bad."),
        ("用户对核桃过敏。", "不是核桃，是杏仁。", "用户对杏仁过敏。"),
        ("用户海鲜过敏。", "其实我不是对海鲜过敏，医生说是尘螨", "用户尘螨过敏。"),
        ("用户不吃香菜。", "说错了，不是香菜，我不吃的是芹菜", "用户不吃芹菜。"),
        ("用户左膝盖疼。", "是右膝盖疼，不是左膝盖。", "用户右膝盖疼。"),
        ("用户对海鲜过敏。", "我不对海鲜过敏，是对虾过敏", "用户对虾过敏。"),
        ("用户对海鲜过敏。", "我对海鲜不过敏，只对虾过敏", "用户对虾过敏。"),
        (
            "The user is allergic to seafood.",
            "I'm not allergic to seafood, I'm allergic to prawns",
            "The user is allergic to prawns.",
        ),
        (
            "The user is allergic to seafood.",
            "I'm not allergic to all seafood, just prawns",
            "The user is allergic to prawns.",
        ),
        ("用户老家是潮汕的。", "我不是潮汕的，我是汕尾的，之前说错了", "用户老家是汕尾的。"),
        ("用户预产期是2027年7月20号。", "不是7月20，是7月12，我看错了", "用户预产期是2027年7月12号。"),
        (
            "The user plays bowls on Wednesdays with Stan.",
            "Not Wednesdays, sorry, Thursdays.",
            "The user plays bowls on Thursdays with Stan.",
        ),
        (
            "The user runs a studio in Lisbon.",
            "actually it's not Lisbon proper, the studio's in Setúbal",
            "The user runs a studio in Setúbal.",
        ),
        ("The user's sister is Anna.", "My sister isn't called Anna, she's called Anja.", "The user's sister is Anja."),
        ("用户在杭州开一家花店。", "其实店不在杭州市区，在富阳", "用户在富阳开一家花店。"),
        ("用户的妹妹叫小雨。", "我妹妹不叫小雨，叫小语", "用户的妹妹叫小语。"),
        ("The user lives in London.", "My husband isn't in London, he's in Paris.", "The user lives in London."),
    ],
)
def test_one_thing_is_put_in_the_place_of_another(told, line, content):
    [act] = read_told([line])

    assert changed.put_right(told, act.change) == content


def test_what_a_fact_does_not_tell_is_not_put_right():
    [act] = read_told(["I meant almonds, not walnuts."])

    assert changed.find_denied("The user is allergic to peanuts.", act.change) is None
    assert changed.put_right("The user is allergic to peanuts.", act.change) == "The user is allergic to peanuts."


@pytest.mark.parametrize(
    "line",
    ["I'm walking the dog now.", "Is it Tuesday, not Wednesday?", "Maybe it's Tuesday, not Wednesday.", "我正在游泳呢"],
)
def test_what_goes_on_or_is_only_supposed_changes_nothing(line):
    assert read_told([line]) == []


@pytest.mark.parametrize("line", ["周明跳槽了，现在在杭州一家公司当总监。", "他升职了，现在是经理"])
def test_a_change_is_told_with_whose_it_is(line):
    [act] = read_told([line])

    assert act.content.startswith(line[:2])


def test_what_is_hard_to_believe_is_told_all_the_same():
    [act] = read_told(["Declan's moved to Lisbon, would you believe."])

    assert (act.op, act.content) == (Op.CHANGE, "Declan's moved to Lisbon.")
