from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Any
from urllib.parse import urlencode

from django.contrib import admin
from django.contrib.admin import display
from django.db.models import Count, QuerySet, Sum
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from unfold.contrib.filters.admin import TextFilter

from echovessel.models import LedgerEntry
from personas import access
from personas.admin.base import ReadOnlyAdmin
from personas.admin.columns import link_to_list, translate_value
from personas.admin.filters import ChoiceFilter, DateRangeFilter, LabelledFilterMixin
from personas.admin.panels import TablePanel
from personas.models import User
from personas.rest.views import get_user
from personas.usage import charts, costs, summary

# How many days are summed without a filter by day, and how many rows a table of sums has.
DAYS = 30
TABLE_ROWS = 20
TOKEN_FIELDS = ("tokens_in", "tokens_out", "tokens_cached")


class ExactTextFilter(LabelledFilterMixin, TextFilter):
    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        asked = (self.value() or "").strip()
        return queryset.filter(**{self.parameter_name: asked}) if asked else queryset


class FeatureFilter(ExactTextFilter):
    title = _("feature")
    parameter_name = "feature"


class ModelFilter(ExactTextFilter):
    title = _("model")
    parameter_name = "model"


class UsernameFilter(LabelledFilterMixin, TextFilter):
    title = _("username")
    parameter_name = "username"

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        asked = (self.value() or "").strip()
        if not asked:
            return queryset
        return queryset.filter(user_id__in=list(User.objects.filter(username=asked).values_list("pk", flat=True)))


@admin.register(LedgerEntry)
class LedgerEntryAdmin(ReadOnlyAdmin):
    """All calls to models. Sums of the filtered calls are shown above them."""

    person = "user_id"
    is_memory = False
    joined = ()
    list_display = ("purpose", "model", "outcome", "error_code", *TOKEN_FIELDS, "dollars", "duration_ms", "created_at")
    list_filter = (
        FeatureFilter,
        ModelFilter,
        UsernameFilter,
        ("outcome", ChoiceFilter),
        ("created_at", DateRangeFilter),
    )
    list_before_template = "admin/ledger.html"
    fields = (
        "feature",
        "model",
        "options",
        "outcome",
        "error_code",
        *TOKEN_FIELDS,
        "dollars",
        "duration_ms",
        "spender",
        "created_at",
    )

    @display(description=_("feature"), ordering="feature")
    def purpose(self, row: LedgerEntry) -> str:
        return translate_value(row.feature)

    @display(description=_("cost"))
    def dollars(self, row: LedgerEntry) -> str:
        return costs.format_cost({"cost_known": row.cost, "calls_unpriced": row.cost is None})

    @display(description=_("user"))
    def spender(self, row: LedgerEntry) -> str:
        return get_usernames([row.user_id]).get(row.user_id, "-")

    def changelist_view(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        answer: Any = super().changelist_view(request, extra_context)
        shown = (getattr(answer, "context_data", None) or {}).get("cl")
        if shown is not None:
            is_limited = not any(name.startswith("created_at") for name in request.GET)
            answer.context_data |= build_sums_context(shown.queryset, user=get_user(request), is_limited=is_limited)
        return answer  # type: ignore[no-any-return]  # a response, of whatever class


def build_sums_context(found: QuerySet[Any], *, user: User, is_limited: bool) -> dict[str, Any]:
    now = timezone.now()
    found = found.order_by()
    if is_limited:
        found = found.filter(created_at__gte=user.get_midnight(now, days_on=1 - DAYS))
    tables = [build_sums_table(found, "feature", _("By feature")), build_sums_table(found, "model", _("By model"))]
    if access.can_see_others(user):
        tables.append(build_user_table(found))
    return {
        "cost": costs.format_cost(found.aggregate(**costs.SUMS)),
        "chart": build_tokens_chart(found, user=user, now=now, is_limited=is_limited),
        "tables": tables,
        "days": DAYS if is_limited else None,
    }


def sum_by_field(found: QuerySet[Any], field: str) -> list[dict[str, Any]]:
    rows = found.values(field).annotate(calls=Count("pk"), **{name: Sum(name) for name in TOKEN_FIELDS}, **costs.SUMS)
    return list(rows.order_by("-tokens_in")[:TABLE_ROWS])


def build_sum_cells(row: dict[str, Any]) -> list[Any]:
    return [row["calls"], costs.format_cost(row), *(row[name] for name in TOKEN_FIELDS)]


def build_sums_table(found: QuerySet[Any], field: str, title: Any) -> TablePanel:
    rows = [
        [
            link_to_list("echovessel_ledgerentry", urlencode({field: row[field]}), translate_value(row[field])),
            *build_sum_cells(row),
        ]
        for row in sum_by_field(found, field)
    ]
    return TablePanel(title, ["", *SUM_HEADINGS], rows, _("No calls."))


SUM_HEADINGS = (_("calls"), _("cost"), _("tokens in"), _("tokens out"), _("tokens cached"))


def build_user_table(found: QuerySet[Any]) -> TablePanel:
    rows = sum_by_field(found, "user_id")
    names = get_usernames(row["user_id"] for row in rows)
    shown = [[link_to_user(names.get(row["user_id"])), *build_sum_cells(row)] for row in rows]
    return TablePanel(_("By user"), ["", *SUM_HEADINGS], shown, _("No calls."))


def link_to_user(name: str | None) -> Any:
    return link_to_list("echovessel_ledgerentry", urlencode({"username": name}), name) if name else _("erased account")


def get_usernames(ids: Iterable[int | None]) -> dict[int | None, str]:
    known = [pk for pk in ids if pk is not None]
    return dict(User.objects.filter(pk__in=known).values_list("pk", "username"))


def build_tokens_chart(found: QuerySet[Any], *, user: User, now: datetime, is_limited: bool = True) -> charts.Chart:
    """Draw tokens in and out of each day in the reader's zone."""
    spent = summary.sum_tokens_by_day(found, zone=user.zone)
    last = user.get_day(now)
    first = last - timedelta(days=DAYS - 1)
    if not is_limited and spent:
        first, last = min(spent), max(spent)
    return charts.build_daily_chart(_("Tokens per day"), spent, first=first, last=last)
