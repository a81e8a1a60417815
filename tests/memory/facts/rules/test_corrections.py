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
        ("not vegan any more, a bacon roll got me", "diet", "vegan", "ended"),
        ("No longer a nurse, thank God.", "work", "nurse", "ended"),
        ("I'm not with Jonas any more", "partner", "Jonas", "ended"),
        ("We broke up last night", "partner", "Jonas", "ended"),
        ("Jonas and I are finished. He kept a second phone", "partner", "Jonas", "ended"),
        ("me and Jonas are done, it was time", "partner", "Jonas", "ended"),
        ("It is finished between us", "partner", "Jonas", "ended"),
        ("I quit my job last week", "work", "nurse", "ended"),
        ("handed my notice in!!", "work", "nurse", "ended"),
        ("i packed the job in.", "work", "nurse", "ended"),
        ("me and Jonas have called it a day", "partner", "Jonas", "ended"),
        ("I just got laid off", "work", "nurse", "ended"),
        ("I quit my job as a nurse.", "work", "nurse", "ended"),
        ("I've left my job as a nurse", "work", "nurse", "ended"),
        ("I stopped working as a nurse last month.", "work", "nurse", "ended"),
        ("I gave up my job in May.", "work", "nurse", "ended"),
        ("I was sacked as a nurse", "work", "nurse", "ended"),
        ("They let me go as a nurse.", "work", "nurse", "ended"),
        ("I moved out of Leeds.", "home", "Leeds", "ended"),
        ("I've left Leeds for good", "home", "Leeds", "ended"),
        ("I quit nursing", "work", "nurse", "ended"),
        ("I've given up nursing for good.", "work", "nurse", "ended"),
        ("don't call me Bob", "preferred_name", "Bob", "wrong"),
        ("Please stop calling me Bob.", "preferred_name", "Bob", "wrong"),
        ("Don't call me Bob any more", "preferred_name", "Bob", "ended"),
        ("I eat meat again", "diet", "vegan", "ended"),
        ("I eat fish now by the way, doctor's orders", "diet", "vegan", "ended"),
        ("I've started eating meat again", "diet", "vegan", "ended"),
        ("I stopped being vegan", "diet", "vegan", "ended"),
        ("I gave up being a vegan last month", "diet", "vegan", "ended"),
        ("I quit nursing last week, it was time", "work", "nurse", "ended"),
        ("They let me go yesterday. Six years and that's it.", "work", "nurse", "ended"),
        ("Jonas dumped me", "partner", "Jonas", "ended"),
        ("My boyfriend left me last night", "partner", "Jonas", "ended"),
        ("We're not together any more", "partner", "Jonas", "ended"),
    ],
)
def test_end_a_value_in_english(line, slot, value, reason):
    found = read_acts([line], [], ENGLISH)

    assert [(act.kind, act.op, act.slot, act.value, act.reason) for act in found] == [
        (Kind.CORRECTION, Op.END, slot, value, reason)
    ]


