"""What is told in traditional characters is known when it is asked for in simplified ones, and the reverse; who writes in one is answered in it."""

from datetime import timedelta

import pytest

from echovessel import chinese_script
from tests.support.factories import NOW, BondFactory
from tests.support.facts import live
from tests.support.talking import close, fill_window, note, reply, say

pytestmark = pytest.mark.django_db

PAIRS = [
    ("我先生叫國棟，我們結婚三十二年了。", "我先生叫什麼名字？", "國棟"),
    ("女兒雅婷在台北的銀行上班。", "我女兒在哪裡上班？", "台北"),
    ("我養了一隻貓叫湯圓，三歲。", "我的貓叫什麼？", "湯圓"),
    ("我對花生過敏。", "我對什麼過敏？", "花生"),
    ("我是廣告公司的會計師。", "我做什麼工作？", "會計師"),
    ("我住在高雄的鹽埕區。", "我住在哪裡？", "高雄"),
    ("媽媽的生日是三月八號。", "我媽媽的生日是什麼時候？", "三月八"),
    ("我的老闆姓陳，脾氣很壞。", "我的老闆姓什麼？", "陳"),
    ("我最喜歡喝烏龍茶。", "我最喜歡喝什麼？", "烏龍茶"),
    ("下禮拜我要去京都旅遊。", "我要去哪裡旅遊？", "京都"),
]


@pytest.mark.parametrize("told_in", ["traditional", "simplified"])
def test_what_is_told_in_one_script_is_found_in_the_other(told_in):
    bond = BondFactory(persona__language="zh")
    is_asked_in_simplified = told_in == "traditional"
    for line, _, _ in PAIRS:
        say(bond, line if is_asked_in_simplified else chinese_script.simplify(line), now=NOW)
    close(bond, now=NOW + timedelta(hours=1))
    fill_window(bond)
    later = NOW + timedelta(days=3)
    missed = []
    for _, question, answer in PAIRS:
        asked = chinese_script.simplify(question) if is_asked_in_simplified else question
        said = reply(say(bond, asked, now=later))
        if chinese_script.simplify(answer) not in chinese_script.simplify(said):
            missed.append((asked, said))
    assert missed == []


def test_who_writes_traditional_characters_is_answered_in_them():
    bond = BondFactory(persona__language="zh")
    said = reply(say(bond, "我媽媽去世了，我好難過", now=NOW))
    assert not chinese_script.is_simplified(said)


def test_a_fact_is_noted_in_the_characters_in_which_it_was_told():
    bond = BondFactory(persona__language="zh")
    note(bond, "記住，我對花生過敏", now=NOW)
    assert live(bond) == ["用户對花生過敏。"]


def test_what_was_told_in_traditional_characters_is_forgotten_when_asked_in_simplified_ones():
    bond = BondFactory(persona__language="zh")
    say(bond, "記住，我對花生過敏", now=NOW)
    close(bond, now=NOW + timedelta(hours=1))
    note(bond, "把我对花生过敏的事忘掉吧", now=NOW + timedelta(hours=2))
    assert live(bond) == []
