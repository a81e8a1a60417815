"""Finds the days of what holds only for a while: "my exam is tomorrow" is over the day after."""

import re
from datetime import date

from echovessel import periods
from echovessel.periods import Leaning, Period

# Words that mean another day when they are read later.
_FROM_TODAY = re.compile(
    r"\b(?:today|tonight|tomorrow|this (?:evening|afternoon|weekend|week|month)|next (?:week|weekend|month))\b"
    r"|今[天晚早]|明[天晚早]|后天|这周|本周|下个?周|下个月|这个?周末",
    re.IGNORECASE,
)


def find_days(content: str, *, today: date) -> Period | None:
    """Return the days that a content means by words such as "tomorrow"; None where it names none or several."""
    if not _FROM_TODAY.search(content):
        return None
    found = periods.find_periods(content, today=today, leaning=Leaning.FUTURE)
    return found[0] if len(found) == 1 else None
