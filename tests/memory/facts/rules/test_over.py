import pytest

from memory.facts.checks import wording
from memory.facts.rules import over
from memory.facts.rules.over import Ending, Sort


@pytest.mark.parametrize(
    ("said", "words"),
    [
        ("I'm no longer diabetic", "I diabetic"),
        ("I don't play tennis any more because of my knee", "I do play tennis"),
        ("Good news: I sold the boat last week", "the boat"),
        ("I dropped the London", "the London"),
        ("I'm giving up the allotment", "the allotment"),
        ("My brother quit rugby", "My brother rugby"),
        ("Quit Greggs today", "Greggs"),
        ("off meat since last week", "meat"),
        ("They've taken me off the warfarin and put me on apixaban instead", "the warfarin"),
        ("一直打脱敏针，花粉过敏基本好了", "，花粉过敏"),
        ("My boat is gone", "My boat"),
        ("flogged the kiln to a lad from Consett", "the kiln to a lad from Consett"),
        ("they've axed the pottery course, so that's me out", "the pottery course"),
        ("The wedding's off", "The wedding"),
        ("奥利奥送给我表姐养了，我过敏", "，奥利奥"),
        ("烟我戒了仨月了", "，烟"),
        ("我不用打胰岛素了", "我，打胰岛素"),
        ("我不打网球了，膝盖受不了", "我，打网球"),
        ("我把船卖掉了", "，船"),
        ("健身卡我退了", "，健身卡"),
        ("我戒烟了", "，烟"),
        ("我不再怕狗", "我，怕狗"),
    ],
)
def test_what_is_over_is_read(said, words):
    found = over.read(said)[0]

    assert (found.words.removeprefix("I ").strip(), found.sort) == (words.removeprefix("I ").strip(), Sort.ANY)


@pytest.mark.parametrize(
    ("said", "words"),
    [
        ("I can eat gluten again", "eat gluten"),
        ("actually I do eat meat again", "eat meat"),
        ("I caved and I eat fish these days", "eat fish"),
        ("I've started eating meat again", "eating meat"),
        ("我又可以吃海鲜了", "，吃海鲜"),
        ("我现在又开始吃肉了", "，吃肉"),
        ("我不讨厌香菜了，前天吃了觉得还行", "，香菜"),
    ],
)
def test_what_is_allowed_again_was_forbidden(said, words):
    assert over.read(said)[0] == Ending(words=words, sort=Sort.BAN)


@pytest.mark.parametrize(
    "said",
    [
        "I left the choir early tonight",
        "Dad turned the lights off",
        "我妈送给我一条围巾了",
        "I almost sold the boat",
        "I'm thinking of selling the boat",
        "I stopped at the bakery",
        "I don't play tennis any more today",
        "I have a boat",
        "我今天不打网球了",
        "我想把船卖了",
        "我差点把船卖了",
        "他戒烟了",
        "我有一条船",
    ],
)
def test_what_is_for_now_or_not_yet_is_not_over(said):
    assert over.read(said) == []


SHOP = "The user runs a small bike shop in Ghent with their brother Pieter."
SWELLING = "The user is allergic to latex, the gloves in the shop make their hands swell."


@pytest.mark.parametrize("fact", ["The user likes jazz.", "The user plays the London with white."])
@pytest.mark.parametrize("said", ["That was a lie, I hate jazz.", "I dropped the London, I play the Catalan now"])
def test_what_is_hated_is_not_liked_and_what_is_dropped_not_played(said, fact):
    is_of_it = ("jazz" in said) == ("jazz" in fact)

    assert any(over.is_over(fact, ending) for ending in over.read(said)) == is_of_it


@pytest.mark.parametrize("said", ["we closed the shop for good last Friday", "I sold the shop", "I gave up the shop"])
def test_a_business_is_over_and_an_allergy_noticed_there_is_not(said):
    (ending,) = over.read(said)

    assert [told for told in (SHOP, SWELLING) if over.is_over(told, ending)] == [SHOP]


def test_an_allergy_that_is_named_is_over():
    ending, *_ = over.read("I'm no longer allergic to latex")

    assert over.is_over(SWELLING, ending)


@pytest.mark.parametrize(
    "said", ["我把药停了，医生说可以停", "我不吃药了", "I've come off my meds", "I stopped taking my tablets"]
)
def test_who_stopped_their_medicine_stopped_what_is_noted_by_name(said):
    told = (
        "用户在吃舍曲林。",
        "The user takes sertraline.",
        "用户妈妈在吃舍曲林。",
        "用户对青霉素过敏。",
        "The user likes tea.",
    )
    (ending,) = [one for one in over.read(said) if one.sort == over.Sort.ANY]

    assert [one for one in told if over.is_over(one, ending)] == [*told[:2]]


@pytest.mark.parametrize(
    ("said", "old", "new"),
    [
        ("They've switched me to insulin", "The user takes metformin.", "The user takes insulin."),
        ("医生给我换成了达格列净", "用户在吃二甲双胍。", "用户在吃达格列净。"),
        ("血压药换成缬沙坦了，氨氯地平脚肿", "用户吃氨氯地平，每天早上一片。", "用户吃缬沙坦。"),
        ("我脱单了！她叫林溪", "用户单身。", "用户养了一只猫。"),
        ("I've gone teetotal", "The user drinks two glasses of wine a night.", "The user drinks tea."),
        ("酒戒了，媳妇不让喝", "用户爱喝点小酒。", "用户喜欢喝茶。"),
    ],
)
def test_what_is_told_otherwise_ends_what_is_noted(said, old, new):
    endings = over.read(said)
    assert any(over.is_over(old, one) for one in endings)
    assert not any(over.is_over(new, one) for one in endings)


def test_a_chinese_allergy_outlasts_the_place_where_it_shows():
    (ending,) = over.read("食堂停业了")

    assert not over.is_over("用户对花生过敏，学校食堂也有。", ending)


@pytest.mark.parametrize(
    ("told", "said", "goes_on"),
    [
        ("用户今年大三，学会计的。", "算了不考税法了，只考会计", True),
        ("用户考税法。", "算了不考税法了，只考会计", False),
        ("The user plays tennis.", "I gave up squash, but I still play tennis", True),
        ("The user plays squash.", "I gave up squash, but I still play tennis", False),
    ],
)
def test_what_is_said_to_go_on_is_not_over(told, said, goes_on):
    assert wording.goes_on(told, said) is goes_on
