"""For how long work is reserved, and when that is over, also after the clock of the machine was set back.

Such a time is set ahead of now by a known length. One that is further ahead was set by a clock that went wrong, and is over too:
else what it holds up would wait for as long as the clock was set back.
"""

from datetime import datetime, timedelta

from django.db.models import Q

# Of a session, an import or a slow tick that a worker works on.
LEASE = timedelta(minutes=10)
# Of a session to which a turn may still add its reply. Longer than a turn may wait and take; a process that dies lets it run out.
HOLD = timedelta(minutes=10)
# What failed is tried again after these; then only a person does.
RETRY_AFTER = (timedelta(hours=1), timedelta(hours=6), timedelta(hours=24))
# By so much the clocks of two machines may differ.
SLACK = timedelta(minutes=1)


def filter_expired(field: str, *, now: datetime, most: timedelta) -> Q:
    """Rows whose time has run out, or is further ahead than it was ever set."""
    return Q(**{f"{field}__lt": now}) | filter_too_far(field, now=now, most=most)


def filter_too_far(field: str, *, now: datetime, most: timedelta) -> Q:
    return Q(**{f"{field}__gt": now + most + SLACK})


def is_expired(until: datetime, *, now: datetime, most: timedelta) -> bool:
    """As `over`, of one time."""
    return not now <= until <= now + most + SLACK
