import pytest

from echovessel.llm.offline.text import sentences
from tests.support.extracting import extract


def test_cat_story_is_one_event_with_its_entity():
    answer = extract("We have a white cat", "P: How nice.", "He is called 小黑", "He jumps on my face at night")

    text = "We have a white cat. He is called 小黑. He jumps on my face at night."
    assert answer == {
        "events": [
            {
                "description": text,
                "emotional_impact": 2,
                "emotion_tags": [],
                "relational_tags": [],
                "subject": "user",
                "event_time": None,
                "source_lines": [11, 13, 14],
                "supersedes": [],
            }
        ],
        "session_summary": text,
        "mentioned_entities": [
            {"canonical_name": "小黑", "kind": "pet", "aliases": [], "in_events": [0], "description": None}
        ],
        "possible_same": [],
        "entity_clarification": None,
        "session_mood_signal": {"mood": "warm", "energy": 6, "last_user_signal": "warm"},
        "clarified": [],
        "facts": [
            {
                "op": "add",
                "how": None,
                "target": None,
                "facet": "about_you",
                "content": "The user has a white cat.",
                "detail": None,
                "slot": None,
                "value": None,
                "certainty": 0.75,
                "since": None,
                "until": None,
                "source_lines": [11],
            }
        ],
        "self_check_notes": "Read by rules, without a model.",
    }


def test_cat_story_in_chinese():
    answer = extract("我家有一只白猫", "它叫小黑", "晚上总跳到我脸上")

    [event] = answer["events"]
    assert (event["description"], event["emotional_impact"]) == ("我家有一只白猫。它叫小黑。晚上总跳到我脸上。", 2)
    assert [entity["canonical_name"] for entity in answer["mentioned_entities"]] == ["小黑"]
    assert answer["session_mood_signal"]["mood"] == "温暖"


@pytest.mark.parametrize(
    "lines",
    [
        ["hi", "hello"],
        ["Hello there!", "How are you?"],
        ["你好", "在吗"],
        ["你好呀,我是第一次用"],
        ["冯老师又来了"],
        ["The weather is nice", "I had lunch"],
        ["do you remember my cat?"],
        ["你还记得我的猫吗"],
        ["P: My cat is called Tom"],
        ["我走了", "晚安"],
        ["有人叫我起床"],
        ["Remind me to call Zosia on Sunday."],
        ["提醒我周日给我妈打电话"],
        ["我老伴走了多少天了"],
        ["俺妈尿毒症一星期透析几回"],
        ["第一个送走的孩子穿的什么鞋"],
        [],
    ],
    ids=" / ".join,
)
def test_small_talk_and_questions_are_no_events(lines):
    answer = extract(*lines)

    assert (answer["events"], answer["mentioned_entities"], answer["session_mood_signal"]) == ([], [], None)


@pytest.mark.parametrize(
    ("said", "impact", "tags"),
    [
        ("my grandmother passed away", -8, ["grief"]),
        ("My mother died", -9, ["grief"]),
        ("grandad died", -8, ["grief"]),
        ("My dog died", -7, ["grief"]),
        ("我奶奶去世了", -8, ["grief"]),
        ("奶奶走了", -8, ["grief"]),
        ("我的猫没了", -7, ["grief"]),
        ("你觉得活着累吗？", -9, ["despair"]),
        ("btw, I got engaged", 8, ["joy"]),
        ("我们订婚了", 8, ["joy"]),
        ("I got promoted today!!", 5, ["pride"]),
        ("朋友小李升职了，我很开心", 4, ["joy", "pride"]),
        ("I am not happy about the new job", -2, ["sadness"]),
        ("我今天很不开心", -2, ["sadness"]),
        ("老伴走了一百零三天了", -9, ["grief"]),
        ("我怀孕26周，宫颈短，医生让卧床", -6, ["fear"]),
        ("楼下的人喝多了跟我说他儿子十年没回来过", 1, []),
        ("我有时候真觉得活着没啥意思", -9, ["despair"]),
        ("有时候站到阳台上想 跳下去就什么都不用还了", -9, ["despair"]),
        ("我在殡仪馆给人化妆", 1, []),
        ("我妈三月份走的，走之前还念叨想吃我做的面", -9, ["grief"]),
        ("我爸上个月走的，去北京出差", 1, []),
        ("我姑娘非要嫁个外地小子", 1, []),
        ("小时候她发高烧 我背着她走了八里地", 1, []),
        ("儿子结婚没敢请我同事", 1, []),
        ("他爸留下两千块钱走了 瘦得脱相了", 1, []),
        ("I am so tired today", -2, ["tiredness"]),
        ("We have a dog", 2, []),
        ("My cat Basil hates my night shifts", -1, []),
        ("我家猫讨厌吸尘器", -1, []),
        ("我喜欢吃披萨，但讨厌菠萝", 1, []),
        ("我最讨厌这种人", -3, ["anger"]),
        ("I live in Berlin", 1, []),
    ],
)
def test_impact_follows_the_scale(said, impact, tags):
    [event] = extract("hi", said)["events"]

    assert (event["emotional_impact"], event["emotion_tags"], event["source_lines"]) == (impact, tags, [12])


