from datetime import UTC, date, datetime
from zoneinfo import ZoneInfo

import pytest

from echovessel import times

# A Saturday evening.
NOW = datetime(2026, 11, 21, 20, 0, tzinfo=UTC)
TODAY = NOW.date()
VIENNA = ZoneInfo("Europe/Vienna")


def at(text, zone=UTC):
    return datetime.fromisoformat(text).replace(tzinfo=zone)


@pytest.mark.parametrize(
    ("moment", "ago", "since"),
    [
        ("2026-11-21 20:00:30", "just now", "a moment"),
        ("2026-11-21 20:00", "just now", "a moment"),
        ("2026-11-21 19:58", "just now", "2 minutes"),
        ("2026-11-21 19:50:01", "just now", "9 minutes"),
        ("2026-11-21 19:50", "earlier today", "10 minutes"),
        ("2026-11-21 19:01", "earlier today", "59 minutes"),
        ("2026-11-21 19:00", "earlier today", "an hour"),
        ("2026-11-21 00:00", "earlier today", "20 hours"),
        ("2026-11-20 23:59", "yesterday", "20 hours"),
        ("2026-11-20 00:00", "yesterday", "44 hours"),
        ("2026-11-19 20:00", "2 days ago", "2 days"),
        ("2026-11-15 20:00", "6 days ago", "6 days"),
        ("2026-11-14 20:00", "7 days ago", "7 days"),
        ("2026-11-08 20:00", "13 days ago", "13 days"),
        ("2026-11-07 20:00", "2 weeks ago", "14 days"),
        ("2026-10-31 20:00", "3 weeks ago", "21 days"),
        ("2026-09-23 20:00", "8 weeks ago", "59 days"),
        ("2026-09-22 20:00", "2 months ago", "2 months"),
        ("2025-11-21 20:00", "12 months ago", "12 months"),
        ("2024-11-21 20:00", "2 years ago", "24 months"),
        ("2016-11-21 20:00", "10 years ago", "121 months"),
    ],
)
def test_a_moment_in_words(moment, ago, since):
    past = at(moment)

    assert (times.format_ago(past, NOW), times.format_elapsed(past, NOW)) == (ago, since)


@pytest.mark.parametrize(
    ("day", "said"),
    [
        (date(2026, 11, 21), "planned for today"),
        (date(2026, 11, 22), "planned for tomorrow"),
        (date(2026, 11, 23), "planned for Monday"),
        (date(2026, 11, 27), "planned for Friday"),
        (date(2026, 11, 28), "planned for 28 November 2026"),
        (date(2027, 1, 3), "planned for 3 January 2027"),
    ],
)
def test_what_lies_ahead(day, said):
    assert times.format_planned(day, TODAY) == said


@pytest.mark.parametrize(
    ("start", "end", "said"),
    [
        (None, None, "3 weeks ago"),
        (None, date(2026, 10, 31), "3 weeks ago"),
        (date(2026, 10, 30), date(2026, 10, 31), "3 weeks ago"),
        (date(2026, 10, 30), None, "3 weeks ago"),
        (date(2026, 6, 1), date(2026, 6, 30), "told 3 weeks ago; it happened 5 months ago"),
        (None, date(2026, 11, 1), "told 3 weeks ago; it was to be 2 weeks ago"),
        (None, date(2026, 11, 20), "told 3 weeks ago; it was to be yesterday"),
        (date(2026, 10, 1), date(2026, 11, 20), "told 3 weeks ago; it ended yesterday"),
        (None, date(2026, 11, 21), "told 3 weeks ago; it is planned for today"),
        (date(2026, 11, 27), date(2026, 11, 29), "told 3 weeks ago; it is planned for Friday"),
        (None, date(2026, 11, 27), "told 3 weeks ago; it is planned for Friday"),
        (date(2026, 11, 22), None, "told 3 weeks ago; it is planned for tomorrow"),
        (date(2026, 12, 1), date(2026, 12, 31), "told 3 weeks ago; it is planned for December 2026"),
        (
            date(2026, 12, 2),
            date(2026, 12, 31),
            "told 3 weeks ago; it is planned for 2 December 2026 to 31 December 2026",
        ),
        (date(2026, 11, 21), date(2026, 11, 23), "told 3 weeks ago; it is going on now"),
        (date(2026, 11, 19), date(2026, 11, 21), "told 3 weeks ago; it is going on now"),
        (date(2026, 11, 10), date(2026, 12, 10), "told 3 weeks ago; it is going on now"),
        (date(2023, 1, 1), date(2023, 12, 31), "told 3 weeks ago; it happened 3 years ago"),
        (date(2026, 10, 13), date(2026, 10, 18), "told 3 weeks ago; it happened 4 weeks ago"),
        (date(2026, 10, 12), date(2026, 10, 18), "told 3 weeks ago; it happened 5 weeks ago"),
    ],
)
def test_a_remembered_thing_says_when_it_was_told_and_when_it_happens_where_they_differ(start, end, said):
    assert times.format_remembered(start, end, told_at=at("2026-10-31 20:00"), now=NOW) == said


