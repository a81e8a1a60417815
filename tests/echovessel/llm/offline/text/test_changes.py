from datetime import date

import pytest

from echovessel.llm.inputs import NumberedEvent
from echovessel.llm.offline.text import changes
from tests.support.extracting import extract


@pytest.mark.parametrize(
    ("said", "remembered", "superseded"),
    [
        ("I left Northwind, I am at Contoso now", ["I work at Northwind.", "My sister works at a bank."], [1]),
        ("I quit my job last week", ["The user works at Northwind and does the invoices."], [1]),
        ("I moved to Lisbon in May", ["We have a cat.", "I live in Berlin."], [2]),
        ("We broke up last night", ["The user's boyfriend is called Jonas."], [1]),
        ("Actually, her name is Luna, not Lina", ["Our cat is called Lina.", "I live in Lisbon."], [1]),
        ("I don't play the cello any more", ["I play the cello on Sundays."], [1]),
        ("The exam was moved to the 12th of June", ["My exam is on the 3rd of June.", "I like tea."], [1]),
        ("the exam hall moved to the gym", ["My history exam is on the 20th in the main hall."], []),
        ("the exam moved to the 16th in hall two", ["My history exam is on the 20th in hall one."], [1]),
        ("They've put the hip back", ["The hip is done on the 8th of December.", "My knee hurts."], [1]),
        ("So the half marathon's off.", ["I'm training for the half marathon in May."], [1]),
        ("offsite cancelled, budget cuts", ["I fly to Berlin on the 16th for the offsite."], [1]),
        ("He's off to the half marathon", ["I'm training for the half marathon in May."], []),
        ("My brother moved to Lisbon", ["I live in Berlin."], []),
        ("I moved to Lisbon in May", ["I used to live in Berlin."], []),
        ("Alastair is moving back to Lisbon", ["I live in Berlin."], []),
        ("我上个月搬到成都了", ["我以前住在杭州。"], []),
        ("I work at Northwind, as you know", ["I work at Northwind."], []),
        ("I love my new bike", ["I work at Northwind.", "I live in Berlin."], []),
        ("我从北辰离职了，现在在云帆上班", ["我在北辰工作。", "我妹妹在银行上班。"], [1]),
        ("我上个月搬到成都了", ["我住在杭州。", "我喜欢吃辣。"], [1]),
        ("我弟弟搬到成都了", ["我住在杭州。"], []),
        ("其实不是周三，是周四面试", ["我周三面试。"], [1]),
        ("我戒咖啡了，不再喝咖啡了", ["我每天喝三杯咖啡。"], [1]),
    ],
)
def test_what_is_new_supersedes_what_it_makes_untrue(said, remembered, superseded):
    [event] = extract(said, remembered=remembered)["events"]

    assert event["supersedes"] == superseded


@pytest.mark.parametrize(
    ("said", "remembered", "is_superseded"),
    [
        ("We sold the old van. My sister Mara plays the violin.", "Mara plays the violin.", False),
        ("The left one is ready. It was two hundred people.", "Two hundred people come.", False),
        ("Our van ran for ten years. It was sold today.", "The van stands in the yard.", True),
        ("I'm not on reception any more, I'm a phlebotomist now.", "I've got a cat now. She's called Biscuit.", False),
        ("I'm no longer head of department.", "I'm afraid of heights.", False),
        ("The accountant is no longer Mr Pollard.", "I like Mr Menon.", False),
        ("首演改到港口的谷仓了，记住。", "记住那只狼木偶是索薇的。", False),
        ("捷达当废铁卖了，现在开的是哈弗。", "我现在一口主食不吃。", False),
        ("望远镜不在罗文家了。", "我是个电工。", False),
        ("我不在字节了。", "我是个电工。", True),
    ],
)
def test_an_end_is_of_what_its_own_sentence_names(said, remembered, is_superseded):
    assert_superseded(said, remembered, is_superseded)


@pytest.mark.parametrize(
    ("said", "remembered", "is_superseded"),
    [
        ("We live in York now.", "Nadia's found a place! She lives in Headingley now.", False),
        ("We live in York now.", "I live in Leeds.", True),
        ("The kids are moving to Bristol.", "I live in Leeds.", False),
        ("Karen says the kids are moving to Bristol.", "Dave lives in Leeds.", False),
        ("我搬到威海了。", "小陆住在店里。", False),
        ("我搬到威海了。", "我家住在烟台。", True),
        ("我搬到威海了。", "记住我家的路由器在楼梯下面。", False),
    ],
)
def test_a_move_leaves_it_where_others_live(said, remembered, is_superseded):
    assert_superseded(said, remembered, is_superseded)


@pytest.mark.parametrize(
    ("said", "remembered", "is_superseded"),
    [
        ("We sold the house, we live in York now.", "I live in Leeds. The physio is on Mondays.", False),
        ("We sold the house, we live in York now.", "I live in Leeds. We moved to Leeds in May.", True),
        ("我搬到威海了。", "我住在烟台。小关怀孕了。", False),
    ],
)
def test_what_tells_something_else_as_well_holds_still(said, remembered, is_superseded):
    assert_superseded(said, remembered, is_superseded)


def assert_superseded(said, remembered, is_superseded):
    event = NumberedEvent(number=1, told_on=date(2026, 11, 1), text=remembered)

    assert changes.find_superseded(said, [event]) == [1] * is_superseded


@pytest.mark.parametrize(
    ("said", "tags"),
    [
        ("Actually, her name is Luna, not Lina", ["correction"]),
        ("I misspoke, my interview is in Leeds", ["correction"]),
        ("我说错了，我妹妹在苏州", ["correction"]),
        ("Sorry for the silence, I was at my sister's", []),
    ],
)
def test_setting_right_is_tagged(said, tags):
    [event] = extract(said)["events"]

    assert event["relational_tags"] == tags