@pytest.mark.parametrize(
    ("said", "entities"),
    [
        ("My cat 小黑 is white", [("小黑", "pet")]),
        ("小黑 is my white cat", [("小黑", "pet")]),
        ("We have a cat called 小黑 that jumps on my face at night.", [("小黑", "pet")]),
        ("I have a dog named “Rex”", [("Rex", "pet")]),
        ("My sister Anna got engaged", [("Anna", "person")]),
        ("My mother is ill", [("mother", "person")]),
        ("We live in Berlin and I work at Siemens", [("Siemens", "org"), ("Berlin", "place")]),
        ("I have two cats. One is called Momo and the other is called Kiki.", [("Momo", "pet"), ("Kiki", "pet")]),
        ("My sister called yesterday", [("sister", "person")]),
        ("I got the job! We're brothers again", []),
        (
            "Peter's wife Karen is expecting! I'm to be a grandfather at last",
            [("Peter", "person"), ("Karen", "person")],
        ),
        ("I'm going to be a mother, I can't believe it", []),
        ("我养了一只白猫，叫小黑", [("小黑", "pet")]),
        ("我有一只叫小黑的白猫，半夜跳到我脸上。", [("小黑", "pet")]),
        ("小黑是我家的白猫", [("小黑", "pet")]),
        ("朋友小李升职了", [("小李", "person")]),
        ("我同桌陈嘉木考了612", [("陈嘉木", "person")]),
        ("我同桌陈嘉又考了第一", [("陈嘉", "person")]),
        ("男朋友在国内 阿哲 时差三小时", [("阿哲", "person")]),
        ("我喜欢一家店 店名叫 老灶头", [("老灶头", "other")]),
        ("我家科里人叫惯了小方", []),
        ("我在北京工作", [("北京", "place")]),
        ("我奶奶去世了", [("奶奶", "person")]),
        ("I grew up in a town called Ely", [("Ely", "place")]),
        ("I started a company called Acme", [("Acme", "org")]),
        ("I love a game called Celeste", [("Celeste", "other")]),
        ("I met him at work, he is called Tom", [("Tom", "person")]),
        ("I have got a dog. She's a whippet, from the rescue. She is called Dolly.", [("Dolly", "pet")]),
        ("我叫林", []),
        ("我姓周，叫周建国，五十六了", []),
        ("我妈姓刘，叫刘芳", [("刘芳", "person")]),
        ("My name is Mara", []),
        ("Hi, I'm Priya, a vet nurse. My sister Anna got engaged!", [("Anna", "person")]),
        ("The shop is called the Magpie", [("Magpie", "org")]),
    ],
)
def test_names_are_found_by_the_words_around_them(said, entities):
    found = extract(said)["mentioned_entities"]

    assert [(entity["canonical_name"], entity["kind"]) for entity in found] == entities


@pytest.mark.parametrize(
    ("said", "tags"),
    [
        ("I've never told anyone this, but I was fired", ["vulnerability"]),
        ("Actually, that is my sister's cat", ["correction"]),
        ("I am a single mom", ["identity-bearing"]),
        ("我从没跟别人说过，我被裁了", ["vulnerability"]),
        ("其实不是，我妈妈住在上海", ["correction"]),
        ("I am a bit sad", []),
    ],
)
def test_relational_tags(said, tags):
    [event] = extract(said)["events"]

    assert event["relational_tags"] == tags


