"""Times in words, as a prompt says them. All moments are in the user's own zone."""

from datetime import UTC, date, datetime, timedelta

JUST_NOW = timedelta(minutes=10)

_PARTS_OF_DAY = (
    (5, "night"),
    (9, "early morning"),
    (12, "morning"),
    (14, "midday"),
    (18, "afternoon"),
    (22, "evening"),
    (24, "late evening"),
)


def ago(at: datetime, now: datetime) -> str:
    """How long ago a moment was: by minutes, then by days of the calendar."""
    if elapsed(at, now) < JUST_NOW:
        return "just now"
    days = (now.date() - at.date()).days
    return "earlier today" if days == 0 else days_ago(days)


def elapsed(at: datetime, now: datetime) -> timedelta:
    """The time that has passed, also where clocks were changed meanwhile: within one zone Python subtracts what they showed."""
    return now.astimezone(UTC) - at.astimezone(UTC)


def days_ago(days: int) -> str:
    if days == 1:
        return "yesterday"
    if days < 14:
        return f"{days} days ago"
    if days < 60:
        return f"{days // 7} weeks ago"
    if days < 730:
        return f"{days // 30} months ago"
    return f"{days // 365} years ago"


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
    told, last = ago(told_at, now), end or start
    if last is None or last == told_at.date() <= now.date():
        return told
    if start and start <= now.date() < last:
        return f"told {told}; it is going on now"
    if last >= now.date():
        return f"told {told}; it is {planned(start or last, now.date())}"
    then = days_ago((now.date() - last).days)
    if last > told_at.date():
        began = start is not None and start <= told_at.date()
        return f"told {told}; it {'ended' if began else 'was to be'} {then}"
    return told if then == told else f"told {told}; it happened {then}"


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
    """In which stretch of the past a line lies."""
    if elapsed(at, now) < JUST_NOW:
        return "just now"
    days = (now.date() - at.date()).days
    if days == 0:
        return "earlier today"
    if days == 1:
        return "yesterday"
    return "earlier this week" if days < 7 else "older"
