"""How long work is reserved, and when a reservation is over, also after the machine's clock was set back.

A reservation ends a known time ahead of now. One that ends later was made by a wrong clock and is over too: otherwise
it would block work for as long as the clock was set back.
"""

from datetime import datetime, timedelta

from django.db.models import Q

# The lease of a session, an import or a slow tick.
LEASE = timedelta(minutes=10)
# The hold of a session while a turn may add its reply: longer than any turn. A dead process lets it run out.
HOLD = timedelta(minutes=10)
# Retries after a failure; later only a person retries.
RETRY_AFTER = (timedelta(hours=1), timedelta(hours=6), timedelta(hours=24))
# The clocks of two machines may differ by this much.
SLACK = timedelta(minutes=1)


def filter_expired(field: str, *, now: datetime, most: timedelta) -> Q:
    """Filter rows whose time has run out or is too far ahead."""
    return Q(**{f"{field}__lt": now}) | filter_too_far(field, now=now, most=most)


def filter_too_far(field: str, *, now: datetime, most: timedelta) -> Q:
    return Q(**{f"{field}__gt": now + most + SLACK})


def is_expired(until: datetime, *, now: datetime, most: timedelta) -> bool:
    """The same as `filter_expired`, for one time."""
    return not now <= until <= now + most + SLACK