@pytest.mark.parametrize(
    ("lines", "events"),
    [
        (["My sister Anna got engaged", "I'm so happy for her"], ["My sister Anna got engaged. I'm so happy for her."]),
        (["I was fired", "I feel so sad"], ["I was fired. I feel so sad."]),
        (["My mother is ill", "My mother has to rest"], ["My mother is ill. My mother has to rest."]),
        (["We have a cat called Luna", "x", "y", "z", "Luna is ill"], ["We have a cat called Luna. Luna is ill."]),
        (["I live in Berlin", "My dog died"], ["I live in Berlin.", "My dog died."]),
        (["Our cat is called Luna", "Our dog is called Rex"], ["Our cat is called Luna.", "Our dog is called Rex."]),
        (["Our dog Rex saw the vet. I'm really scared."], ["Our dog Rex saw the vet. I'm really scared."]),
        (["I have an exam on Friday. I'm so nervous."], ["I have an exam on Friday. I'm so nervous."]),
        (
            ["My mum moves on Monday", "x", "y", "z", "w", "Actually it's Tuesday, not Monday"],
            ["My mum moves on Tuesday."],
        ),
        (["我妈下周一住院", "不是周一，是周二"], ["我妈下周二住院。"]),
        (["I quit. I actually quit my job."], ["I quit. I actually quit my job."]),
        (["My boss is a nightmare", "They've cut our hours"], ["My boss is a nightmare.", "They've cut our hours."]),
        (["My mother is ill", "Please stop asking me about my mother"], ["My mother is ill."]),
        (["My girlfriend left me", "P: Oh.", "I got fired today"], ["My girlfriend left me.", "I got fired today."]),
        (["我女朋友跟我分手了", "P: 唉。", "今天公司把我裁员了"], ["我女朋友跟我分手了。", "今天公司把我裁员了。"]),
        (
            ["My sister Anna moved to Hull", *"xyzwvu", "Anna asked me to her party on the 12th"],
            ["My sister Anna moved to Hull.", "Anna asked me to her party on the 12th."],
        ),
        (
            [
                "dev's buying the first round on friday",
                "P: I'm with you.",
                "told mum about ollie. she cried more than me",
            ],
            ["Told mum about ollie. She cried more than me.", "Dev's buying the first round on friday."],
        ),
    ],
    ids=[
        "a pronoun",
        "a reaction",
        "the same kin",
        "a name again",
        "another thing",
        "two pets",
        "a bare feeling",
        "a bare feeling about what is no event",
        "a correction",
        "a correction in Chinese",
        "the same words",
        "others than the one who was spoken of",
        "a wish not to bring it up",
        "two blows",
        "two blows in Chinese",
        "a name long after",
        "a plan before tears",
    ],
)
def test_sentences_about_one_thing_join(lines, events):
    assert [event["description"] for event in extract(*lines)["events"]] == events


def test_what_an_event_has_no_room_for_is_another():
    lines = (
        "I gave a patient the wrong dose on tuesday. Ten times the heparin. I misread the pump",
        "he bled. they caught it. he's in HDU and he's stable but he could have died",
        "His name is Mr Adeyemi. He has a granddaughter the age of my Saoirse",
        "i told them straight away, I filled in the form myself",
        "they've taken me off the ward while they investigate",
    )

    assert "wrong dose" in " ".join(event["description"] for event in extract(*lines)["events"])


def test_what_is_told_beside_what_stands_out_keeps_its_feelings():
    events = extract("My dog Rex died.", "My sister Anna got engaged!", "I was fired.", "We opened!! Sam cried.")[
        "events"
    ]

    assert [event["emotional_impact"] for event in events if "Anna" in event["description"]] == [5]


def test_nobody_of_the_users_is_the_user_or_a_cape():
    answer = extract(
        "I am Margaret, I taught Latin", "I scattered Geoffrey's ashes off Cape St Vincent", "Mr Bill rang"
    )

    assert [one["canonical_name"] for one in answer["mentioned_entities"]] == ["Geoffrey", "Mr Bill"]


