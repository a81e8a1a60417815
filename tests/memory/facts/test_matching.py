import pytest

from memory.facts import matching
from memory.facts.rules import over
from memory.facts.rules.changed import Change
from tests.support.factories import BondFactory
from tests.support.facts import live, save

pytestmark = pytest.mark.django_db

SURE, NOW_ONLY = Change(), Change(is_sure=False)


@pytest.fixture
def bond():
    return BondFactory(user__username="mara")


def replaced(bond, content, change=SURE, facet="about_you"):
    found = matching.find_replaced(bond=bond, content=content, facet=facet, change=change)
    return [node.description for node in found]


@pytest.mark.parametrize(
    ("old", "new", "change"),
    [
        ("The user goes running on Fridays.", "The user goes running on Sundays.", SURE),
        ("The user's daughter Lily plays the cello.", "Lily swapped the cello for the trumpet.", Change(denied="the cello")),
        ("The user's car is a green Volvo.", "The user's car is a red Fiat now.", Change(denied="the Volvo")),
        ("The user's car is a green Volvo.", "The user's car is a red Fiat now.", NOW_ONLY),
        ("The user eats fish.", "The user no longer eats fish.", Change(denied="eat fish")),
        ("The user's brother Arjun lives in Delhi.", "The user's brother Arjun lives in London now.", NOW_ONLY),
        ("The user's brother Arjun lives in Delhi.", "Arjun lives in London now.", NOW_ONLY),
        ("The user's son Idris starts school in Cardiff.", "Idris goes to school in Swansea.", SURE),
        ("The user's sister Anna lives in Berlin.", "Anna moved to Potsdam.", SURE),
        ("The premiere is in the old mill.", "The premiere moved to the harbour barn.", SURE),
        ("The user's skis are in the cellar.", "The user's skis are at Ben's place now.", NOW_ONLY),
        ("用户每周五跑步。", "用户改成每周日跑步。", SURE),
        ("用户哥哥阿俊住在德里。", "阿俊现在住在多伦多。", NOW_ONLY),
        ("乐乐七岁。", "乐乐现在八岁了。", NOW_ONLY),
        ("用户儿子小德在厦门上学。", "小德改到福州上学了。", SURE),
        ("用户妈妈在德阳住院。", "用户妈妈改到绵阳的康复医院了。", SURE),
        ("首演在老磨坊。", "首演改到港口的谷仓了。", SURE),
        ("用户每周二打太极拳。", "用户打太极拳改到周四了。", SURE),
        ("用户周四在乐队拉小提琴。", "用户不拉小提琴了，改拉中提琴。", Change(denied="拉小提琴")),
        ("用户女儿莉莉在学大提琴。", "莉莉不学大提琴了，改学小号。", Change(denied="学大提琴")),
        ("用户的车是绿色的沃尔沃。", "用户的车现在是红色的菲亚特。", Change(denied="沃尔沃")),
        ("用户的车是绿色的沃尔沃。", "用户的车现在是红色的菲亚特。", NOW_ONLY),
    ],
)  # fmt: skip
def test_a_change_takes_the_place_of_what_it_is_about(bond, old, new, change):
    save(bond, "The user can't eat nuts.")
    save(bond, "用户不能吃坚果。")
    save(bond, old)

    assert replaced(bond, new, change) == [old]


@pytest.mark.parametrize(
    ("old", "new", "change"),
    [
        # Another subject, another thing denied, less than half in common, or only now, with too little in common.
        ("The user's cat eats fish.", "The user's dog eats fish.", SURE),
        ("The user takes the dog to the park.", "The user takes the bus.", SURE),
        ("The user's car is a green Volvo.", "The user's car is a red Fiat.", Change(denied="the Skoda")),
        ("The user drinks coffee.", "The user drinks tea now.", NOW_ONLY),
        ("The user is allergic to nuts.", "The user is a gardener now.", NOW_ONLY),
        # What something is, and where it is; where one lives, and where one works.
        ("The user's bike is red.", "The user's bike is in the shed now.", NOW_ONLY),
        ("The user's sister Anna lives in Berlin.", "Anna works in Potsdam now.", NOW_ONLY),
        ("The user's sister Anna lives in Berlin.", "Anna is at the dentist's now.", NOW_ONLY),
        ("The user's sister Anna lives in Berlin.", "Hanna lives in Potsdam now.", NOW_ONLY),
        ("用户姐姐安娜住在柏林。", "安娜现在在波茨坦上班。", NOW_ONLY),
        ("用户姐姐安娜住在柏林。", "小安现在住在波茨坦。", NOW_ONLY),
        ("用户喝咖啡不加糖。", "用户现在喝茶。", NOW_ONLY),
        ("用户的猫叫小黑。", "用户的狗现在叫小白。", NOW_ONLY),
    ],
)
def test_what_speaks_of_something_else_stays(bond, old, new, change):
    save(bond, old)

    assert replaced(bond, new, change) == []


