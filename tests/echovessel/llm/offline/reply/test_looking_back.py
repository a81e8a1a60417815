import pytest

from echovessel.llm.offline import reply
from tests.support.reply_inputs import inputs, said

TOLD = (("First day at Northern Grid!", 264), ("Biscuit is limping.", 255), ("It's a boy!", 40))


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        (
            "What did I do in March?",
            "“First day at Northern Grid!” (2 March 2026); “Biscuit is limping.” (11 March 2026)",
        ),
        ("So what happened last March?", "(2 March 2026); “Biscuit is limping.” (11 March 2026)"),
        ("我三月份做了什么？", "“First day at Northern Grid!”（2026年3月2日）；“Biscuit is limping.”（2026年3月11日）"),
    ],
)
def test_what_was_told_of_a_time_that_is_over_is_told_with_its_days(asked, told):
    assert told in reply.compose(inputs(asked, quotes=[said(text, days=days) for text, days in TOLD]))


@pytest.mark.parametrize("asked", ["What did I cook in March?", "What will I do in March?", "What did I do in April?"])
def test_what_asks_for_something_else_is_not_told_all(asked):
    assert "March 2026" not in reply.compose(inputs(asked, quotes=[said(text, days=days) for text, days in TOLD]))


def test_what_happened_to_somebody_is_how_it_ended():
    told = (
        "Our dog is called Biscuit.",
        "Biscuit is limping.",
        "Biscuit died today.",
        "The house is quiet without Biscuit.",
    )
    quotes = [said(text, days=days) for text, days in zip(told, (366, 262, 125, 25), strict=True)]

    assert "Biscuit died today" in reply.compose(inputs("What happened to Biscuit?", quotes=quotes))
