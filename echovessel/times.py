"""When something was or will be, and the words for it in a prompt. All moments are in the user's own zone."""

from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta

JUST_NOW = timedelta(minutes=10)
# Ages that have no number.
_WORDS = {
    "now": "just now",
    "today": "earlier today",
    "yesterday": "yesterday",
    "this week": "earlier this week",
    "older": "older",
}

_PARTS_OF_DAY = (
    (5, "night"),
    (9, "early morning"),
    (12, "morning"),
    (14, "midday"),
    (18, "afternoon"),
    (22, "evening"),
    (24, "late evening"),
)


@dataclass(frozen=True)
class Age:
    """How long ago something was: a number of units, or one of the words that have none."""

    unit: str
    count: int = 0


@dataclass(frozen=True)
class OwnTime:
    """The day on which a told thing happens, where it is not the day on which it was told, and how the two lie."""

    relation: str
    day: date


def ago(at: datetime, now: datetime) -> str:
    return in_words(age(at, now))


def age(at: datetime, now: datetime) -> Age:
    """How long ago a moment was: by minutes, then by days of the calendar."""
    if elapsed(at, now) < JUST_NOW:
        return Age("now")
    days = (now.date() - at.date()).days
    return Age("today") if days == 0 else age_of_days(days)


def elapsed(at: datetime, now: datetime) -> timedelta:
    """The time that has passed, also where clocks were changed meanwhile: within one zone Python subtracts what they showed."""
    return now.astimezone(UTC) - at.astimezone(UTC)


def age_of_days(days: int) -> Age:
    if days == 1:
        return Age("yesterday")
    if days < 14:
        return Age("days", days)
    if days < 60:
        return Age("weeks", days // 7)
    return Age("months", days // 30) if days < 730 else Age("years", days // 365)


def in_words(age: Age) -> str:
    return _WORDS.get(age.unit) or f"{age.count} {age.unit} ago"


def days_ago(days: int) -> str:
    return in_words(age_of_days(days))


def planned(day: date, today: date) -> str:
    """When something that lies ahead is to be."""
    days = (day - today).days
    if days == 0:
        return "planned for today"
    if days == 1:
        return "planned for tomorrow"
    return f"planned for {day:%A}" if days < 7 else f"planned for {day.day} {day:%B %Y}"


def remembered(start: date | None, end: date | None, *, told_at: datetime, now: datetime) -> str:
    """When a remembered thing was told, and when it happened or is to happen, where that is not the same."""
    told, own = ago(told_at, now), own_time(start, end, told_at=told_at, now=now)
    if own is None:
        return told
    if own.relation == "going on":
        return f"told {told}; it is going on now"
    if own.relation == "planned":
        return f"told {told}; it is {planned(own.day, now.date())}"
    return f"told {told}; it {own.relation} {days_ago((now.date() - own.day).days)}"


def own_time(start: date | None, end: date | None, *, told_at: datetime, now: datetime) -> OwnTime | None:
    """When a told thing happened or is to happen, where that is not when it was told."""
    last, today = end or start, now.date()
    if last is None or last == told_at.date() <= today:
        return None
    if start and start <= today < last:
        return OwnTime("going on", last)
    if last >= today:
        return OwnTime("planned", start or last)
    if last > told_at.date():
        began = start is not None and start <= told_at.date()
        return OwnTime("ended" if began else "was to be", last)
    is_same = age_of_days((today - last).days) == age(told_at, now)
    return None if is_same else OwnTime("happened", last)


def due(day: date, today: date) -> str:
    days = (today - day).days
    if days < 0:
        return planned(day, today)
    return "today" if days == 0 else days_ago(days)


def since(at: datetime, now: datetime) -> str:
    """A stretch of time in words."""
    minutes = elapsed(at, now) // timedelta(minutes=1)
    if minutes < 2:
        return "a moment"
    if minutes < 60:
        return f"{minutes} minutes"
    if minutes < 48 * 60:
        hours = round(minutes / 60)
        return "an hour" if hours == 1 else f"{hours} hours"
    days = (now.date() - at.date()).days
    return f"{days} days" if days < 60 else f"{days // 30} months"


def moment(now: datetime) -> str:
    part = next(name for hour, name in _PARTS_OF_DAY if now.hour < hour)
    return f"{now:%A}, {now.day} {now:%B %Y}, {now:%H:%M}, {part}"


def bucket(at: datetime, now: datetime) -> str:
    return in_words(stretch(at, now))


def stretch(at: datetime, now: datetime) -> Age:
    """In which stretch of the past a message lies."""
    found = age(at, now)
    if found.unit in ("now", "today", "yesterday"):
        return found
    return Age("this week") if (now.date() - at.date()).days < 7 else Age("older")
