import pytest

from tests.support.extracting import extract


@pytest.mark.parametrize(
    ("lines", "told"),
    [
        (
            ["There is Cillian, from the late shift. Yes, he is my boyfriend."],
            ["There is Cillian, from the late shift. Yes, he is my boyfriend."],
        ),
        (["I drive a tower crane, eighty metres up"], ["I drive a tower crane, eighty metres up."]),
        (["The hearing is on the 14th of October"], ["The hearing is on the 14th of October."]),
        (["发电机借给隔壁潜水店了，我还没要回来"], ["发电机借给隔壁潜水店了，我还没要回来。"]),
        (["I had a walk today", "Nice roses."], []),
        (["下午开会开了两个小时。"], []),
        (["Do I drive a tower crane?"], []),
    ],
)
def test_what_a_message_states_is_told_whole(lines, told):
    assert [event["description"] for event in extract(*lines)["events"]] == told


def test_what_stands_out_goes_first_and_three_more_messages_are_told():
    answer = extract(
        "My grandmother died on Sunday.",
        "I drive the 36 bus.",
        "My dry weight is 81 kilos now.",
        "I keep two guinea pigs in a hutch.",
        "The talk is on the 9th of May.",
    )

    told = [event["description"] for event in answer["events"]]
    assert (told[0], len(told)) == ("My grandmother died on Sunday.", 5)
    assert answer["session_summary"] == "My grandmother died on Sunday."


def test_at_most_six_are_told():
    answer = extract(
        *(
            f"My {what} weighs {at} kilos."
            for at, what in enumerate(["boat", "desk", "tent", "sofa", "door", "safe", "oven", "sink"], 20)
        )
    )

    assert len(answer["events"]) == 6


def test_how_things_stand_with_somebody_by_name_is_told():
    answer = extract("Peaches is up on crutches and bossing the nurses", "捷达当废铁卖了，换成哈弗了")

    told = [event["description"] for event in answer["events"]]
    assert told == ["Peaches is up on crutches and bossing the nurses.", "捷达当废铁卖了，换成哈弗了。"]
