"""Replies to what is of everyday: a saying of its own where a short message tells nothing weightier."""

import pytest

from echovessel.llm.inputs import Certainty
from echovessel.llm.offline import reply
from echovessel.llm.offline.chinese.sayings import SAYINGS as CHINESE_SAYINGS
from echovessel.llm.offline.english.everyday import EVERYDAY
from echovessel.llm.offline.english.sayings import SAYINGS
from echovessel.llm.offline.reply.hearing import tones
from echovessel.llm.offline.text import lexicon
from tests.support.reply_inputs import inputs


def answer(burst, **more):
    return reply.compose(inputs(burst, window=["Hello.", "I see."], certainty=None, **more))


@pytest.mark.parametrize(
    ("burst", "kind"),
    [
        ("i'm bored", "bored"),
        ("I made a lasagne tonight and it actually turned out well", "food"),
        ("We had pancakes for breakfast", "food"),
        ("my bike has a flat", "mishap"),
        ("i overslept and missed the bus", "mishap"),
        ("it's pouring here", "weather"),
        ("bit hungover today", "unwell"),
        ("I ran 10k for the first time today!", "feat"),
        ("I've been learning the cello for two months", "learning"),
        ("had a weird dream last night about a train", "dream"),
        ("I've decided to go back to university", "decision"),
        ("my sister Anna is visiting this weekend", "visit"),
        ("I think I'm falling for a guy at work, Dan", "smitten"),
        ("I hate Mondays", "gripe"),
        ("I cheated on a test once and still feel bad", "guilt"),
        ("I retired in June", "retired"),
        ("I'm not vegetarian any more", "stopped"),
        ("I gave up the paper round", "stopped"),
        ("we've moved to Ulverston", "relocated"),
        ("I live in Hexham", "lives"),
        ("I'm a tree surgeon, twenty years up on ropes", "works"),
        ("I'm allergic to latex", "allergic"),
        ("i am pure veg, no eggs also", "eats"),
        ("my passport is in the blue teapot", "kept_place"),
        ("I promised Fergal the old accordion", "gave_word"),
        ("I do yoga every Thursday", "habit"),
        ("my favourite colour is green", "favourite"),
        ("I'm saving for a trip to Japan", "saving"),
        ("The head, Mr Pryce, undermines me in front of the kids", "anger"),
        ("My mum's being difficult about the wedding", "anger"),
        ("My best friend Kate isn't talking to me", "sadness"),
        ("Josie has her first gala next Saturday, she's terrified", "their_nerves"),
        ("Alfie's scared of dogs since one bit him in the park", "their_nerves"),
        ("I'm turning 40 next month and dreading it", "nerves"),
        ("my manager tore into me in front of everyone", "anger"),
        ("Hey, can I vent?", "invited"),
        ("what would you have done?", "advice"),
        ("what will we name the baby?", "naming"),
        ("is that pathetic?", "worth"),
        ("被客户指着鼻子骂", "anger"),
        ("我是不是太敏感了", "worth"),
        ("I hate my body", "sadness"),
        ("我失恋了", "sadness"),
        ("I'm thinking of quitting teaching", "unsettled"),
        ("Josie won a medal!! 2nd in breaststroke", "news"),
        ("my daughter passed her grade 5 piano", "news"),
        ("乐乐游泳比赛拿了银牌！！", "news"),
        ("我女儿钢琴五级过了", "news"),
        ("I've got an appointment with Dr Shah on Thursday", "ahead"),
        ("ok I'm off to the pub", "farewell"),
        ("alright?", "how_i_am"),
        ("I need to tell you something", "invited"),
        ("Guess who I ran into today", "invited"),
        ("好无聊", "bored"),
        ("今晚做了红烧肉，居然挺成功的", "food"),
        ("外面下暴雨，我自行车还爆胎了", "mishap"),
        ("外面又下雪了", "weather"),
        ("昨天喝多了", "unwell"),
        ("我今天第一次跑完了十公里", "feat"),
        ("我学大提琴两个月了", "learning"),
        ("昨晚做了个怪梦", "dream"),
        ("我决定回去读书了", "decision"),
        ("我姐这周末来看我", "visit"),
        ("我好像喜欢上公司一个男生，叫周航", "smitten"),
        ("邻居家的狗叫了一晚上", "gripe"),
        ("我妈为婚礼的事老跟我闹", "anger"),
        ("我闺蜜小雨不理我了", "sadness"),
        ("我儿子乐乐下周一上小学，他特别害怕", "their_nerves"),
        ("我有件事想跟你说", "invited"),
        ("你猜我今天碰到谁了", "invited"),
    ],
)
def test_everyday_is_taken_up_as_what_it_is(burst, kind):
    sayings = CHINESE_SAYINGS if lexicon.is_chinese(burst) else SAYINGS

    assert any(answer(burst).startswith(saying) for saying in sayings[kind])


