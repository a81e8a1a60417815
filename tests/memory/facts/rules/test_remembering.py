import pytest

from memory.facts.rules.acts import Kind, Op, RuleAct
from memory.facts.rules.reading import read_acts


@pytest.mark.parametrize(
    ("line", "content"),
    [
        ("Remember that I'm allergic to nuts.", "The user is allergic to nuts."),
        ("Do remember that I'm allergic to nuts, would you?", "The user is allergic to nuts."),
        ("Remember that Jo can't eat gluten, for when I ask you about dinners", "Jo can't eat gluten."),
        ("in case i forget, the key is under the pot, remember that", "The key is under the pot."),
        ("I quit smoking. Remember this for me, so I cannot cheat", "The user quit smoking."),
        ("please remember I can't eat gluten", "The user can't eat gluten."),
        ("Can you remember that my sister Ann lives in Oslo", "The user's sister Ann lives in Oslo."),
        ("Remember: I work nights and sleep until noon", "The user works nights and sleeps until noon."),
        ("Don't forget that I have a flight on Friday", "The user has a flight on Friday."),
        ("don’t forget my exam is on 3 March!", "The user's exam is on 3 March."),
        ("Keep in mind that my dad died last year.", "The user's dad died last year."),
        ("bear in mind I don't drink", "The user doesn't drink."),
        ("Remember that Sam owes me money", "Sam owes the user money."),
        ("记住，Sam欠我钱", "Sam欠用户钱。"),
        ("Note that Sam hates cheese", "Sam hates cheese."),
        ("please note that nuts make me ill", "Nuts make the user ill."),
        ("I want you to remember that the cat needs her pill at 8", "The cat needs her pill at 8."),
        ("I can't eat nuts, remember that", "The user can't eat nuts."),
        ("I can't eat nuts. Please remember that.", "The user can't eat nuts."),
        ("I can't eat nuts, so please remember that.", "The user can't eat nuts."),
        ("I lent Hester the brooch after all, so do remember it now.", "The user lent Hester the brooch after all."),
        ("I'm vegetarian, remember that.", "The user is vegetarian."),
        ("My gran was a spy. Don't forget!", "The user's gran was a spy."),
        ("I'm scared of heights, keep that in mind please", "The user is scared of heights."),
        ("Bear in mind that shellfish makes my throat swell.", "Shellfish makes the user's throat swell."),
        ("Keep in mind that loud applause hurts my ears.", "Loud applause hurts the user's ears."),
        ("Remember that wasps put me in hospital once", "Wasps put the user in hospital once."),
        ("Please remember that my sister Kasia repairs organs.", "The user's sister Kasia repairs organs."),
        ("Keep in mind that the wolf puppet belongs to Solveig.", "The wolf puppet belongs to Solveig."),
        ("记住那只狼木偶是索薇的。", "那只狼木偶是索薇的。"),
        ("帮我记一下，首演在老磨坊。", "首演在老磨坊。"),
        ("记得我欠表哥四十块钱。", "用户欠表哥四十块钱。"),
        ("别忘了我被马蜂蜇过，进过急诊。", "用户被马蜂蜇过，进过急诊。"),
        ("记住乐乐七岁", "乐乐七岁。"),
        ("记得周六去接娃", "周六去接娃。"),
        ("记住每周二倒垃圾", "每周二倒垃圾。"),
        ("请记住我老婆小雨怀孕了", "用户老婆小雨怀孕了。"),
        ("别忘了我爸做过手术", "用户的爸爸做过手术。"),
        ("记住，我对花生过敏", "用户对花生过敏。"),
        ("你记着，我跟楼下老崔处对象呢", "用户跟楼下老崔处对象呢。"),
        ("瞒啥，我就是跟老崔处对象呢，你记上", "用户就是跟老崔处对象呢。"),
        ("请记住我不吃香菜。", "用户不吃香菜。"),
        ("你要记住我周三上夜班", "用户周三上夜班。"),
        ("记得我不吃辣", "用户不吃辣。"),
        ("别忘了我怕高", "用户怕高。"),
        ("记得我恐高", "用户恐高。"),
        ("记住我收藏旧地图", "用户收藏旧地图。"),
        ("记住，排练改到周四了", "排练改到周四了。"),
        ("别忘了我周五体检", "用户周五体检。"),
        ("帮我记一下，我的血型是A型", "用户的血型是A型。"),
        ("我不能吃坚果，帮我记住", "用户不能吃坚果。"),
        ("我不能吃坚果。记住这个。", "用户不能吃坚果。"),
        ("我想让你记住，我妈对青霉素过敏", "用户的妈妈对青霉素过敏。"),
        ("As I told you weeks ago, I walk in my sleep, please remember that", "The user walks in their sleep."),
        ("I already told you I've got tinnitus, please don't ever forget it", "The user has got tinnitus."),
        ("心脏搭过桥这事我早跟你讲过，千万记在心里。", "心脏搭过桥。"),
        ("我有耳石症，前面说过的，拜托一定记得", "用户有耳石症。"),
        ("also I owe Priya 60 quid, remember that for me", "The user owes Priya 60 quid."),
        ("好吧我确实讨厌惊喜派对，你记住。", "用户确实讨厌惊喜派对。"),
        ("I'm pregnant! Eleven weeks. Remember this, you're the first to know.", "The user is pregnant! Eleven weeks."),
        ("I'm pregnant. Remember that.", "The user is pregnant."),
    ],
)
def test_remember_what_the_user_asks_for(line, content):
    found = read_acts([line], [], {})

    assert [(act.kind, act.op, act.content, act.facet) for act in found] == [
        (Kind.REMEMBER, Op.SAVE, content, "about_you")
    ]


