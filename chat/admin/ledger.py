from collections.abc import Iterable
from datetime import date, datetime, timedelta
from typing import Any

from django.contrib import admin
from django.contrib.admin import display
from django.db.models import Count, QuerySet, Sum
from django.db.models.functions import TruncDate
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from unfold.contrib.filters.admin import TextFilter

from chat.usage import charts, costs
from echovessel.models import LedgerEntry
from personas import access
from personas.admin.base import Shown
from personas.admin.columns import list_link, word
from personas.admin.filters import Days, Titled, Words
from personas.admin.panels import Table
from personas.models import User
from personas.rest.views import user_of

# What is summed where no day is asked for, and how many rows a table of sums shows.
DAYS = 30
ROWS = 20
TOKENS = ("tokens_in", "tokens_out", "tokens_cached")


class Exactly(Titled, TextFilter):
    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        asked = (self.value() or "").strip()
        return queryset.filter(**{self.parameter_name: asked}) if asked else queryset


class Feature(Exactly):
    title = _("feature")
    parameter_name = "feature"


class Model(Exactly):
    title = _("model")
    parameter_name = "model"


class Username(Titled, TextFilter):
    title = _("username")
    parameter_name = "username"

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        asked = (self.value() or "").strip()
        if not asked:
            return queryset
        return queryset.filter(user_id__in=list(User.objects.filter(username=asked).values_list("pk", flat=True)))


@admin.register(LedgerEntry)
class LedgerEntryAdmin(Shown):
    """Every call to a model; the sums of what the filters find stand above."""

    person = "user_id"
    is_memory = False
    joined = ()
    actions = None
    list_display = ("feature", "model", "outcome", "error_code", *TOKENS, "dollars", "duration_ms", "created_at")
    list_filter = (Feature, Model, Username, ("outcome", Words), ("created_at", Days))
    list_before_template = "admin/ledger.html"
    ordering = ("-id",)
    fields = ("feature", "model", "outcome", "error_code", *TOKENS, "dollars", "duration_ms", "spender", "created_at")
    readonly_fields = ("dollars", "spender")

    @display(description=_("cost"))
    def dollars(self, row: LedgerEntry) -> str:
        return costs.told({"cost_known": row.cost, "calls_unpriced": row.cost is None})

    @display(description=_("user"))
    def spender(self, row: LedgerEntry) -> str:
        return names_of([row.user_id]).get(row.user_id, "-")

    def changelist_view(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        answer: Any = super().changelist_view(request, extra_context)
        shown = (getattr(answer, "context_data", None) or {}).get("cl")
        if shown is not None:
            is_limited = not any(name.startswith("created_at") for name in request.GET)
            answer.context_data |= sums(shown.queryset, user=user_of(request), is_limited=is_limited)
        return answer  # type: ignore[no-any-return]  # a response, of whatever class


def sums(found: QuerySet[Any], *, user: User, is_limited: bool) -> dict[str, Any]:
    now = timezone.now()
    found = found.order_by()
    if is_limited:
        found = found.filter(created_at__gte=midnight(now, user, days_ago=DAYS - 1))
    tables = [by(found, "feature", _("By feature")), by(found, "model", _("By model"))]
    if access.sees_others(user):
        tables.append(by_user(found))
    return {
        "cost": costs.told(found.aggregate(**costs.SUMS)),
        "chart": tokens_by_day(found, user=user, now=now, is_limited=is_limited),
        "tables": tables,
        "days": DAYS if is_limited else None,
    }


def midnight(now: datetime, user: User, *, days_ago: int) -> datetime:
    day = now.astimezone(user.zone) - timedelta(days=days_ago)
    return day.replace(hour=0, minute=0, second=0, microsecond=0)


def summed(found: QuerySet[Any], field: str) -> list[dict[str, Any]]:
    rows = found.values(field).annotate(calls=Count("pk"), **{name: Sum(name) for name in TOKENS}, **costs.SUMS)
    return list(rows.order_by("-tokens_in")[:ROWS])


def numbers(row: dict[str, Any]) -> list[Any]:
    return [row["calls"], costs.told(row), *(row[name] for name in TOKENS)]


def by(found: QuerySet[Any], field: str, title: Any) -> Table:
    rows = [
        [list_link("echovessel_ledgerentry", f"{field}={row[field]}", word(row[field])), *numbers(row)]
        for row in summed(found, field)
    ]
    return Table(title, ["", *HEAD], rows, _("No call."))


HEAD = (_("calls"), _("cost"), _("tokens in"), _("tokens out"), _("tokens cached"))


def by_user(found: QuerySet[Any]) -> Table:
    rows = summed(found, "user_id")
    names = names_of(row["user_id"] for row in rows)
    shown = [[names.get(row["user_id"], _("erased account")), *numbers(row)] for row in rows]
    return Table(_("By user"), ["", *HEAD], shown, _("No call."))


def names_of(ids: Iterable[int | None]) -> dict[int | None, str]:
    known = [pk for pk in ids if pk is not None]
    return dict(User.objects.filter(pk__in=known).values_list("pk", "username"))


def tokens_by_day(found: QuerySet[Any], *, user: User, now: datetime, is_limited: bool = True) -> charts.Chart:
    """Tokens in and out of each day in the reader's zone."""
    rows = found.annotate(on=TruncDate("created_at", tzinfo=user.zone)).values("on")
    spent: dict[date, int] = {
        row["on"]: row["sum_in"] + row["sum_out"]
        for row in rows.annotate(sum_in=Sum("tokens_in"), sum_out=Sum("tokens_out"))
    }
    last = now.astimezone(user.zone).date()
    first = last - timedelta(days=DAYS - 1)
    if not is_limited and spent:
        first, last = min(spent), max(spent)
    return charts.by_day(_("Tokens a day"), spent, first=first, last=last)
