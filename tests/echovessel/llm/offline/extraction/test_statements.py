"""Which messages that nobody feels much about are worth an event."""

import pytest

from tests.support.extracting import extract


@pytest.mark.parametrize(
    "said",
    [
        "Tell me something about your lighthouse.",
        "I wish I hadn't mentioned my anxiety, please drop it.",
        "omg forget what i said about tina",
        "Let's forget about work tonight.",
        "给我讲讲你的书店。",
        "write me a personal statement",
        "帮我写作文 题目是我的家乡",
    ],
)
def test_what_is_asked_for_is_no_event(said):
    assert extract(said)["events"] == []


@pytest.mark.parametrize(
    "said",
    [
        "I used to live in Bath",
        "I always order the soup at Gino's",
        "My mum says I was born in a taxi",
        "Cork said no, but Galway said yes, so I go to nursing school in Galway",
        "third year medic at Sheffield, on obs and gynae",
        "japan is off till october, flights were mental",
        "had to give up floors. I'm doing estimates for a carpet firm now",
        "Tom and I had a huge row about money",
        "our offer on the house got accepted!!",
        "女儿在医院当护士，女婿跑长途",
        "药换了，现在吃缬沙坦",
        "我以前养过三只仓鼠",
        "我小时候住在东北的林场",
    ],
)
def test_what_is_told_of_oneself_is_one(said):
    assert len(extract(said)["events"]) == 1


@pytest.mark.parametrize(
    "said",
    [
        "In a good way.",
        "its cold isnt it",
        "it'll be fine will you",
        "You must find me a dreary correspondent.",
        "Ok its a bit true.",
        "But thats not the point.",
        "Dont tell anyone that.",
        "You do not need to answer that.",
        "Thanks june. night x",
        "Walter, I have news.",
        "I am glad of our talks.",
        "ok going in. wish me luck x",
    ],
)
def test_what_is_said_of_the_talk_is_no_event(said):
    assert extract(said)["events"] == []


def test_did_i_tell_you_is_told_without_it():
    (event,) = extract("did i tell u i got moved up to set 2 for maths")["events"]

    assert event["description"] == "I got moved up to set 2 for maths."


def test_how_the_companion_is_to_call_one_is_no_event():
    assert extract("以后就叫我小铲吧,别叫同学了")["events"] == []


def test_what_is_difficult_is_no_illness():
    assert extract("The tax form was difficult again today")["events"] == []


def test_a_question_for_how_things_stand_is_no_event():
    assert extract("are Callum and I divorced?")["events"] == []


@pytest.mark.parametrize(("said", "taken_back"), [("also i quit coffee", "haha no i didn't"), ("我中奖了", "骗你的哈")])
def test_a_joke_that_is_taken_back_is_no_event(said, taken_back):
    assert extract(said, taken_back)["events"] == []
    assert len(extract(said, "no i didn't sleep at all")["events"]) > 0


@pytest.mark.parametrize(
    "said",
    [
        "My lad Ryan's off to the army in september. I'm dreading it if I'm honest",
        "Sam was diagnosed with coeliac last week. He's my nephew. He's only six bless him",
    ],
)
def test_what_says_nothing_alone_is_told_with_what_it_is_of(said):
    assert [event["description"].rstrip(".") for event in extract(said)["events"]] == [said]


def test_what_is_exact_in_a_long_message_is_told_beside_its_topic():
    said = (
        "I'm 52, divorced, two grown kids: Ben is in Toronto doing a master's in robotics and Lucy teaches primary in Bristol. I run a small "
        "practice with my friend Gareth. Lately I can't get myself out of bed before ten and I don't know why."
    )
    noticed = "Gareth noticed. He asked whether I wanted to take January off and I snapped at Gareth."

    assert any("Ben is in Toronto" in event["description"] for event in extract(said, noticed)["events"])
