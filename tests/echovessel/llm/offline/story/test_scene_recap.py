from datetime import UTC, datetime

import pytest

from echovessel.llm.inputs import SceneRecapInputs, TranscriptLine
from echovessel.llm.offline.story.scene_recap import OUTCOMES_MOST, recap

SAID_AT = datetime(2026, 11, 21, 20, 0, tzinfo=UTC)


def recapped(*lines):
    said = [("persona", line[2:].strip()) if line.startswith("P:") else ("user", line) for line in lines]
    return recap(SceneRecapInputs(lines=tuple(TranscriptLine(at, SAID_AT, *one) for at, one in enumerate(said, 1))))


def texts(told):
    return [one["text"] for one in told]


@pytest.mark.parametrize(
    ("lines", "is_open"),
    [
        (["My sister Anna is ill.", "I'll drive to her on Sunday."], ["I'll drive to her on Sunday."]),
        (["我妹妹病了。", "我打算周日去看她。"], ["我打算周日去看她。"]),
        (["可能要换工作了，银行要并网点。", "今天下雨。"], ["可能要换工作了，银行要并网点。"]),
        (["It rained all day.", "P: It did.", "What should I cook?"], ["What should I cook?"]),
        (["What should I cook?", "P: Soup."], []),
        (["ok so I need to vent.", "anyway we're going to Wales next week"], ["We're going to Wales next week"]),
        (["We're going to Cornwall with my mum", "We've cancelled Cornwall"], []),
        (["I have to renew my passport", "It rains.", "The passport came already."], []),
        (["I have to renew my passport", "My sister's visa came already"], ["I have to renew my passport"]),
        (["I will start running", "I already love running"], ["I will start running"]),
        (["我们打算春节去云南玩", "云南不去了，没心情"], []),
        (
            ["remind me to water the plants tomorrow", "P: I'll remind you to water the plants tomorrow.", "thanks"],
            ["I'll remind you to water the plants tomorrow."],
        ),
        (["I'm going to kill myself tonight"], []),
        (["I want to cry", "I have to go now", "we'll see", "I'll never forget it", "I must say, you're funny"], []),
        (["我要疯了", "我会想你的", "我要去睡觉了", "我想去死"], []),
        (["Shall I go to the lake next week?", "P: Why not."], []),
        (
            ["I'll drive to her on Sunday", "It rains.", "I'll drive to her on Sunday."],
            ["I'll drive to her on Sunday."],
        ),
    ],
)
def test_plans_and_the_last_question_are_open(lines, is_open):
    assert texts(recapped(*lines)["open"]) == is_open


def test_how_things_stand_is_told_once_of_each_slot():
    told = recapped("I live in York.", "Well, I live in Leeds now.", "I work as a nurse.")

    assert [one["label"] for one in told["state"]] == ["home", "work"]
    assert "Leeds" in told["state"][0]["text"]


@pytest.mark.parametrize(
    ("lines", "state"),
    [
        (["I'm vegetarian.", "I'm not vegetarian any more."], [("diet", "The user is not vegetarian any more.")]),
        (["我在字节上班。", "我不在字节上班了。"], [("work", "用户不在字节上班了。")]),
    ],
)
def test_what_is_over_stands_in_the_place_of_what_it_ends(lines, state):
    assert [(one["label"], one["text"]) for one in recapped(*lines)["state"]] == state


@pytest.mark.parametrize(
    ("lines", "name", "remarks"),
    [
        (
            ["My brother Sami lives in Malmö.", "Sami works as a welder.", "Does Sami like tea?"],
            "Sami",
            [("home", "My brother Sami lives in Malmö."), ("work", "Sami works as a welder.")],
        ),
        (
            ["我妹妹小雨住在杭州。", "小雨是老师。"],
            "小雨",
            [("home", "我妹妹小雨住在杭州。"), ("work", "小雨是老师。")],
        ),
        (
            ["I'm Beth, I live in Leeds with my partner Sam and I work at the library"],
            "Sam",
            [("who", "I live in Leeds with my partner Sam")],
        ),
        (["My daughter Susan lives in Perth, and she is well"], "Perth", []),
        (
            ["My friend Tom came.", "Tom turned up late", "I would love to see Paris with Tom"],
            "Tom",
            [("who", "My friend Tom came.")],
        ),
        (
            ["my boyfriend Luis made me a cake like a ship"],
            "Luis",
            [("who", "My boyfriend Luis made me a cake like a ship")],
        ),
        (["my son Adam, he's four."], "Adam", [("age", "My son Adam, he's four.")]),
        (["女儿在加拿大，叫周敏，外孙叫Leo，五岁了"], "周敏", [("who", "女儿在加拿大，叫周敏")]),
        (["女儿在加拿大，叫周敏，外孙叫Leo，五岁了"], "Leo", [("age", "外孙叫Leo，五岁了")]),
        (["我叫了外卖，跟小王一起吃"], "小王", []),
    ],
)
def test_what_holds_of_somebody_is_a_remark(lines, name, remarks):
    [somebody] = [one for one in recapped(*lines)["entities"] if one["name"] == name]

    assert [(one["label"], one["text"]) for one in somebody["remarks"]] == remarks


def test_the_weightiest_sentences_stand_in_their_order():
    dull = [f"The bus came at {at} today." for at in range(8)]
    told = recapped(*dull[:4], "My grandmother died last night.", *dull[4:])["outcomes"]

    assert len(told) == OUTCOMES_MOST
    assert "My grandmother died last night." in texts(told)
    assert [one["lines"] for one in told] == sorted(one["lines"] for one in told)


@pytest.mark.parametrize(
    ("lines", "title"),
    [
        (["hi"], ""),
        (["guess what", "tell me a joke"], ""),
        (["I want to die"], ""),
        (["您好，我姓周，退休教师，老伴前年走了"], "退休教师"),
        (
            ["im Jamal, 22, studying in leeds", "i've got a thermodynamics exam on friday"],
            "Thermodynamics exam on friday",
        ),
        (["remember that I park on level 4", "Jen lost the baby."], "Jen lost the baby"),
        (["My mum rang, she found out she's got to have a heart bypass"], "She's got to have a heart bypass"),
        (["Dad died in that hospital eight years ago."], "Dad died in that hospital"),
        (["you're great", "what a lovely day"], ""),
    ],
)
def test_a_scene_is_named_as_a_chat_is(lines, title):
    assert recapped(*lines)["title"] == title


def test_points_begin_as_sentences_do():
    told = recapped("ok so I need to vent.", "lol my boyfriend Luis says i should quit")

    assert texts(told["outcomes"]) == ["My boyfriend Luis says I should quit"]


def test_nobody_who_said_nothing_has_a_recap():
    assert recapped("P: Hello.") == {"title": "", "outcomes": [], "open": [], "state": [], "quotes": [], "entities": []}
