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


def test_what_stands_out_goes_first_and_three_are_told():
    answer = extract(
        "My grandmother died on Sunday.",
        "I drive the 36 bus.",
        "My dry weight is 81 kilos now.",
        "I keep two guinea pigs in a hutch.",
        "The talk is on the 9th of May.",
    )

    told = [event["description"] for event in answer["events"]]
    assert (told[0], len(told)) == ("My grandmother died on Sunday.", 3)
    assert answer["session_summary"] == "My grandmother died on Sunday."