def test_three_events_stand_out_at_most_before_what_is_only_stated():
    answer = extract("I live in Berlin", "My sister Anna got engaged", "We have a dog", "I was fired", "I like tea")

    assert [event["emotional_impact"] for event in answer["events"]] == [5, 2, -7, 1, 1]
    assert answer["session_summary"] == "My sister Anna got engaged. I was fired."


@pytest.mark.parametrize(
    ("said", "summary"),
    [
        (("I sing in a choir on Mondays", "Bit nervous tbh."), "I sing in a choir on Mondays."),
        (("i make beats on fl studio", "My dads in prison."), "My dads in prison."),
        (("lost a won endgame tonight. so annoying",), "Lost a won endgame tonight. So annoying."),
        (("anyway i had soup",), "I had soup."),
        (("今天吃了面",), "今天吃了面。"),
        (("I'm scared", "my mum has to have an operation"), "My mum has to have an operation."),
        (
            ("Sam wants to come back", "I told him no", "I start at the shop on Monday", "My cat sleeps on my feet."),
            "Sam wants to come back. I told him no. I start at the shop on Monday.",
        ),
        (("官司赢了！！", "当事人拉着我的手哭"), "官司赢了！！"),
        (("do you think I should call him?", "I don't know", "thanks for listening"), ""),
    ],
)
def test_a_summary_says_what_happened_or_what_a_feeling_was_about(said, summary):
    assert extract(*said)["session_summary"] == summary


@pytest.mark.parametrize(
    ("lines", "events"),
    [
        (["she's dead", "my cat", "she was 15"], ["She's dead. My cat. She was 15."]),
        (["它死了", "我的猫", "它15岁了"], ["它死了。我的猫。它15岁了。"]),
        (["Dan proposed!", "P: Oh!", "I said yes!!"], ["Dan proposed! I said yes!!"]),
        (["小杨跟我求婚了", "P: 哇", "我答应了"], ["小杨跟我求婚了。我答应了。"]),
        (["She hates me", "my boss Karen"], ["She hates me. My boss Karen."]),
        (
            ["I have a dog, Max", "the neighbour shouted at me", "Max bit him"],
            ["The neighbour shouted at me. Max bit him.", "I have a dog, Max."],
        ),
        (
            ["Mark is my husband", "the boss shouted at me", "Mark says I should leave"],
            ["The boss shouted at me. Mark says I should leave.", "Mark is my husband."],
        ),
    ],
)
def test_what_goes_on_with_the_line_before_it_is_told_with_it(lines, events):
    assert sorted(event["description"] for event in extract(*lines)["events"]) == sorted(events)


def test_news_of_the_day_that_is_worth_remembering_is_stated_beside_what_stands_out():
    lad = "My lad got his results, he's into Sheffield for engineering!"
    answer = extract("I was fired", "My sister Anna got engaged", "My gran died", lad, "Had soup again and went home")

    assert [event["description"] for event in answer["events"]][3:] == [lad]


def test_messages_of_one_message_keep_its_number():
    [event] = extract("We have a cat <3\nShe is called Luna")["events"]

    assert (event["description"], event["source_lines"]) == ("We have a cat <3. She is called Luna.", [11])


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("I was born in 3.5 seconds. Really? Yes!", ["I was born in 3.5 seconds.", "Really?", "Yes!"]),
        ("我家有猫。它叫小黑！", ["我家有猫。", "它叫小黑！"]),
        ("…\n???", []),
    ],
)
def test_split(text, parts):
    assert sentences.split(text) == parts


def test_what_follows_a_change_of_subject_is_another_event():
    answer = extract(
        "I've been a paramedic for six years and I've never felt this useless",
        "P: A paramedic for six years. I can picture it.",
        "anyway my daughter Ines starts school on Monday, she's so excited",
        "P: Ines. A good name to say.",
    )

    assert [("paramedic" in event["description"], "Ines" in event["description"]) for event in answer["events"]] == [
        (True, False),
        (False, True),
    ]
    assert [event["emotional_impact"] < 0 for event in answer["events"]] == [True, False]


def test_another_subject_in_chinese_is_another_event():
    answer = extract(
        "我干了六年护士，从没觉得自己这么没用",
        "P: 六年护士，我听着。",
        "对了，我女儿朵朵下周一上小学，她特别兴奋",
        "P: 朵朵，这名字好听。",
    )

    assert [("护士" in event["description"], "朵朵" in event["description"]) for event in answer["events"]] == [
        (True, False),
        (False, True),
    ]


