import pytest

from memory.facts.rules.acts import Kind, Op
from memory.facts.rules.reading import read_acts

ENGLISH = {"work": "nurse", "home": "Leeds", "partner": "Jonas", "preferred_name": "Bob", "diet": "vegan", "birthday": "3 May"}  # fmt: skip
CHINESE = {"work": "字节", "home": "上海", "partner": "阿杰", "birthday": "五月三号"}


@pytest.mark.parametrize(
    ("line", "slot", "value", "reason"),
    [
        ("I'm not a nurse any more", "work", "nurse", "ended"),
        ("I'm not a nurse anymore, they closed the ward", "work", "nurse", "ended"),
        ("I am no longer a nurse.", "work", "nurse", "ended"),
        ("I don't work as a nurse any longer", "work", "nurse", "ended"),
        ("I'm not a nurse", "work", "nurse", "wrong"),
        ("I was never a nurse.", "work", "nurse", "wrong"),
        ("I no longer live in Leeds", "home", "Leeds", "ended"),
        ("I don't live in Leeds anymore", "home", "Leeds", "ended"),
        ("im not in Leeds any more", "home", "Leeds", "ended"),
        ("I never lived in Leeds.", "home", "Leeds", "wrong"),
        ("Leeds is wrong", "home", "Leeds", "wrong"),
        ("No, Leeds is not right.", "home", "Leeds", "wrong"),
        ("My birthday isn't 3 May", "birthday", "3 May", "wrong"),
        ("My name is not Bob", "preferred_name", "Bob", "wrong"),
        ("I'm not vegan any more", "diet", "vegan", "ended"),
        ("I'm not with Jonas any more", "partner", "Jonas", "ended"),
        ("We broke up last night", "partner", "Jonas", "ended"),
        ("I quit my job last week", "work", "nurse", "ended"),
        ("I just got laid off", "work", "nurse", "ended"),
    ],
)
def test_end_a_value_in_english(line, slot, value, reason):
    found = read_acts([line], [], ENGLISH)

    assert [(act.kind, act.op, act.slot, act.value, act.reason) for act in found] == [
        (Kind.CORRECTION, Op.END, slot, value, reason)
    ]


@pytest.mark.parametrize(
    ("line", "slot", "value", "reason"),
    [
        ("我不在字节上班了", "work", "字节", "ended"),
        ("我已经不在字节了", "work", "字节", "ended"),
        ("我不在字节上班", "work", "字节", "wrong"),
        ("我不住上海了", "home", "上海", "ended"),
        ("我早就不住在上海了", "home", "上海", "ended"),
        ("我不住在上海", "home", "上海", "wrong"),
        ("我从来没住在上海", "home", "上海", "wrong"),
        ("上海错了", "home", "上海", "wrong"),
        ("不，上海不对", "home", "上海", "wrong"),
        ("我生日不是五月三号", "birthday", "五月三号", "wrong"),
        ("我不跟阿杰在一起了", "partner", "阿杰", "ended"),
        ("我们分手了", "partner", "阿杰", "ended"),
        ("我辞职了", "work", "字节", "ended"),
        ("我从字节离职了", "work", "字节", "ended"),
    ],
)
def test_end_a_value_in_chinese(line, slot, value, reason):
    found = read_acts([line], [], CHINESE)

    assert [(act.op, act.slot, act.value, act.reason) for act in found] == [(Op.END, slot, value, reason)]


