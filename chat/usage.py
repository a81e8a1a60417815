from datetime import datetime, timedelta
from typing import Any

from django.db.models import Count, Sum

from echovessel.models import LedgerEntry
from personas.models import User

DAYS = {"today": 0, "7d": 7, "30d": 30}


def rows(*, user: User, range: str, now: datetime) -> list[dict[str, Any]]:  # noqa: A002 - the contract's name
    """A user's model calls, summed by feature and model: today in the user's zone, or of the last days."""
    midnight = now.astimezone(user.zone).replace(hour=0, minute=0, second=0, microsecond=0)
    since = midnight if range == "today" else now - timedelta(days=DAYS[range])
    calls = LedgerEntry.objects.filter(user_id=user.pk, created_at__gte=since).values("feature", "model")
    sums: Any = {name: Sum(name) for name in ("tokens_in", "tokens_out", "tokens_cached")}
    found: Any = calls.annotate(calls=Count("pk"), **sums).order_by("feature", "model")
    return list(found)
