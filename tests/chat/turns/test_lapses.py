import pytest

from memory.facts import undoing
from memory.models import ConceptNode, FactWrite
from tests.support.factories import NOW, BondFactory
from tests.support.facts import live
from tests.support.fakes import FakeLLM
from tests.support.talking import say

pytestmark = pytest.mark.django_db


@pytest.fixture
def bond(settings):
    settings.EMBEDDING_BACKEND = "bundled"
    return BondFactory(user__username="mara")


def tell(bond, *lines):
    for line in lines:
        say(bond, line, now=NOW, llm=FakeLLM("Hm."))


def list_live(bond):
    return list(live(bond))


@pytest.mark.parametrize(
    ("told", "said", "fact"),
    [
        ("记住我手机尾号是4471。", "换号了 尾号9038 老号停机了哈", "用户手机尾号是4471。"),
        ("记住备用钥匙在蓝花盆底下。", "钥匙换地方了 放到杂物间油漆桶后面了", "备用钥匙在蓝花盆底下。"),
        ("Remember that I go to pottery classes.", "pottery has been discontinued, nobody came", "The user goes to pottery classes."),
        ("Remember that I have a Netflix subscription.", "binned Netflix, it's all repeats", "The user has a Netflix subscription."),
        ("记住我参加了社区合唱团。", "合唱团黄了，没人去", "用户参加了社区合唱团。"),
    ],
)  # fmt: skip
def test_what_a_message_tells_to_hold_no_longer_in_words_of_no_rule_is_over(bond, told, said, fact):
    tell(bond, told)
    assert list_live(bond) == [fact]

    tell(bond, said)

    write = FactWrite.objects.for_bond(bond).latest("id")
    assert (fact in list_live(bond), write.by, write.op in ("ended", "changed")) == (False, "rule", True)


@pytest.mark.parametrize(
    ("told", "said", "fact"),
    [
        ("Remember that my boss is called Prakash.", "Prakash has a new haircut, very shiny.", "The user's boss is called Prakash."),
        ("Remember that I'm studying law at Hull.", "My flatmate dropped her law module, she's doing history instead.", "The user is studying law at Hull."),
        ("Remember that I have a rabbit called Pudding.", "Did Pudding the rabbit die?", "The user has a rabbit called Pudding."),
        ("记住我喝茶不加糖。", "咖啡也不加糖了", "用户喝茶不加糖。"),
        ("Remember that I play the cello.", "the cello shop has closed down", "The user plays the cello."),
        ("Remember that my boss is called Martin.", "Martin's finished early", "The user's boss is called Martin."),
        ("Remember that I drive a taxi.", "work is finished, thank god", "The user drives a taxi."),
        ("记住我练大提琴。", "大提琴的弦摘掉了一根", "用户练大提琴。"),
        ("Remember that I have a Fiesta.", "the Fiesta needs new tyres", "The user has a Fiesta."),
        ("记住我对青霉素过敏。", "医生给我换了别的药 不是青霉素", "用户对青霉素过敏。"),
        ("记住我有个女儿叫小满，五岁。", "小满下周三打疫苗，本来是周一，改了", "用户有个女儿叫小满，五岁。"),
        ("记住我在武大读法学。", "室友不学法学了 改读历史", "用户在武大读法学。"),
        ("记住我奶奶摔断腿在住院。", "换宿舍了，我现在住六栋512，爬楼爬到哭", "用户奶奶摔断腿在住院。"),
        ("记住我原来是铁路扳道工。", "药换了，现在吃缬沙坦，原来那个脚肿", "用户原来是铁路扳道工。"),
    ],
)  # fmt: skip
def test_what_only_sounds_like_a_change_of_it_leaves_a_fact(bond, told, said, fact):
    tell(bond, told, said)

    assert list_live(bond) == [fact]


def test_what_lapsed_holds_again_once_that_is_undone(bond):
    tell(bond, "记住备用钥匙在蓝花盆底下。", "钥匙换地方了 放到杂物间油漆桶后面了")

    undoing.undo(write=FactWrite.objects.for_bond(bond).latest("id"), now=NOW)

    assert list_live(bond) == ["备用钥匙在蓝花盆底下。"]


def test_a_wish_to_forget_lets_nothing_lapse(bond):
    tell(bond, "记住备用钥匙在蓝花盆底下。", "钥匙换地方了 放到杂物间油漆桶后面了，把钥匙的事忘掉吧")

    assert "ended" not in FactWrite.objects.for_bond(bond).values_list("op", flat=True)


@pytest.mark.parametrize("column", [{"grave": True}, {"slot": "work", "value": "x"}])
def test_what_is_grave_or_in_a_slot_ends_by_rules_alone(bond, column):
    tell(bond, "记住备用钥匙在蓝花盆底下。")
    ConceptNode.objects.live_facts().update(**column)

    tell(bond, "钥匙换地方了 放到杂物间油漆桶后面了")

    assert list_live(bond) == ["备用钥匙在蓝花盆底下。"]


def test_what_is_nearest_to_a_slot_ends_no_other_fact(bond):
    tell(bond, "记住晓雯租到房子啦，现在住在园区那边。", "记住我住在苏州。")

    tell(bond, "苏州房租扛不住，我们一家现在住昆山了。")

    assert any("晓雯" in fact for fact in list_live(bond))