@pytest.mark.parametrize(
    ("line", "slot", "value", "content"),
    [
        ("Actually my city is York", "home", "York", "The user's city is York."),
        ("No, actually I live in York.", "home", "York", "The user lives in York."),
        ("Actually I'm a carpenter, not that", "work", "carpenter", "The user is a carpenter."),
        ("Actually, my birthday is on 4 May", "birthday", "4 May", "The user's birthday is on 4 May."),
        ("I moved to York", "home", "York", "The user moved to York."),
        ("We've just moved to New York City!", "home", "New York City", "The user has just moved to New York City."),
        ("I moved from Leeds to York last week", "home", "York", "The user moved from Leeds to York."),
        ("I work at Acme now", "work", "Acme", "The user works at Acme now."),
        ("I started at Northwind last week", "work", "Northwind", "The user started at Northwind."),
        ("I now live in Oslo, it's cold", "home", "Oslo", "The user now lives in Oslo."),
        ("I got a new job at Google!", "work", "Google", "The user got a new job at Google."),
        ("I started working at Tesco on Monday", "work", "Tesco", "The user started working at Tesco on Monday."),
        ("I'm not a nurse, I'm a teacher", "work", "teacher", "The user is a teacher."),
        ("I don't live in Leeds any more, I live in Hull now", "home", "Hull", "The user lives in Hull now."),
        ("我不住上海了，我住在天津", "home", "天津", "用户住在天津。"),
        ("我换工作了，现在在腾讯上班", "work", "腾讯", "用户现在在腾讯上班。"),
        ("其实我住在苏州", "home", "苏州", "用户住在苏州。"),
        ("我搬到苏州了", "home", "苏州", "用户搬到苏州了。"),
        ("我上周搬去成都了，好热", "home", "成都", "用户上周搬去成都了。"),
        ("我跳槽到腾讯了", "work", "腾讯", "用户跳槽到腾讯了。"),
        ("我现在在腾讯上班", "work", "腾讯", "用户现在在腾讯上班。"),
    ],
)
def test_replace_a_value(line, slot, value, content):
    found = read_acts([line], [], ENGLISH if line.isascii() else CHINESE)

    assert [(act.op, act.slot, act.value, act.content) for act in found] == [(Op.REPLACE, slot, value, content)]


@pytest.mark.parametrize(
    "line",
    [
        "Am I not a nurse?",
        "My sister isn't a nurse",
        "My sister says I'm not a nurse any more",
        "I don't like the Leeds office",
        "I don't live far from Leeds",
        "I'm not in Leeds today",
        "I'm not just a nurse",
        "I don't work as a nurse on Mondays",
        "I can't live in Leeds any more",
        "If I no longer live in Leeds I'll be happier",
        "Leeds is wrong about the bridge",
        "The nurse is wrong",
        "I moved to the couch",
        "My cousin moved to York",
        "When I was five we moved to York",
        "We moved to York in 2010",
        "I'm moving to York next month",
        "I lived in York",
        "I started Duolingo",
        "I got Covid",
        "I got with Anna last year",
        "Actually my city is lovely",
        "I moved to The Very Long Name of Town",
        "I moved to Leeds",
    ],
)
def test_correct_nothing_in_english(line):
    assert read_acts([line], [], ENGLISH) == []


@pytest.mark.parametrize(
    "line",
    [
        "我不是住在上海吗？",
        "我妹妹不在字节上班了",
        "我今天不在上海",
        "我不喜欢上海的办公室",
        "我不在字节那栋楼",
        "要是我不在字节上班了呢",
        "我搬到沙发上睡",
        "我哥搬到苏州了",
        "小时候我们搬到苏州",
        "其实我很累",
        "我搬到上海了",
        "我搬到一个名字特别特别长的地方了",
    ],
)
def test_correct_nothing_in_chinese(line):
    assert read_acts([line], [], CHINESE) == []


def test_what_has_no_value_yet_is_saved():
    found = read_acts(["I moved to York"], [], {})

    assert [(act.op, act.slot, act.value) for act in found] == [(Op.SAVE, "home", "York")]


def test_two_corrections_a_message_are_read():
    line = "I'm not vegan any more. I'm not a nurse any more. I no longer live in Leeds."

    assert len(read_acts([line], [], ENGLISH)) == 2
    assert len(read_acts(line.split(". "), [], ENGLISH)) == 3
