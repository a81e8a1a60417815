import pytest

from memory.facts.rules import plain_wishes
from memory.facts.rules.acts import Op
from memory.facts.rules.reading import read_acts


@pytest.mark.parametrize(
    ("line", "content"),
    [
        ("One for the memory bank: my grandmother was a diver.", "The user's grandmother was a diver."),
        ("Pls save this, my bike lock is red", "The user's bike lock is red."),
        ("Could you keep track of the fact that I owe Jen a tenner?", "The user owes Jen a tenner."),
        ("I need you to remember something. I can't drive at night.", "The user can't drive at night."),
        ("I've got a pacemaker, that's one to remember.", "The user has got a pacemaker."),
        ("remember that my locker code is 4417 please, I always forget", "The user's locker code is 4417."),
        ("rember that i play drums", "The user plays drums."),
        ("I promised Fia a kite, you are my witness", "The user promised Fia a kite."),
        ("I promised Ali a unicycle, keep me to it", "The user promised Ali a unicycle."),
        ("remind me I owe Ricky a tan", "The user owes Ricky a tan."),
        ("Note down that the gate code is 8820.", "The gate code is 8820."),
        ("我欠小柯一双球鞋 你做个证", "用户欠小柯一双球鞋。"),
        ("记个账，我欠锅炉房一千二", "用户欠锅炉房一千二。"),
        ("登记一下，我有一只假眼。", "用户有一只假眼。"),
        ("往你本子上添一条：我色盲。", "用户色盲。"),
        ("麻烦把“我吃素”记一下。", "用户吃素。"),
        ("我血型是A型阴性，你收着。", "用户血型是A型阴性。"),
    ],
)
def test_a_wish_to_remember_is_read_in_many_words(line, content):
    assert [(act.op, act.content) for act in read_acts([line], [], {})] == [(Op.SAVE, content)]


@pytest.mark.parametrize(
    ("line", "kept", "dropped"),
    [
        ("Forget that Jo drinks and note that my aunt lives in Rome.", "The user's aunt lives in Rome.", "Jo drinks"),
        ("Remember my aunt lives in Rome, and forget that Jo drinks", "The user's aunt lives in Rome.", "Jo drinks"),
        ("忘掉我哥哥酗酒的事，再帮我记住我妹妹住在罗马。", "用户妹妹住在罗马。", "我哥哥酗酒"),
        ("记住我吃素，把我哥酗酒那事忘了吧", "用户吃素。", "我哥酗酒"),
    ],
)
def test_a_wish_to_remember_and_one_to_forget_are_read_of_one_sentence(line, kept, dropped):
    acts = {act.op: act.content for act in read_acts([line], [], {})}
    assert acts == {Op.SAVE: kept, Op.FORGET: dropped}


@pytest.mark.parametrize(
    "line",
    [
        "He left a note: I'm leaving.",
        "I'm fifteen, don't keep that.",
        "Can I tell you something? I hate Mondays.",
        "Remind me I'm not mad, will you?",
        "My sister was the witness at our wedding.",
        "结婚那天他给我们做证婚人",
        "翻了翻本子，我还真写过诗",
    ],
)
def test_what_only_sounds_like_a_wish_to_remember_stays(line):
    assert plain_wishes.say(line) == line
