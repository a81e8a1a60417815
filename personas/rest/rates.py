"""Rate limits per person, kind and minute. Counting is atomic, so that parallel requests all count."""

from contextlib import suppress
from datetime import datetime

from django.conf import settings
from django.core.cache import cache
from redis.exceptions import RedisError

from echovessel.postgres.rows import fetch_all

WINDOW_SECONDS = 60
_COUNT = """
INSERT INTO personas_ratecount AS kept (user_id, kind, minute, taken) VALUES (%s, %s, %s, 1)
ON CONFLICT (user_id, kind) DO UPDATE
SET minute = excluded.minute, taken = CASE WHEN kept.minute = excluded.minute THEN kept.taken + 1 ELSE 1 END
RETURNING taken
"""


def count_request(*, user_id: int, kind: str, now: datetime) -> int:
    """Count one request of a kind of RATES. Returns 0 if it is allowed, else the seconds until the next one is."""
    minute, second = divmod(int(now.timestamp()), WINDOW_SECONDS)
    return 0 if _count(user_id, kind, minute) <= settings.RATES[kind] else WINDOW_SECONDS - second


def _count(user_id: int, kind: str, minute: int) -> int:
    if settings.RATES_IN_CACHE:
        # While Redis is away the database counts.
        with suppress(RedisError):
            return count_in_cache(user_id, kind, minute)
    return count_in_database(user_id, kind, minute)


def count_in_database(user_id: int, kind: str, minute: int) -> int:
    """Count by a statement: the database cache reads, then writes, and loses parallel requests."""
    [(taken,)] = fetch_all(_COUNT, [user_id, kind, minute])
    return int(taken)


def count_in_cache(user_id: int, kind: str, minute: int) -> int:
    """Count in the cache: Redis and the local cache increment atomically."""
    key = f"rate:{kind}:{user_id}:{minute}"
    try:
        return cache.incr(key)
    except ValueError:
        return 1 if cache.add(key, 1, 2 * WINDOW_SECONDS) else cache.incr(key)