@pytest.mark.parametrize(
    ("line", "content"),
    [
        ("From now on, answer me in short sentences.", "From now on, answer the user in short sentences."),
        ("from now on please don't use emojis", "From now on please don't use emojis."),
        ("Please speak German with me from now on", "Please speak German with the user from now on."),
        ("From now on I want you to ask before you give advice", "From now on the user wants you to ask before you give advice."),
        ("以后请用中文回答我", "以后请用中文回答用户。"),
        ("以后我说话跑题的时候请提醒我。", "以后用户说话跑题的时候请提醒用户。"),
        ("以后别叫我老师", "以后别叫用户老师。"),
        (
            "对了，我不爱听“加油”“会好的”这种话，以后别跟我说。",
            "用户不爱听“加油”“会好的”这种话，以后别跟用户说。",
        ),
        ("以后都别发表情了", "以后都别发表情了。"),
        ("以后叫我的时候别用全名", "以后叫用户的时候别用全名。"),
        ("从现在起，跟我说话短一点", "从现在起，跟用户说话短一点。"),
        ("从现在起说短一点", "从现在起说短一点。"),
        ("From now on I'd like shorter answers", "From now on the user would like shorter answers."),
        ("less sarcasm from now on please", "Less sarcasm from now on please."),
        ("Please don't bring up Biscuit any more, it hurts", "Please don't bring up Biscuit any more, it hurts."),
        ("Don't bring up the fall again please, I'd rather not think of it.", "Don't bring up the fall again please."),
        ("Stop asking me about my job", "Stop asking the user about their job."),
        ("别再提年糕了", "别再提年糕了。"),
        ("你别老问我工作的事", "别老问用户工作的事。"),
        ("跟我说话可以不要一直问问题吗", "以后不要一直问问题。"),
        ("能不能别叫我宝贝", "以后别叫用户宝贝。"),
        ("你能不能说话短一点？", "以后说话短一点。"),
        ("不要总是反问我", "以后不要总是反问用户。"),
    ],
)  # fmt: skip
def test_remember_how_to_session(line, content):
    found = read_acts([line], [], {})

    assert [(act.kind, act.content, act.facet) for act in found] == [(Kind.REMEMBER, content, "how_to_talk")]


@pytest.mark.parametrize(
    "line",
    [
        "Can you remember that I'm vegan?",
        "remember when we met?",
        "remember when I could run ten miles",
        "remember to call me",
        "I remember that I was happy",
        "I can't remember that you said so",
        "He said remember that I love you",
        "She told me to remember that I am loved",
        "remember that time I fell in the lake",
        "remember the day we met",
        "remember I love you",
        "don't forget me",
        "don't forget to eat",
        "remember Christmas lights",
        "You should remember that nobody is perfect",
        "以后用不着了",
        "以后别跟我说",
        "以后别这样说了。",
        "remember Sam",
        "remember that",
        "Hello. Remember that",
        "你还记得我不吃辣吗",
        "你还记得我不吃辣",
        "我记住了",
        "我记不住我在哪",
        "我记得我不吃辣",
        "别忘了吃饭",
        "别忘了给我打电话",
        "记得我们第一次见面",
        "记住妈妈的话",
        "别忘了妈妈",
        "老师让我们记住公式",
        "我爸给我转了五千块 备注是 别让你妈知道",
        "她说：“记住我不吃辣，也不吃香菜。”",
        "记住",
        "以后我要早睡",
        "以后都不想喝酒了",
    ],
)
def test_remember_nothing_where_nothing_is_asked(line):
    assert read_acts([line], [], {}) == []


