from datetime import date

import pytest

from echovessel.periods import Period
from memory.facts.rules import days

# A Monday.
TODAY = date(2026, 11, 23)


@pytest.mark.parametrize(
    ("content", "start", "end"),
    [
        ("The user's exam is tomorrow.", date(2026, 11, 24), date(2026, 11, 24)),
        ("The user is in Rome next week.", date(2026, 11, 30), date(2026, 12, 6)),
        ("用户明天体检。", date(2026, 11, 24), date(2026, 11, 24)),
        ("用户下周去罗马。", date(2026, 11, 30), date(2026, 12, 6)),
    ],
)
def test_what_is_told_of_a_coming_day_holds_on_that_day(content, start, end):
    assert days.find_days(content, today=TODAY) == Period(start, end)


@pytest.mark.parametrize(
    "content",
    [
        "The user's birthday is on 3 May.",
        "The user works on Fridays.",
        "The user can't eat nuts.",
        "The user moved to York last week.",
        "The user is away today and next week.",
        "用户每周三上夜班。",
        "用户生日是五月三号。",
    ],
)
def test_what_holds_until_further_notice_has_no_days(content):
    assert days.find_days(content, today=TODAY) is None
