"""How much one person may ask of the server in a minute, by kind. Counted in one step, so that requests at once count as many."""

from datetime import datetime

from django.conf import settings
from django.core.cache import cache
from django.db import connection

WINDOW_SECONDS = 60
_COUNT = """
INSERT INTO personas_ratecount AS kept (user_id, kind, minute, taken) VALUES (%s, %s, %s, 1)
ON CONFLICT (user_id, kind) DO UPDATE
SET minute = excluded.minute, taken = CASE WHEN kept.minute = excluded.minute THEN kept.taken + 1 ELSE 1 END
RETURNING taken
"""


def count_request(*, user_id: int, kind: str, now: datetime) -> int:
    """Count one request of a kind of RATES. Returns 0 if it may go on, else the seconds until the next one may."""
    minute, second = divmod(int(now.timestamp()), WINDOW_SECONDS)
    counted = count_in_cache if settings.RATES_IN_CACHE else count_in_database
    return 0 if counted(user_id, kind, minute) <= settings.RATES[kind] else WINDOW_SECONDS - second


def count_in_database(user_id: int, kind: str, minute: int) -> int:
    """The database's cache would read a number and then write another: of requests at once it counts some."""
    with connection.cursor() as cursor:
        cursor.execute(_COUNT, [user_id, kind, minute])
        [taken] = cursor.fetchone()
    return int(taken)


def count_in_cache(user_id: int, kind: str, minute: int) -> int:
    """Redis, as the cache of a process, counts in one step."""
    key = f"rate:{kind}:{user_id}:{minute}"
    try:
        return cache.incr(key)
    except ValueError:
        return 1 if cache.add(key, 1, 2 * WINDOW_SECONDS) else cache.incr(key)