def test_the_words_before_the_wish_may_stand_in_an_earlier_message():
    found = read_acts(["haha", "remember that please"], ["I collect old maps.", "ok"], {})

    assert [(act.content, act.lines) for act in found] == [("The user collects old maps.", (0, 3))]


def test_a_question_is_not_what_is_remembered():
    found = read_acts(["记住这个"], ["我的猫叫雪球。", "你记得吗？"], {})

    assert [(act.content, act.lines) for act in found] == [("用户的猫叫雪球。", (0, 2))]


def test_of_a_long_message_before_the_last_sentence_is_remembered():
    before = "I walked along the river for a while. " * 6 + "My blood type is B negative."

    found = read_acts(["remember that"], [before], {})

    assert [act.content for act in found] == ["The user's blood type is B negative."]


def test_a_remembered_thing_fills_its_slot():
    found = read_acts(["Remember that I live in York."], [], {"home": "Leeds"})

    assert found == [
        RuleAct(
            kind=Kind.REMEMBER, op=Op.SAVE, content="The user lives in York.", lines=(0,), slot="home", value="York"
        )
    ]


def test_more_than_600_characters_are_not_remembered():
    assert len(read_acts([f"remember that I like {'jam ' * 100}"], [], {})) == 1
    assert read_acts(["remember that"], [f"I like {'x' * 700} jam"], {}) == []


@pytest.mark.parametrize(
    ("line", "found"),
    [
        (
            "Remember that I live in Leeds and I work as a nurse",
            [("The user lives in Leeds.", "home"), ("The user works as a nurse.", "work")],
        ),
        ("记住，我住在上海，我在字节上班", [("用户住在上海。", "home"), ("用户在字节上班。", "work")]),
        (
            "Hi Marian. I'm Mara, I moved to Leeds with my dog Biscuit, and I can't eat nuts, remember that.",
            [
                ("The user is Mara.", "preferred_name"),
                ("The user moved to Leeds with their dog Biscuit.", "home"),
                ("The user can't eat nuts.", ""),
            ],
        ),
        (
            "I hate flying and I love long train rides, remember that",
            [("The user hates flying.", ""), ("The user loves long train rides.", "")],
        ),
        ("记住，我对花生过敏，我喜欢坐火车", [("用户对花生过敏。", ""), ("用户喜欢坐火车。", "")]),
        ("记住我经常忘记吃药", [("用户经常忘记吃药。", "")]),
        ("Remember that I live in Leeds and I hate it", [("The user lives in Leeds and the user hates it.", "home")]),
    ],
)
def test_each_statement_of_a_wish_is_a_fact_of_its_own(line, found):
    assert [(act.content, act.slot) for act in read_acts([line], [], {})] == found


@pytest.mark.parametrize(
    ("line", "earlier", "found"),
    [
        (
            "Remember that her nut allergy is serious please",
            ["anyway my daughter Ines starts school on Monday"],
            "Ines's nut allergy is serious.",
        ),
        ("remember she's allergic to bees", ["my sister Anna is here"], "Anna is allergic to bees."),
        (
            "My daughter Ines starts school. Remember that her nut allergy is serious.",
            [],
            "Ines's nut allergy is serious.",
        ),
        ("记住她对坚果过敏，很严重", ["我女儿朵朵下周一上小学"], "朵朵对坚果过敏，很严重。"),
        ("he's a welder, remember that", ["what does my brother do for a living?"], "The user's brother is a welder."),
        (
            "remember his birthday is in May",
            ["my brother called, and my sister"],
            "The user's brother's birthday is in May.",
        ),
        ("记住他是焊工", ["我弟弟要来看我"], "用户弟弟是焊工。"),
        ("remember she is allergic to bees", ["my brother is here"], "She is allergic to bees."),
        # Three lines are near; two who were named are not known apart.
        (
            "remember she is allergic to bees",
            ["my sister Anna is here", "so", "yes", "well"],
            "She is allergic to bees.",
        ),
        (
            "remember she is allergic to bees",
            ["my sister Anna and my aunt Vera are here"],
            "She is allergic to bees.",
        ),
    ],
)
def test_whom_she_means_is_named(line, earlier, found):
    [act] = read_acts([line], earlier, {})

    assert act.content == found