def test_a_job_ends_by_the_place_where_it_is_done():
    found = read_acts(["I packed the bakery in"], [], {"work": "nights at a bakery"})

    assert [(act.op, act.slot) for act in found] == [(Op.END, "work")]


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
        ("阿杰跟我掰了，别问", "partner", "阿杰", "ended"),
        ("我们分手了", "partner", "阿杰", "ended"),
        ("我辞职了", "work", "字节", "ended"),
        ("我从字节离职了", "work", "字节", "ended"),
        ("我六月退休了", "work", "字节", "ended"),
        ("我退休啦，上周五最后一班。", "work", "字节", "ended"),
        ("我被字节开除了", "work", "字节", "ended"),
        ("我辞掉了字节的工作", "work", "字节", "ended"),
        ("我不干字节的活了，我不在字节干了", "work", "字节", "ended"),
        ("我不当字节的店长了，我不在字节干了", "work", "字节", "ended"),
        ("我从上海搬走了", "home", "上海", "ended"),
        ("我离开上海了", "home", "上海", "ended"),
        ("我们去年离开了上海。", "home", "上海", "ended"),
        ("离开上海了，有点舍不得", "home", "上海", "ended"),
        ("我终于离开了上海市", "home", "上海", "ended"),
        ("我跟阿杰分了，就上周日的事。", "partner", "阿杰", "ended"),
        ("我们分开了。", "partner", "阿杰", "ended"),
        ("昨天被店里开了，干了六年说不要就不要了。", "work", "字节", "ended"),
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
        ("房租扛不住，我们现在住昆山了。", "home", "昆山", "用户现在住昆山了。"),
        ("Actually I'm a carpenter, not that", "work", "carpenter", "The user is a carpenter."),
        ("Actually, my birthday is on 4 May", "birthday", "4 May", "The user's birthday is on 4 May."),
        ("I moved to York", "home", "York", "The user moved to York."),
        ("We've settled at York", "home", "York", "The user has settled at York."),
        (
            "The van broke down twice, but I live in York these days.",
            "home",
            "York",
            "The user lives in York these days.",
        ),
        ("I finished with it, I'm a museum guide now.", "work", "museum guide", "The user is a museum guide now."),
        ("I'm a lifeguard at the lido now", "work", "lifeguard", "The user is a lifeguard at the lido now."),
        ("We've just moved to New York City!", "home", "New York City", "The user has just moved to New York City."),
        ("I moved from Leeds to York last week", "home", "York", "The user moved from Leeds to York."),
        ("I moved in with Anna in York", "home", "York", "The user moved in with Anna in York."),
        ("We've moved in together in York!", "home", "York", "The user has moved in together in York."),
        ("I work at Acme now", "work", "Acme", "The user works at Acme now."),
        ("I started at Northwind last week", "work", "Northwind", "The user started at Northwind."),
        ("I now live in Oslo, it's cold", "home", "Oslo", "The user now lives in Oslo."),
        ("I got a new job at Google!", "work", "Google", "The user got a new job at Google."),
        ("I started working at Tesco on Monday", "work", "Tesco", "The user started working at Tesco on Monday."),
        ("I'm not a nurse, I'm a teacher", "work", "teacher", "The user is a teacher."),
        ("I don't live in Leeds any more, I live in Hull now", "home", "Hull", "The user lives in Hull now."),
        ("I started a new job as a baker.", "work", "baker", "The user started a new job as a baker."),
        ("I found a new job as a librarian", "work", "librarian", "The user found a new job as a librarian."),
        (
            "I switched jobs and started as a florist.",
            "work",
            "florist",
            "The user switched jobs and started as a florist.",
        ),
        ("I got a job as a teacher at a school", "work", "teacher", "The user got a job as a teacher at a school."),
        ("I've just been hired as a barista!", "work", "barista", "The user has just been hired as a barista."),
        ("I became a teacher in September", "work", "teacher", "The user became a teacher in September."),
        ("I retrained as a plumber.", "work", "plumber", "The user retrained as a plumber."),
        (
            "Actually, my job is head of department now.",
            "work",
            "head of department",
            "The user's job is head of department now.",
        ),
        ("I'm now a teacher.", "work", "teacher", "The user is now a teacher."),
        ("I left the ward, I'm a teacher now", "work", "teacher", "The user is a teacher now."),
        ("I quit my job, now I'm a teacher", "work", "teacher", "Now the user is a teacher."),
        ("They made me a steward last week.", "work", "steward", "They made the user a steward."),
        ("I got promoted to head of sales", "work", "head of sales", "The user got promoted to head of sales."),
        ("I've been promoted to manager!", "work", "manager", "The user has been promoted to manager."),
        ("I'm vegetarian now", "diet", "vegetarian", "The user is vegetarian now."),
        ("also im vegetarian now, since yesterday", "diet", "vegetarian", "The user is vegetarian now."),
        ("I've got a new job at the library", "work", "library", "The user has got a new job at the library."),
        ("I started a job in a bakery last week", "work", "bakery", "The user started a job in a bakery."),
        ("I work as a carpenter now", "work", "carpenter", "The user works as a carpenter now."),
        ("我换工作了，现在是面包师。", "work", "面包师", "用户现在是面包师。"),
        ("我换了份工作，去了腾讯", "work", "腾讯", "用户去了腾讯。"),
        ("我找到新工作了，在图书馆上班", "work", "图书馆", "用户在图书馆上班。"),
        ("我现在是园丁了。", "work", "园丁", "用户现在是园丁了。"),
        ("我改行当老师了", "work", "老师", "用户改行当老师了。"),
        ("我转行做程序员了", "work", "程序员", "用户转行做程序员了。"),
        ("上周我搬到宁波了", "home", "宁波", "用户搬到宁波了。"),
        ("我升职当经理了", "work", "经理", "用户升职当经理了。"),
        ("我被提拔成主管了", "work", "主管", "用户被提拔成主管了。"),
        ("我当上老师了", "work", "老师", "用户当上老师了。"),
        ("我从字节辞职了，现在是老师", "work", "老师", "用户现在是老师。"),
        ("酒馆关张，我现在是咖啡烘豆师", "work", "咖啡烘豆师", "用户现在是咖啡烘豆师。"),
        ("摊子收了，我现在在学校食堂打菜", "work", "学校食堂", "用户现在在学校食堂打菜。"),
        ("我们在集美买了房，现在就住那儿。", "home", "集美", "用户住在集美。"),
        ("We bought a flat in New York and we live there now", "home", "New York", "The user lives in New York."),
        ("我们举家搬来苏州了", "home", "苏州", "用户举家搬来苏州了。"),
        ("我们租到了河西的两居室", "home", "河西", "用户租到了河西的两居室。"),
        ("我离职了，现在在图书馆上班", "work", "图书馆", "用户现在在图书馆上班。"),
        ("我搬到杭州住了", "home", "杭州", "用户搬到杭州住了。"),
        ("我去杭州定居了", "home", "杭州", "用户去杭州定居了。"),
        ("我不住上海了，我住在天津", "home", "天津", "用户住在天津。"),
        ("我换工作了，现在在腾讯上班", "work", "腾讯", "用户现在在腾讯上班。"),
        ("其实我住在苏州", "home", "苏州", "用户住在苏州。"),
        ("我记错了，我住在苏州", "home", "苏州", "用户住在苏州。"),
        ("I got that wrong, I live in Hull", "home", "Hull", "The user lives in Hull."),
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
        "Not a nurse in sight.",
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
        "Jonas and I are done with the dishes",
        "It rained, I'm a mess now",
        "I'm a member of the choir now",
        "Ann and I are over the moon",
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
        "I moved in with Anna in Leeds",
        "I moved in with Anna in June",
        "I moved in with Anna",
        "I quit smoking.",
        "I quit nursing that grudge.",
        "I quit teaching",
        "I was laid off as a florist.",
        "so I did it. I fired Marcus. he cried, I cried",
        "we sacked two people yesterday",
        "I quit my job as a baker",
        "I left Leeds this morning",
        "I moved out of the way",
        "I started a new job",
        "I found a job for my brother as a baker",
        "My sister became a teacher",
        "I became a bit of a teacher to them",
        "I want to become a teacher",
        "I stopped working late",
        "I'm now a bit tired",
        "They let me go early",
        "She said don't call me Bob",
        "Don't call me Bob's keeper",
        "Don't call me tomorrow",
        "They made me a cake",
        "They made me an offer last week",
        "The company promoted my boss to director",
        "I eat meat",
        "My brother eats meat again",
        "I'll never eat meat again",
        "I started a job at the moment",
        "I've got a job at the weekend",
        "I'm in the garden now",
        "I'm a bit of a mess now",
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
        "我被花店开除了",
        "我想转行做程序员",
        "我哥转行做程序员了",
        "我找到新工作了",
        "我换了个姿势，现在舒服多了",
        "我从上海回来了",
        "我离开上海的时候哭了",
        "我离开上海那天下着雨",
        "我明天离开上海",
        "我离开苏州了",
        "我哥离开上海了",
        "我现在是单身狗了",
        "我哥辞职了，现在是老师",
        "我想辞职，现在是春天",
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


