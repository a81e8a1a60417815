from dataclasses import replace
from datetime import date, timedelta

import pytest

from chat.turns.prompting.sections.present import render_present
from echovessel.llm.inputs import Plan
from tests.support.reply_inputs import NOW, inputs

HERE = inputs("Hello.", user_name="Mara")
TIME = "It is Saturday, 21 November 2026, 20:00, evening where Mara is."
BACK = replace(HERE, last_message_at=NOW - timedelta(days=3))


@pytest.mark.parametrize(
    ("given", "text"),
    [
        (HERE, f"{TIME} This is your first talk."),
        (BACK, f"{TIME} The last words between you were 3 days ago."),
        (
            replace(
                BACK, due=[Plan("The user has an interview & more.", date(2026, 11, 20)), Plan("Ask <Lin>.", None)]
            ),
            (
                f"{TIME} The last words between you were 3 days ago. Mara is back. This has come since, or is near; take it up once, if it fits:\n"
                "<due>\n- (yesterday) The user has an interview &amp; more.\n- Ask &lt;Lin>.\n</due>"
            ),
        ),
        (replace(BACK, known_since=date(2026, 11, 21)), f"{TIME} The last words between you were 3 days ago."),
        (
            replace(BACK, known_since=date(2026, 5, 3)),
            f"{TIME} The last words between you were 3 days ago. You have known each other since 3 May 2026.",
        ),
        (
            replace(BACK, has_left_focus=True),
            (
                f"{TIME} The last words between you were 3 days ago. Mara has moved off what they wanted to talk about: go "
                "along, and come back to it once, if it fits."
            ),
        ),
    ],
)
def test_the_present_tells_the_silence_and_what_to_take_up(given, text):
    assert render_present(given) == text


@pytest.mark.parametrize(
    ("told", "is_birthday"),
    [
        ("The user's birthday is 21 November.", True),
        ("The user was born on 1990-11-21.", True),
        ("用户的生日是十一月二十一号。", True),
        ("The user's birthday is 22 November.", False),
        ("The user's birthday is in November.", False),
        ("用户的生日是农历十一月二十一。", False),
        ("", False),
    ],
)
def test_the_present_tells_a_birthday_on_its_day(told, is_birthday):
    assert ("Today is the birthday of Mara." in render_present(replace(HERE, slots={"birthday": told}))) == is_birthday
