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
        (["I'm vegetarian.", "I'm not vegetarian any more."], [("diet", "I'm not vegetarian any more.")]),
        (["我在字节上班。", "我不在字节上班了。"], [("work", "我不在字节上班了。")]),
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


def test_small_talk_alone_still_has_a_title():
    assert recapped("hi")["title"] == "hi"
    assert recapped("P: Hello.") == {"title": "", "outcomes": [], "open": [], "state": [], "quotes": [], "entities": []}