def test_what_fills_a_slot_is_changed_by_its_slot_alone(bond):
    save(bond, "The user works on Fridays.", slot="work", value="Fridays")

    assert replaced(bond, "The user works on Sundays.") == []


def test_the_same_again_and_another_facet_change_nothing(bond):
    save(bond, "The user goes running on Fridays.")

    assert replaced(bond, "The user goes running on Fridays") == []
    assert replaced(bond, "The user goes running on Sundays.", facet="how_to_talk") == []


def test_several_that_are_as_near_are_all_found_the_newest_first(bond):
    for day in ("Fridays", "Mondays"):
        save(bond, f"The user goes running on {day}.")

    assert replaced(bond, "The user goes running on Sundays.") == [*reversed(live(bond))]


def test_of_other_bonds_nothing_is_found(bond):
    save(BondFactory(user__username="charlie"), "The user goes running on Fridays.")

    assert replaced(bond, "The user goes running on Sundays.") == []


@pytest.mark.parametrize(
    ("facts", "words", "are_same"),
    [
        (("The user doesn't like nuts.", "The user really doesn't like any nuts."), "nuts", True),
        (("用户喜欢虾饺。", "用户还是喜欢虾饺。"), "喜欢虾饺", True),
        (("Sam plays the trumpet.", "Sam is ill."), "Sam", False),
        (("Ben likes tea.", "Ben likes coffee."), "Ben", False),
        (("The user works as a nurse.", "The user works as a nurse in Leeds."), "work as a nurse", False),
        (("The user has cats.", "The user has 2 cats."), "cats", False),
    ],
)
def test_a_fact_and_its_rewording_say_the_same(bond, facts, words, are_same):
    nodes = [save(bond, fact, accepts_near=True).node for fact in facts]

    assert matching.are_rewordings(nodes, words=words) is are_same


@pytest.mark.parametrize(
    ("told", "content", "is_other"),
    [
        ("The user has carried nineteen coffins so far.", "The user has carried fifty coffins as of today.", True),
        ("The user earns 2100 a month.", "The user earns 2300 a month.", True),
        ("用户每天喝三杯美式。", "用户每天喝一杯美式。", True),
        ("The user swims on Mondays.", "The user swims on Thursdays.", False),
        ("用户周一学琴。", "用户周四学琴。", False),
        ("The user takes two pills in the morning.", "The user takes three pills in the evening.", False),
        ("The user lent Ann 50 pounds.", "The user lent Bob 20 pounds.", False),
        ("用户欠表哥四十块钱。", "用户欠表姐五十块钱。", False),
        ("The user's sister has two cats.", "The user has three cats.", False),
    ],
)
def test_other_numbers_of_the_same_take_the_place(told, content, is_other):
    assert matching.is_of_other_value(told, content) is is_other


@pytest.mark.parametrize(
    ("standing", "content", "is_changed"),
    [
        ("The user rides a steel Genesis bike.", "The user rides a carbon Giant bike.", True),
        ("The user rides a steel Genesis bike.", "The user also rides a carbon Giant bike.", False),
        ("The user's sister rides a steel Genesis bike.", "The user rides a carbon Giant bike.", False),
        ("The user's brother Yaw is at Southwark College.", "Yaw is at Goldsmiths College.", True),
        ("The user's brother is at Southwark College.", "The user is at Goldsmiths College.", False),
        ("The user keeps bees.", "The user rides a carbon Giant bike.", False),
    ],
)
def test_what_is_nearest_of_the_same_is_what_a_content_changes(bond, standing, content, is_changed):
    save(bond, standing)
    save(bond, "The user is afraid of flying.")

    found = matching.find_nearest(bond=bond, content=content, facet="about_you")

    assert [node.description for node in found] == [standing] * is_changed


def test_what_a_person_wants_of_talk_is_no_change_of_what_they_are(bond):
    save(bond, "The user rides a steel Genesis bike.")

    assert matching.find_nearest(bond=bond, content="The user rides a bike.", facet="how_to_talk") == []


def test_the_nearest_of_two_that_are_as_near_is_not_meant(bond):
    save(bond, "The user rides a steel Genesis bike.")
    save(bond, "The user rides a carbon Giant bike.")

    assert matching.find_nearest(bond=bond, content="The user rides a bike.", facet="about_you", least_lead=0.1) == []


@pytest.mark.parametrize(
    ("told", "said", "may_end"),
    [
        ("用户不能吃花生。", "我不喝咖啡了", False),
        ("用户每天喝三杯拿铁。", "我不喝咖啡了", True),
        ("The user can't eat nuts.", "I stopped drinking coffee", False),
        ("The user's best friend is Chloe.", "Chloe and I don't speak any more", True),
    ],
)
def test_no_end_lifts_what_one_cannot_do(told, said, may_end):
    assert matching.may_end(told, over.read(said)) is may_end
