import pytest

from memory.knowing import asked_things, bearing
from memory.knowing.asked_things import AskedThing


@pytest.mark.parametrize(
    ("question", "things"),
    [
        ("What is my cat called?", [AskedThing("cat")]),
        ("What did my new dentist say?", [AskedThing("dentist")]),
        ("What is Dana's husband called?", [AskedThing("husband", "dana"), AskedThing("", "dana")]),
        ("What is my brother's wife called?", [AskedThing("wife", "brother"), AskedThing("brother")]),
        ("How many cucumbers did I grow?", [AskedThing("cucumb"), AskedThing("grow")]),
        ("Do you remember my trip to Iceland in May?", [AskedThing("trip"), AskedThing("", "iceland")]),
        ("What's the story with the wedding?", []),
        ("Which team does Gerald support?", [AskedThing("support"), AskedThing("", "gerald")]),
        ("Which city is my son in now?", [AskedThing("son")]),
        ("What did I paint on the old ceiling?", [AskedThing("paint")]),
        ("When did my mother retire?", [AskedThing("mother"), AskedThing("retir")]),
        ("Who taught me to weld?", [AskedThing("teach")]),
        ("Where is my mother buried?", [AskedThing("mother"), AskedThing("buri")]),
        ("What did Dana say?", [AskedThing("", "dana")]),
        ("What is my name?", [AskedThing()]),
        # A verb is asked for only where its other words are known.
        ("Where is my brother stationed?", [AskedThing("brother")]),
        ("Where did I fracture my wrist?", [AskedThing("wrist")]),
        # One of a kind of things, of which the most are known.
        ("Which instrument do I play?", [AskedThing("play"), AskedThing("instrument")]),
        ("What kind of fruit am I allergic to?", [AskedThing("fruit")]),
        ("Which lighthouse did we see?", [AskedThing("see")]),
        ("我不能碰哪种水果？", [AskedThing("水果")]),
        ("我参加了什么活动？", []),
        # A festival.
        ("What did Dana give me for Christmas?", [AskedThing("", "dana"), AskedThing("christma")]),
        ("What did I do in May?", []),
        ("过年收到了什么？", [AskedThing("过年")]),
        # The dictionary takes a neighbour for a verb.
        ("我邻居的猫叫什么？", [AskedThing("猫", "邻居")]),
        ("我的猫叫什么？", [AskedThing("猫")]),
        ("我的健身教练叫什么？", [AskedThing("健身"), AskedThing("教练")]),
        ("我姐姐住在哪里？", [AskedThing("姐")]),
        ("丹丹的老公叫什么？", [AskedThing("老公", "丹")]),
        ("我弟弟的老婆叫什么？", [AskedThing("弟"), AskedThing("老婆", "弟")]),
        ("谁当着家长的面骂我？", [AskedThing("骂"), AskedThing("面", "家长")]),
        ("我什么时候去的？", []),
        # Without 的 a verb may stand behind 我.
        ("我亲了谁？", [AskedThing("亲")]),
        ("我踢什么位置？", [AskedThing("踢")]),
        ("我手机丢在哪里了？", [AskedThing("手机")]),
        ("我女婿是做什么的？", [AskedThing("女婿")]),
        # A sister's husband is no sister.
        ("我姐夫叫什么？", [AskedThing("姐夫")]),
        # A noun ends where the dictionary ends it.
        ("谁把我的衣服弄脏了？", [AskedThing("衣服")]),
        ("谁把我写的东西传出去了？", [AskedThing("写")]),
        ("我种的黄瓜结了几根？", [AskedThing("种"), AskedThing("黄瓜")]),
        ("我多大的时候父亲走的？", [AskedThing("父亲")]),
        ("我开公交车多久了？", []),
        ("你的猫叫什么？", []),
        # Verbs that a text has to tell.
        ("小芸是在哪儿学的陶艺？", [AskedThing("学"), AskedThing("陶艺")]),
        ("小芸什么时候说的？", []),
        # The dictionary knows these as no nouns.
        ("我的车是什么颜色？", [AskedThing("车")]),
        ("我的画挂在哪里？", [AskedThing("画")]),
    ],
)
def test_what_a_question_asks_about(question, things):
    assert asked_things.find(question) == things


@pytest.mark.parametrize(
    ("thing", "told", "is_held"),
    [
        (AskedThing("cat"), "The user's cats sleep.", True),
        (AskedThing("cat"), "The user's dog sleeps.", False),
        (AskedThing("mother"), "Mum remarried.", True),
        (AskedThing("husband", "dana"), "Dana lives in Lisbon.", False),
        (AskedThing("husband", "dana"), "Dana's husband cooks.", True),
        (AskedThing("老公", "丹"), "丹丹的丈夫会做饭。", True),
        (AskedThing("老公", "丹"), "丹丹住在里斯本。", False),
        (AskedThing("妈"), "用户的母亲再婚了。", True),
        (AskedThing(), "It rains.", True),
    ],
)
def test_a_text_speaks_of_a_thing_by_its_words_or_those_for_the_same_relative(thing, told, is_held):
    assert thing.is_held_by(told, bearing.extract_terms(told), is_of_named=False) is is_held


def test_what_tells_of_whom_the_question_names_needs_no_name():
    told = "He broke his wrist."

    assert AskedThing("wrist", "osh").is_held_by(told, bearing.extract_terms(told), is_of_named=True)


@pytest.mark.parametrize("said", ["", "?", "😀" * 50, "my " * 5000, "的" * 5000, "我的" * 5000, "Dana's " * 3000])
def test_any_text_is_read(said):
    asked_things.find(said)


@pytest.mark.parametrize(
    ("told", "heads"),
    [
        ("我女儿朵朵今天自己骑车", {"女儿"}),
        ("我儿子小宝发烧了", {"儿子"}),
        ("我女儿天天迟到", set()),
        ("我姐姐刚走", set()),
    ],
)
def test_a_name_may_stand_beside_its_thing(told, heads):
    assert asked_things.list_named(told) == heads