@pytest.mark.parametrize(
    ("told_at", "day", "said"),
    [
        ("2026-11-21 19:56", date(2026, 11, 21), "just now"),
        ("2026-11-21 08:00", date(2026, 11, 21), "earlier today"),
        ("2026-11-21 19:56", date(2026, 11, 20), "told just now; it happened yesterday"),
        ("2026-11-20 23:50", date(2026, 11, 20), "yesterday"),
        ("2026-11-20 23:50", date(2026, 11, 21), "told yesterday; it is planned for today"),
        ("2026-11-21 19:56", date(2026, 11, 22), "told just now; it is planned for tomorrow"),
        ("2026-10-28 20:00", date(2026, 10, 30), "told 3 weeks ago; it was to be soon after"),
    ],
)
def test_what_happened_on_the_day_it_was_told_is_dated_once(told_at, day, said):
    assert times.format_remembered(day, day, told_at=at(told_at), now=NOW) == said


@pytest.mark.parametrize(
    ("hour", "part"),
    [
        (0, "night"),
        (4, "night"),
        (5, "early morning"),
        (9, "morning"),
        (12, "midday"),
        (14, "afternoon"),
        (18, "evening"),
        (22, "late evening"),
        (23, "late evening"),
    ],
)
def test_the_moment_has_date_weekday_time_and_part_of_day(hour, part):
    assert times.format_moment(NOW.replace(hour=hour)) == f"Saturday, 21 November 2026, {hour:02}:00, {part}"


def test_minutes_over_midnight_are_just_now():
    before, after = at("2026-11-20 23:57"), at("2026-11-21 00:02")

    assert times.format_ago(before, after) == "just now"


def test_minutes_over_a_change_of_clocks_are_counted_as_they_passed():
    before_spring, after_spring = at("2026-03-29 01:58", VIENNA), at("2026-03-29 03:01", VIENNA)
    before_autumn = at("2026-10-25 02:50", VIENNA)
    after_autumn = before_autumn.replace(hour=2, minute=55, fold=1)

    assert times.format_elapsed(before_spring, after_spring) == "3 minutes"
    assert times.format_ago(before_spring, after_spring) == "just now"
    assert times.format_elapsed(before_autumn, after_autumn) == "an hour"
    assert times.format_ago(before_autumn, after_autumn) == "earlier today"


def test_a_day_with_a_change_of_clocks_is_one_day():
    assert times.format_ago(at("2026-10-24 23:30", VIENNA), at("2026-10-25 23:00", VIENNA)) == "yesterday"
    assert times.format_ago(at("2026-03-28 12:00", VIENNA), at("2026-03-30 11:00", VIENNA)) == "2 days ago"


@pytest.mark.parametrize(
    ("zone", "told_at", "ago", "moment"),
    [
        ("Pacific/Pago_Pago", "2026-11-21 10:59", "yesterday", "Saturday, 21 November 2026, 09:00, morning"),
        ("Pacific/Pago_Pago", "2026-11-21 11:00", "earlier today", "Saturday, 21 November 2026, 09:00, morning"),
        ("Pacific/Kiritimati", "2026-11-21 09:59", "yesterday", "Sunday, 22 November 2026, 10:00, morning"),
        ("Pacific/Kiritimati", "2026-11-21 10:00", "earlier today", "Sunday, 22 November 2026, 10:00, morning"),
    ],
)
def test_days_are_those_of_the_users_zone(zone, told_at, ago, moment):
    now, past = NOW.astimezone(ZoneInfo(zone)), at(told_at).astimezone(ZoneInfo(zone))

    assert (times.format_ago(past, now), times.format_moment(now)) == (ago, moment)