@pytest.mark.parametrize(
    ("line", "text"),
    [
        ("anyway, my sister Anna is getting married in June", "My sister Anna is getting married in June."),
        ("by the way my sister Anna got the job", "My sister Anna got the job."),
        ("please remember that my sister Anna is allergic to nuts", "My sister Anna is allergic to nuts."),
        ("对了，我妹妹小月结婚了", "我妹妹小月结婚了。"),
        ("anyway, I remember that my sister Anna cried", "I remember that my sister Anna cried."),
        ("Hi Marian, my sister Anna cried", "My sister Anna cried."),
        ("Ok so I need to vent. my sister Anna took credit", "My sister Anna took credit."),
        ("lol my cat Luna fell in the bath and im wet", "My cat Luna fell in the bath and I'm wet."),
        ("Long story short, i lost my sister Anna's ring", "I lost my sister Anna's ring."),
        ("Ugh, my sister Anna hurt her knee", "My sister Anna hurt her knee."),
        ("你好，我妹妹小月结婚了", "我妹妹小月结婚了。"),
    ],
)
def test_an_event_begins_with_what_happened(line, text):
    [event] = extract(line)["events"]

    assert event["description"] == text


def test_a_change_of_subject_does_not_feel_as_the_one_before():
    answer = extract(
        "my boss Petra shouted at me in front of everyone",
        "P: That would have made me angry, too.",
        "I've been a paramedic for six years and I've never felt this useless",
        "P: That hurts just to hear. I'm sorry.",
        "anyway my daughter Ines starts school on Monday, she's so excited",
        "P: That sounds good. Ines. A good name to say.",
    )

    assert [("Ines" in event["description"], event["emotional_impact"] > 0) for event in answer["events"]] == [
        (False, False),
        (True, True),
    ]


@pytest.mark.parametrize(
    ("lines", "events"),
    [
        (("no I'm not going to hurt myself, just tired",), []),
        (("My sister Anke just had twins! Ida and Wout",), ["My sister Anke just had twins! Ida and Wout."]),
        (
            ("anyway. My dog Pilot ran off, it made me cry",),
            ["My dog Pilot ran off, it made me cry."],
        ),
        (
            ("My mom says I'm too young but she's letting me go.",),
            ["My mom says I'm too young but she's letting me go."],
        ),
    ],
)
def test_an_event_is_no_denial_and_begins_with_what_it_tells(lines, events):
    assert [event["description"] for event in extract(*lines)["events"]] == events


@pytest.mark.parametrize(
    "line",
    [
        "My mom says I'm too young but she's letting me go.",
        "I have a son, Adam, he's four.",
        "I teach my kids how cats hate water.",
    ],
)
def test_what_only_sounds_like_a_blow_or_a_birth_is_none(line):
    [event] = extract(line)["events"]

    assert -3 < event["emotional_impact"] < 3


def test_what_goes_on_in_a_message_belongs_to_what_stands_before_it_there():
    lines = (
        "His name was Daniel. He died four years ago on the 3rd of December.",
        "my new partner Jo says she'd come with me",
        "Daniel hated mushrooms. he'd pick them out with a face like a surgeon",
        "I feel like I'd be betraying Claire. that's stupid isn't it",
    )
    told = [event["description"] for event in extract(*lines)["events"]]

    of_daniel, of_jo = (next(text for text in told if name in text) for name in ("Daniel", "Jo"))
    assert "surgeon" in of_daniel
    assert not any(word in of_jo for word in ("surgeon", "stupid"))


PUT_DOWN = [
    (["my cat Morel is ill", "noor came to the vet with me", "they put him to sleep at 4."], -7),
    (["my cat Morel is ill", "we put morel to sleep this morning"], -7),
    (["my dog was put to sleep on monday"], -7),
    (["our old cat, they put her down today"], -7),
    (["Rex was put down yesterday, I held him"], -7),
    (["the baby was put down at 7 and slept"], 1),
    (["my dog Rex is 9 and he was put to sleep on monday"], -7),
    (["my dog Rex chewed a shoe so I put him down on the floor"], -1),
    (["I put my son to sleep at 7, finally quiet"], 1),
    (["my son Leo is teething", "I put leo down at 7, finally quiet"], 1),
    (["my dog Rex chewed a shoe", "I put it down on the table"], 1),
]


