import pytest

from echovessel.llm.offline.text import slots


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("My name is Alex.", ("preferred_name", "Alex")),
        ("call me Jo", ("preferred_name", "Jo")),
        ("我叫黄逸扬。", ("preferred_name", "黄逸扬")),
        ("My full name is Mary Jane Watson", ("full_name", "Mary Jane Watson")),
        ("我的全名是欧阳小雨。", ("full_name", "欧阳小雨")),
        ("my pronouns are they/them", ("pronouns", "they/them")),
        ("I use she/her", ("pronouns", "she/her")),
        ("我的人称代词是TA。", ("pronouns", "TA")),
        ("it's my birthday on 3 March", ("birthday", "3 March")),
        ("my birthday is on May 3rd", ("birthday", "May 3rd")),
        ("My birthday's 3 May, by the way", ("birthday", "3 May")),
        ("I was born on 12 June 1990", ("birthday", "12 June 1990")),
        ("The user's birthday is 2001-02-03.", ("birthday", "2001-02-03")),
        ("我生日是5月3日", ("birthday", "5月3日")),
        ("我的生日在十月一号。", ("birthday", "十月一号")),
        ("我是1990年5月3日出生的", ("birthday", "1990年5月3日")),
        ("I live in York", ("home", "York")),
        ("I manage a garden centre in Hexham", ("work", "garden centre")),
        ("I run our pub", ("work", "pub")),
        ("I run a marathon", None),
        ("I'm based in São Paulo", ("home", "São Paulo")),
        ("The user lives in Newcastle upon Tyne.", ("home", "Newcastle upon Tyne")),
        ("I just moved to New York", ("home", "New York")),
        ("my home town is Bath", ("home", "Bath")),
        ("我住在苏州", ("home", "苏州")),
        ("我现在住杭州。", ("home", "杭州")),
        ("我家在成都", ("home", "成都")),
        ("我搬到苏州了", ("home", "苏州")),
        ("我们最后搬到了成都", ("home", "成都")),
        ("用户住在苏州。", ("home", "苏州")),
        ("I work as a nurse at St Mary's", ("work", "nurse")),
        ("I work nights as a midwife at St Mary's", ("work", "midwife")),
        ("I work as a surveyor up at the glacier.", ("work", "surveyor")),
        ("I'm a deckhand on the night ferry.", ("work", "deckhand")),
        ("I work at Acme", ("work", "Acme")),
        ("I'm a software engineer", ("work", "software engineer")),
        ("I am a student.", ("work", "student")),
        ("my job is at Northwind", ("work", "Northwind")),
        ("我是一名护士", ("work", "护士")),
        ("我在字节上班", ("work", "字节")),
        ("我的工作是插画师。", ("work", "插画师")),
        ("我是软件工程师。", ("work", "软件工程师")),
        ("my wife is called Ann", ("partner", "Ann")),
        ("my boyfriend's name is Jonas", ("partner", "Jonas")),
        ("I'm married to Kim", ("partner", "Kim")),
        ("我老婆叫小云。", ("partner", "小云")),
        ("我男朋友名叫Tom", ("partner", "Tom")),
        ("I'm vegan", ("diet", "vegan")),
        ("I am a strict vegetarian, mostly", ("diet", "vegetarian")),
        ("I only eat halal", ("diet", "halal")),
        ("我吃素", ("diet", "吃素")),
        ("我是素食者", ("diet", "素食者")),
        ("my native language is Welsh", ("language", "Welsh")),
        ("I'm a native Polish speaker", ("language", "Polish")),
        ("我的母语是粤语。", ("language", "粤语")),
    ],
)
def test_read_the_value_of_a_slot(text, found):
    assert slots.read_slot(text) == found


@pytest.mark.parametrize(
    "text",
    [
        "Do I live in York?",
        "I don't live in York",
        "I used to live in York",
        "She lives in York",
        "I lived in York",
        "My brother moved to York",
        "If I lived in York",
        "I'm in York",
        "I live in fear",
        "I'm not a nurse",
        "I'm a fan of nurses",
        "I worked at Acme years ago",
        "I work at home",
        "My wife is a nurse",
        "My wife is out",
        "My birthday is soon",
        "my flatmate is vegan",
        "I eat vegetables",
        "I speak too fast",
        "I moved to York in 2010",
        "我不住在苏州",
        "我以前住在苏州",
        "我哥住在苏州",
        "我住在哪",
        "我是护士的女儿",
        "我不是护士",
        "我想当老师",
        "我爱人叫我回家",
        "他吃素",
        "我吃素菜馆吃腻了吗？",
        "今天天气不错",
    ],
)
def test_read_no_slot(text):
    assert slots.read_slot(text) is None


def test_a_value_has_at_most_80_characters():
    assert slots.read_slot(f"I live in {'X' * 80}") == ("home", "X" * 80)
    assert slots.read_slot(f"I live in {'X' * 81}") is None


def test_each_statement_of_a_message_is_read():
    line = "Hi! I live in York. I'm vegan. Do I live in Oslo? 我叫小黑。"

    assert slots.read_slots(line) == [("home", "York"), ("diet", "vegan"), ("preferred_name", "小黑")]


@pytest.mark.parametrize(
    ("words", "slot"),
    [("my job", "work"), ("my address", "home"), ("my name", "preferred_name"), ("我的生日", "birthday"), ("我的工作", "work"), ("the wedding", ""), ("my job at Acme", "")],
)  # fmt: skip
def test_words_that_name_a_slot(words, slot):
    assert slots.find_named(words) == slot