@pytest.mark.parametrize(
    "line", ["remember her", "Remember her birthday", "Remember her smile?", "记住她", "记住他的好"]
)
def test_somebody_to_remember_is_no_statement(line):
    assert read_acts([line], ["my sister Anna is here"], {}) == []


@pytest.mark.parametrize(
    ("line", "question", "found"),
    [
        ("It's green. Please remember", "What's my favourite colour?", "The user's favourite colour is green."),
        ("Green, please remember", "what is my favourite colour again?", "The user's favourite colour is Green."),
        ("remember it's Biscuit", "what's my rabbit called?", "The user's rabbit is called Biscuit."),
        ("绿色，请记住", "我喜欢什么颜色？", "用户喜欢绿色。"),
        ("五月三号，请记住", "我生日是几月几号？", "用户生日是五月三号。"),
        ("记住我喜欢红色", "我喜欢什么颜色？", "用户喜欢红色。"),
    ],
)
def test_an_answer_is_remembered_with_its_question(line, question, found):
    [act] = read_acts([line], [question], {})

    assert act.content == found


@pytest.mark.parametrize(
    ("line", "question"),
    [("It's green. Please remember", "What's your favourite colour?"), ("It's green. Please remember", "It rains.")],
)
def test_a_word_alone_answers_nothing_else(line, question):
    earlier = ["Remember that my wifi is slow", question]

    assert not any("green" in act.content.lower() for act in read_acts([line], earlier, {}))


# Whatever the words are, a clause of nothing but a wish asks for what stands beside it.
ASKED_BY_A_CLAUSE = {
    "我对虾过敏，要记得哦": "用户对虾过敏。",
    "我心脏里放了两个支架，你替我记着。": "用户心脏里放了两个支架。",
    "我一天抽一包烟，这个你也记上。": "用户一天抽一包烟。",
    "我周二下午上吉他课，记一下哈": "用户周二下午上吉他课。",
    "我 allergic to peanuts，会死人的那种，记一下": "用户 allergic to peanuts，会死人的那种。",
    "记住，我偷偷报了街舞班": "用户偷偷报了街舞班。",
    "Our accountant is Mr Pollard, please remember his name.": "The user's accountant is Mr Pollard.",
    "nans birthday is the 2nd of june, can u remember that": "Nan's birthday is the 2nd of june.",
    "My driving test is on the 12th of March, remember pls": "The user's driving test is on the 12th of March.",
    "I'm on baclofen for the spasms, make sure you remember": "The user is on baclofen for the spasms.",
    "Remember that my hives stand behind the chapel.": "The user's hives stand behind the chapel.",
    # Who changed their mind about what was forgotten.
    "ok put it back in, my middle name is Beryl": "The user's middle name is Beryl.",
    "I cheated in my exam. you can have it back": "The user cheated in their exam.",
    "right, log it again: I smoke": "The user smokes.",
    "I'm writing my memoirs. Do remember it.": "The user is writing their memoirs.",
    "i do want a tattoo. remember so i can't back out": "The user does want a tattoo.",
    "Go on, remember my blood type after all: O negative.": "The user's blood type is O negative.",
    "算了，还是存上吧，我离过婚": "用户离过婚。",
    "我喜欢黄小桃，你给我记回去": "用户喜欢黄小桃。",
    "我还是要给他一匹小马，男人说话算数，这次记住": "用户还是要给他一匹小马，男人说话算数。",
}
ASKED_BY_NO_CLAUSE = ["我还记得，那天下雨", "那天下雨，我记得很清楚", "我记不住了，太难", "he left, I remember that", "remember that song we danced to", "you remember, it rained",
    "I want my jumper, have that back tomorrow", "she asked me to put it back", "那些照片我留着，很多", "照片存着呢，很多"]  # fmt: skip


def test_a_clause_that_only_asks_is_a_wish():
    heard = {line: [act.content for act in read_acts([line], [], {})] for line in ASKED_BY_A_CLAUSE}

    assert heard == {line: [content] for line, content in ASKED_BY_A_CLAUSE.items()}
    assert [line for line in ASKED_BY_NO_CLAUSE if read_acts([line], ["my sister Anna is here"], {})] == []