@pytest.mark.parametrize(("lines", "impact"), PUT_DOWN)
def test_an_animal_is_put_to_sleep_for_good_and_a_child_for_the_night(lines, impact):
    told = [event for event in extract(*lines)["events"] if "put" in event["description"]]

    assert [event["emotional_impact"] for event in told] == [impact]


def test_how_it_is_with_somebody_known_is_asked_in_lower_case_too():
    assert len(extract("my cat Morel is ill", "is morel ok")["events"]) == 1


def test_who_went_where_somebody_was_dying_has_died():
    said = "She went this morning. Quarter past six."
    told = extract("My wife Eirlys has got pancreatic cancer.", said)["events"]
    assert [event["emotional_impact"] for event in told] == [-9]
    assert [event["emotional_impact"] for event in extract(said)["events"]] == [1]


@pytest.mark.parametrize(
    ("told", "right", "event", "fact"),
    [
        ("My sister's birthday is on the 5th of May", "no wait, the 6th", "the 6th of May", "the 6th of May"),
        ("My niece is Mia", "I mean Maya", "My niece is Maya.", ""),
        ("My niece is Mia", "*Maya", "My niece is Maya.", ""),
        ("I'm allergic to cats", "correction: dogs", "I'm allergic to dogs.", "The user is allergic to dogs."),
        ("My favourite colour is green", "actually it's blue", "My favourite colour is blue.", "colour is blue"),
        ("Jo's party is on Saturday", "oh wait it's Sunday not Saturday", "on Sunday", ""),
        ("I have two cats, Miso and Soy", "dogs I mean, not cats, haha", "two dogs, Miso", "has two dogs"),
        ("I live at number 12", "I mean 21, not 12", "at number 21", ""),
        ("我养了两只猫", "啊不是猫，是狗哈哈", "两只狗", "两只狗"),
        ("我妹妹小美是护士", "说错了，她是医生", "小美是医生", "小美是医生"),
        ("我侄女叫米拉", "不对，是米雅", "我侄女叫米雅", ""),
        ("我对猫过敏", "说错了，是狗", "我对狗过敏", "用户对狗过敏。"),
        ("我养了只仓鼠叫奶盖", "其实奶盖不是仓鼠，是荷兰猪，我老是说错", "荷兰猪叫奶盖", ""),
        ("外孙女朵朵今年上初一", "说错了，朵朵不是初一，是初二了", "上初二", ""),
        ("我男朋友在西安上学", "不对，他不在西安，他在咸阳", "在咸阳上学", ""),
        ("我弟要结婚了，日子定在下个月六号", "其实我弟不是下个月六号结婚，改到十六号了", "下个月十六号", ""),
    ],
)
def test_a_value_alone_takes_the_place_of_the_one_it_sets_right(told, right, event, fact):
    answer = extract(told, "P: I see.", right)

    [written] = answer["events"]
    assert event in written["description"]
    assert written["source_lines"] == [11, 13]
    assert fact in " ".join(one["content"] for one in answer["facts"])
    assert all(one["source_lines"] == [11, 13] for one in answer["facts"])


def test_a_value_that_is_named_is_set_right_though_others_stand_between():
    answer = extract("Jo's party is on Saturday", "I play the cello", "my boss sings", "oh, it's Sunday not Saturday")

    assert [one["description"] for one in answer["events"] if "party" in one["description"]] == [
        "Jo's party is on Sunday."
    ]


@pytest.mark.parametrize(
    "after",
    [
        "sorry, it's fine, not green",
        "green is fun, not work",
        "I said cats, not dogs",
        "it's fun, not favourite",
        "不是累，是烦",
        "actually it's fine",
        "sorry, Robin",
        "oh no",
        "I mean it",
        "not now",
        "我没事",
        "Tuesday was lovely",
    ],
)
def test_what_only_follows_sets_nothing_right(after):
    assert extract("My favourite colour is green", after)["events"][0]["description"].startswith(
        "My favourite colour is green"
    )
