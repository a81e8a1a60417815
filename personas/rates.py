"""How much one person may ask of the server in a minute, by kind; counted in the shared cache."""

from datetime import datetime

from django.conf import settings
from django.core.cache import cache

WINDOW_SECONDS = 60


def take(*, user_id: int, kind: str, now: datetime) -> int:
    """Count one request of a kind of RATES. Returns 0 if it may go on, else the seconds until the next one may."""
    seconds = int(now.timestamp())
    key = f"rate:{kind}:{user_id}:{seconds // WINDOW_SECONDS}"
    # Adding first would cost the database's cache three queries for each request but the first.
    try:
        taken = cache.incr(key)
    except ValueError:
        taken = 1 if cache.add(key, 1, 2 * WINDOW_SECONDS) else cache.incr(key)
    return 0 if taken <= settings.RATES[kind] else WINDOW_SECONDS - seconds % WINDOW_SECONDS