@pytest.mark.parametrize(
    "text",
    [
        "I am bored of living",
        "the lift is broken and so am I, they found a tumour",
        "I've decided to divorce him",
        "I saw him cry for the first time",
        "he never made bread in his life",
        "the police are coming tomorrow",
        "that is my dream job",
        "I don't see the point any more",
        "I've stopped taking my pills",
        "I stopped loving him",
        "forget that I'm allergic to latex",
        "I live alone",
        "我决定离婚",
        "我不喜欢上海",
        "外婆常说别忘带伞",
        "我离开上海那天下着雨",
        "我梦想当医生",
    ],
)
def test_what_only_sounds_everyday_is_not(text):
    assert tones.find_subject(text, tones.find_tone(text)) not in EVERYDAY


def test_long_message_is_not_answered_by_its_everyday_part():
    told = "I made a lasagne tonight. " + "Then we sat and talked about what comes after the move. " * 3

    assert tones.find_subject(told, tones.Tone.CALM) == ""


@pytest.mark.parametrize("asked", ["How's the mill today?", "how is your mill doing"])
def test_what_the_companion_keeps_is_as_ever(asked):
    told = answer(asked, persona="She keeps a mill on the coast.")

    assert "I keep a mill on the coast." in told
    assert any(told.startswith(saying) for saying in SAYINGS["as_ever"])


def test_a_thing_of_nobody_is_not_the_companions():
    assert "as ever" not in answer("How's the ferry today?", persona="She keeps a mill on the coast.")


def test_chinese_shop_of_the_companion_is_as_ever():
    told = answer("书店今天怎么样？", persona="小满开一家旧书店。", persona_name="小满")

    assert any(told.startswith(saying) for saying in CHINESE_SAYINGS["as_ever"])
    assert "旧书店" in told


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ("who is Mrs Kaya?", ["My landlady Mrs Kaya is lovely", "Mrs Kaya brought me soup"]),
        ("who is Dan?", ["My boss, Dan, shouts a lot", "Dan is on holiday this week"]),
        ("who's Priya again?", ["Priya is our vet", "I rang Priya this morning"]),
        ("老吴是谁？", ["我领导老吴天天骂人", "老吴这周休假"]),
        ("what are my kids called?", ["My kids are Ella (9) and Tom (6)", "my landlady likes them"]),
        ("what medicine am I on?", ["They're switching me to Ocrevus"]),
        (
            "do I have kids?",
            ["I teach, and I have a daughter, landlady says she is loud", "The head shouts at me in front of the kids"],
        ),
        ("我在哪上班？", ["我在杭州一所小学教语文", "我在考虑辞职，校长姓潘，老给我难堪"]),
    ],
)
def test_what_tells_it_is_told_not_what_only_names_it(asked, told):
    window = [line for said in told for line in (said, "I see.")]

    answered = reply.compose(inputs(asked, window=window, certainty=Certainty.KNOWN))

    assert any(
        word in answered
        for word in ("landlady", "boss", "our vet", "your vet", "领导", "小学教语文", "Ella", "Ocrevus")
    )