@pytest.mark.parametrize(
    ("line", "reason"),
    [("别叫我小杰", "wrong"), ("不要叫我小杰。", "wrong"), ("别再叫我小杰了", "ended"), ("以后别叫我小杰了", "ended")],
)
def test_a_name_ends_in_chinese(line, reason):
    found = read_acts([line], [], {"preferred_name": "小杰"})

    assert [(act.op, act.value, act.reason) for act in found if act.op == Op.END] == [(Op.END, "小杰", reason)]


@pytest.mark.parametrize("line", ["我又吃肉了", "我又开始吃肉了", "我现在开荤了", "我不吃素了", "我重新吃荤了"])
def test_a_diet_ends_with_meat_in_chinese(line):
    found = read_acts([line], [], {"diet": "吃素"})

    assert [(act.op, act.value, act.reason) for act in found] == [(Op.END, "吃素", "ended")]


def test_meat_ends_a_diet_of_fish():
    found = read_acts(["I eat meat again. Jollof with chicken."], [], {"diet": "pescatarian"})

    assert [(act.op, act.value, act.reason) for act in found] == [(Op.END, "pescatarian", "ended")]


@pytest.mark.parametrize(
    ("line", "diet"), [("I eat meat again", "halal"), ("我又吃肉了", "吃清真"), ("我想吃肉了", "吃素")]
)
def test_meat_ends_no_other_diet(line, diet):
    assert read_acts([line], [], {"diet": diet}) == []


@pytest.mark.parametrize("line", ["我不当护士了", "我不在医院当护士了", "我不干护士了", "我已经不是护士了"])
def test_a_job_by_its_name_ends(line):
    found = read_acts([line], [], {"work": "护士"})

    assert [(act.op, act.value, act.reason) for act in found] == [(Op.END, "护士", "ended")]
