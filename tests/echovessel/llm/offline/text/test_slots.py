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
        ("I got promoted, I'm contracts manager now", ("work", "contracts manager")),
        ("I run a marathon", None),
        ("I'm based in São Paulo", ("home", "São Paulo")),
        ("The user lives in Newcastle upon Tyne.", ("home", "Newcastle upon Tyne")),
        ("I just moved to New York", ("home", "New York")),
        ("We sold up, we're out in Sedbergh now.", ("home", "Sedbergh")),
        ("We moved to York on Saturday, boxes everywhere.", ("home", "York")),
        ("my home town is Bath", ("home", "Bath")),
        ("我住在苏州", ("home", "苏州")),
        ("我现在住杭州。", ("home", "杭州")),
        ("房租扛不住，我们现在住昆山了。", ("home", "昆山")),
        ("我家在成都", ("home", "成都")),
        ("我搬到苏州了", ("home", "苏州")),
        ("我生日快到了，8月3号", ("birthday", "8月3号")),
        ("小敏打电话来非要我搬去深圳住", None),
        ("我妈想让我搬到成都", None),
        ("女儿劝我搬去成都了", None),
        ("领导叫我在车间上班", None),
        ("我搬到埌东去摆了", None),
        ("开店前我在银行当柜员", None),
        ("我目前在银行上班", ("work", "银行")),
        ("我搬到深圳开店了", None),
        ("我干了六年护士", ("work", "护士")),
        ("我们最后搬到了成都", ("home", "成都")),
        ("用户住在苏州。", ("home", "苏州")),
        ("I work as a nurse at St Mary's", ("work", "nurse")),
        ("I work nights as a midwife at St Mary's", ("work", "midwife")),
        ("I work as a surveyor up at the glacier.", ("work", "surveyor")),
        ("I'm a deckhand on the night ferry.", ("work", "deckhand")),
        ("I work at Acme", ("work", "Acme")),
        ("I teach year 4 in Leeds and love it", ("work", "year 4 in Leeds")),
        ("I teach maths", ("work", "maths")),
        ("I teach him manners", None),
        ("我在杭州一所小学教语文", ("work", "杭州一所小学教语文")),
        ("我在家教儿子数学", None),
        ("I'm a software engineer", ("work", "software engineer")),
        ("I am a student.", ("work", "student")),
        ("my job is at Northwind", ("work", "Northwind")),
        ("我是一名护士", ("work", "护士")),
        ("我在字节上班", ("work", "字节")),
        ("在Google做PM", ("work", "Google做PM")),
        ("我在腾讯做后端两年了", ("work", "腾讯做后端")),
        ("我妈退休了，在超市做保安", None),
        ("我在学校做开发的项目", None),
        ("老家成都，现在base在上海", ("home", "上海")),
        ("坐标杭州，做前端的", ("home", "杭州")),
        ("公司base在北京", None),
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
        "我在苏州找到了新工作。",
        "If I lived in York",
        "I'm in York",
        "I live in fear",
        "I'm not a nurse",
        "I'm a fan of nurses",
        "I worked at Acme years ago",
        "I work at home",
        "My wife is a nurse",
        "My wife is out",
        "My husband Tom died last year",
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


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("we ended up in Leeds, near the canal", ("home", "Leeds")),
        ("home is a flat in Leith, top floor, obviously", ("home", "Leith")),
        ("that's me out of the flat and into a wee house in Dunbar", ("home", "Dunbar")),
        ("And I have a room of my own, in Phibsborough", ("home", "Phibsborough")),
        ("rent went up again so goodbye pier, it's Worthing for me now", ("home", "Worthing")),
        ("I'm in my mum's box room in Nailsworth for now", ("home", "Nailsworth")),
        ("家在鞍山，出门就是高炉", ("home", "鞍山")),
        ("人已经在苏州", ("home", "苏州")),
        ("I'm barista on Camden Street", ("work", "barista")),
        ("I'm down on the ground for good now, an instructor", ("work", "instructor")),
        ("been at the bakery since March", ("work", "bakery")),
        ("They took me on as an apprentice", ("work", "apprentice")),
        ("day job is answering phones for a water company", ("work", "answering phones for a water company")),
        ("I work in insurance", ("work", "insurance")),
        ("下赛季在青训当教练", ("work", "青训当教练")),
        ("Tom and I have been together nine years", ("partner", "Tom")),
        ("my husband Callum works nights", ("partner", "Callum")),
        ("My partner Tom stayed in Bristol, which is hard", ("partner", "Tom")),
        ("I'm a physio.", ("work", "physio")),
        ("I'm a radiologist in Leeds", ("work", "radiologist")),
        ("谈恋爱了，女朋友叫阮棠", ("partner", "阮棠")),
        ("我跟阿涛在一起九年了", ("partner", "阿涛")),
        ("my birthday's in two weeks, the 9th of December", ("birthday", "the 9th of December")),
    ],
)
def test_slots_are_read_in_the_loose_words_of_a_chat(line, found):
    assert slots.read_slot(line) == found


@pytest.mark.parametrize(
    "line",
    [
        "我老婆在老家带孩子,闺女刚满月,叫甜甜",
        "we ended up in tears",
        "home is where the heart is",
        "I have a room booked in Lisbon",
        "we have a holiday house in Spain",
        "it's coffee for me now",
        "I'm Harry Potter obsessed",
        "I've been at the hospital since nine",
        "I work in silence",
        "I'm seeing Dr Patel tomorrow",
        "Tom and I have been together at the match",
        "人在高铁上",
        "人在医院",
        "店里有人以为我是老师",
        "我就住在河边",
        "Baseball was on all evening",
    ],
)
def test_what_only_sounds_like_a_slot_fills_none(line):
    assert slots.read_slot(line) is None
