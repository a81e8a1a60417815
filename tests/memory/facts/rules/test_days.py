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
    assert days.find_days(days.write_out(content, today=TODAY), today=TODAY) == Period(start, end)


@pytest.mark.parametrize(
    "content",
    [
        "The user's birthday is on 3 May.",
        "Hanna's birthday is next Friday.",
        "The user works on Fridays.",
        "The user can't eat nuts.",
        "The user moved to York last week.",
        "The user is away today and next week.",
        "用户每周三上夜班。",
        "用户生日是五月三号。",
    ],
)
def test_what_holds_until_further_notice_has_no_days(content):
    assert days.find_days(days.write_out(content, today=TODAY), today=TODAY) is None


@pytest.mark.parametrize(
    ("content", "written"),
    [
        ("The user started at a clinic two weeks ago.", "The user started at a clinic in the week of 9 November 2026."),
        ("The user moved to York last month.", "The user moved to York in October 2026."),
        ("The user's exam is next Friday.", "The user's exam is on 4 December 2026."),
        ("The user's exam is on Tuesday.", "The user's exam is on 24 November 2026."),
        ("The user has been ill since Tuesday.", "The user has been ill since 17 November 2026."),
        ("The user is away until next month.", "The user is away until December 2026."),
        ("The user has worked a lot in the past year", "The user has worked a lot since November 2025"),
        ("The user has to hand it in by the end of next week", "The user has to hand it in by 6 December 2026"),
        ("The user has an exam tomorrow morning", "The user has an exam on 24 November 2026 in the morning"),
        ("A few days ago the user fell.", "Between 18 November 2026 and 21 November 2026 the user fell."),
        ("The user retired last summer.", "The user retired in the summer of 2026."),
        ("乐乐明年春季上幼儿园。", "乐乐2027年春季上幼儿园。"),
        ("用户打算明年五一领证。", "用户打算2027年五一领证。"),
        ("用户明年春节回老家。", "用户2027年春节回老家。"),
        ("用户每个周日晚上说一件这周的好事。", "用户每个周日晚上说一件这周的好事。"),
        (
            "Every Sunday the user tells one good thing of this week.",
            "Every Sunday the user tells one good thing of this week.",
        ),
        ("从这周起用户每天跑步。", "从2026年11月23日那周起用户每天跑步。"),
        ("用户上周搬到了苏州。", "用户2026年11月16日那周搬到了苏州。"),
        ("用户下周五考试。", "用户2026年12月4日考试。"),
        ("用户前天出院。", "用户2026年11月21日出院。"),
        ("用户去年离婚。", "用户2025年离婚。"),
        ("用户去年（2025）离婚。", "用户去年（2025）离婚。"),
        ("The user divorced last year (2025).", "The user divorced last year (2025)."),
        ("用户的老公下个月才回来。", "用户的老公2026年12月才回来。"),
        ("The user fell off their bike on Monday.", "The user fell off their bike on 16 November 2026."),
    ],
)
def test_days_that_are_counted_from_today_are_written_out(content, written):
    assert days.write_out(content, today=TODAY) == written


@pytest.mark.parametrize(
    "content",
    [
        "The user sings on Tuesdays.",
        "The user plays cards on Friday nights.",
        "The user likes the Friday choir.",
        "The user moved choir practice to Thursday.",
        "The user's birthday is on 3 May.",
        "The user was born in 1990.",
        "The exam is on Monday, 12 April 2027; Juno will ask.",
        "The exam is on Monday, April 12, 2027.",
        "用户今年三十四。",
        "用户每周三上夜班。",
        "用户周三上夜班。",
        "用户以前在前台工作。",
    ],
)
def test_habits_ages_and_days_of_the_calendar_stay_as_they_are(content):
    assert days.write_out(content, today=TODAY) == content
