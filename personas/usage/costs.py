"""Sums of the cost of calls. If some prices are unknown, the sum is shown as a minimum."""

from decimal import Decimal
from typing import Any

from django.db.models import Count, Q, Sum
from django.utils.translation import gettext as _

# For `annotate` and `aggregate` of ledger entries; `format_cost` formats what they return.
SUMS: dict[str, Any] = {"cost_known": Sum("cost"), "calls_unpriced": Count("pk", filter=Q(cost=None))}


def get_complete_sum(row: dict[str, Any]) -> Decimal | None:
    """Return the sum, or None if a price is unknown."""
    return None if row["calls_unpriced"] else row["cost_known"]


def format_cost(row: dict[str, Any]) -> str:
    known: Decimal | None = row["cost_known"]
    if not row["calls_unpriced"]:
        return format_dollars(known or Decimal(0))
    return _("at least %(cost)s") % {"cost": format_dollars(known)} if known else _("unknown")


def format_dollars(amount: Decimal) -> str:
    if amount and amount < Decimal("0.0001"):
        return "< $0.0001"
    return f"${amount:.4f}" if 0 < amount < 1 else f"${amount:.2f}"
