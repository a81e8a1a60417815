"""Measures when something was or will be, and words it for prompts. All moments are in the user's own zone."""

from calendar import monthrange
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from functools import lru_cache

# Days that have a day before and after them in every zone.
FIRST_DAY, LAST_DAY = date(1, 1, 3), date(9999, 12, 29)
JUST_NOW = timedelta(minutes=10)
# Ages without a number.
_WORDS = {"now": "just now", "today": "earlier today", "yesterday": "yesterday", "older": "older"}

_PARTS_OF_DAY = (
    (5, "night"),
    (9, "early morning"),
    (12, "morning"),
    (14, "midday"),
    (18, "afternoon"),
    (22, "evening"),
    (24, "late evening"),
)
_PART_OF_HOUR = [next(name for until, name in _PARTS_OF_DAY if hour < until) for hour in range(24)]

# "In 2023", told in 2026, was three years ago: of a week, a season or a year the middle counts, as its end may be long after.
_LONG_SPAN, _WEEK = timedelta(days=6), timedelta(days=7)


@dataclass(frozen=True)
class Age:
    """How long ago something was: so many days, weeks, months or years, or a unit without a number."""

    unit: str
    count: int = 0


@dataclass(frozen=True)
class OwnTime:
    """The day of an event, if that is not the day on which it was told."""

    # "happened", "planned", "was to be", "ended" or "going on".
    relation: str
    day: date


def format_ago(at: datetime, now: datetime) -> str:
    return format_age(measure_age(at, now))


def measure_age(at: datetime, now: datetime) -> Age:
    """Measure how long ago a moment was: by minutes, then by days of the calendar."""
    if measure_elapsed(at, now) < JUST_NOW:
        return Age("now")
    days = (now.date() - at.date()).days
    return Age("today") if days == 0 else age_from_days(days)


def measure_elapsed(at: datetime, now: datetime) -> timedelta:
    """Measure the time that has passed in UTC: within one zone Python would ignore a change of clocks."""
    return now.astimezone(UTC) - at.astimezone(UTC)


def age_from_days(days: int) -> Age:
    if days == 1:
        return Age("yesterday")
    if days < 14:
        return Age("days", days)
    if days < 60:
        return Age("weeks", days // 7)
    return Age("months", days // 30) if days < 730 else Age("years", days // 365)


def format_age(age: Age) -> str:
    return _WORDS.get(age.unit) or f"{age.count} {age.unit} ago"


def format_days_ago(days: int) -> str:
    return format_age(age_from_days(days))


def format_planned(day: date, today: date) -> str:
    """Word the day of something ahead."""
    days = (day - today).days
    if days == 0:
        return "planned for today"
    if days == 1:
        return "planned for tomorrow"
    return f"planned for {day:%A}" if days < 7 else f"planned for {day.day} {day:%B %Y}"


def format_planned_within(start: date, end: date) -> str:
    """Word many days ahead: "next month" is no Tuesday."""
    if start.day == 1 and end == start.replace(day=monthrange(start.year, start.month)[1]):
        return f"planned for {start:%B %Y}"
    return f"planned for {start.day} {start:%B %Y} to {end.day} {end:%B %Y}"


def format_remembered(start: date | None, end: date | None, *, told_at: datetime, now: datetime) -> str:
    """Word when a memory was told, and when it happened or will happen, if that differs."""
    told, own = format_ago(told_at, now), find_own_time(start, end, told_at=told_at, now=now)
    if own is None:
        return told
    if own.relation == "going on":
        return f"told {told}; it is going on now"
    if own.relation == "planned":
        is_long = start and end and end - start >= _WEEK
        planned = (
            format_planned_within(start, end) if start and end and is_long else format_planned(own.day, now.date())
        )
        return f"told {told}; it is {planned}"
    ago = format_days_ago((now.date() - own.day).days)
    # Both "3 months ago": what was planned then came later all the same.
    return f"told {told}; it {own.relation} {'soon after' if ago == told else ago}"


def find_own_time(start: date | None, end: date | None, *, told_at: datetime, now: datetime) -> OwnTime | None:
    """Return when an event happened or will happen, if that is not when it was told."""
    last, today = end or start, now.date()
    if last is None or last == told_at.date() <= today:
        return None
    if start and start < last and start <= today <= last:
        return OwnTime("going on", last)
    if last >= today:
        return OwnTime("planned", start or last)
    if last > told_at.date():
        began = start is not None and start <= told_at.date()
        return OwnTime("ended" if began else "was to be", last)
    day = start + (last - start) / 2 if start and last - start >= _LONG_SPAN else last
    is_same = age_from_days((today - day).days) == measure_age(told_at, now)
    return None if is_same else OwnTime("happened", day)


def format_due(day: date, today: date) -> str:
    days = (today - day).days
    if days < 0:
        return format_planned(day, today)
    return "today" if days == 0 else format_days_ago(days)


def format_elapsed(at: datetime, now: datetime) -> str:
    """Word the time that has passed."""
    minutes = measure_elapsed(at, now) // timedelta(minutes=1)
    if minutes < 2:
        return "a moment"
    if minutes < 60:
        return f"{minutes} minutes"
    if minutes < 48 * 60:
        hours = round(minutes / 60)
        return "an hour" if hours == 1 else f"{hours} hours"
    days = (now.date() - at.date()).days
    return f"{days} days" if days < 60 else f"{days // 30} months"


def format_moment(now: datetime) -> str:
    return f"{now:%A}, {now.day} {now:%B %Y}, {now:%H:%M}, {find_part_of_day(now)}"


def format_part_of_day(at: datetime) -> str:
    """Word the day and the part of it, so that it stays true."""
    return _format_day_and_part(at.date(), find_part_of_day(at))


# A window is worded at every turn, and all its messages are of a few days.
@lru_cache(maxsize=256)
def _format_day_and_part(day: date, part: str) -> str:
    return f"{day:%A} {day.day} {day:%B %Y}, {part}"


def find_part_of_day(at: datetime) -> str:
    return _PART_OF_HOUR[at.hour]
