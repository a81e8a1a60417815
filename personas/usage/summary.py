from datetime import date, datetime, timedelta
from decimal import Decimal
from typing import Any
from zoneinfo import ZoneInfo

from django.db.models import Count, F, QuerySet, Sum
from django.db.models.functions import TruncDate
from django.utils.translation import gettext as _

from echovessel.models import LedgerEntry
from personas.models import User
from personas.usage import charts, costs

DAYS = {"today": 0, "7d": 7, "30d": 30}


def sum_calls(*, user: User, range: str, now: datetime) -> list[dict[str, Any]]:  # noqa: A002 - the contract's name
    """Sum a user's model calls by feature and model: today in the user's zone, or of the last days.

    `cost` is in US dollars, and None if the price of a call is unknown.
    """
    since = user.get_midnight(now) if range == "today" else now - timedelta(days=DAYS[range])
    calls = LedgerEntry.objects.filter(user_id=user.pk, created_at__gte=since).values("feature", "model")
    sums: Any = {name: Sum(name) for name in ("tokens_in", "tokens_out", "tokens_cached")}
    found: Any = calls.annotate(calls=Count("pk"), **sums, **costs.SUMS).order_by("feature", "model")
    return [row | {"cost": costs.get_complete_sum(row)} for row in found]


def format_total(rows: list[dict[str, Any]]) -> str:
    """Format the cost of all calls for a page."""
    known = [row["cost_known"] for row in rows if row["cost_known"] is not None]
    unpriced = sum(row["calls_unpriced"] for row in rows)
    return costs.format_cost({"cost_known": sum(known, Decimal(0)), "calls_unpriced": unpriced})


def build_tokens_chart(*, user: User, days: int, now: datetime) -> charts.Chart:
    """Draw tokens in and out of a user's calls on each of the last days, up to today in the user's zone."""
    today = user.get_day(now)
    calls = LedgerEntry.objects.filter(user_id=user.pk, created_at__gte=now - timedelta(days=days + 1))
    spent = sum_tokens_by_day(calls, zone=user.zone)
    return charts.build_daily_chart(_("Tokens per day"), spent, first=today - timedelta(days=days - 1), last=today)


def sum_tokens_by_day(calls: QuerySet[Any], *, zone: ZoneInfo) -> dict[date, int]:
    """Sum the tokens in and out of each day of a zone."""
    by_day = calls.annotate(day=TruncDate("created_at", tzinfo=zone)).values("day").order_by("day")
    return dict(by_day.annotate(tokens=Sum(F("tokens_in") + F("tokens_out"))).values_list("day", "tokens"))
