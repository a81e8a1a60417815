"""The first page of the admin: the state of the install, as far as the reader may see it."""

from dataclasses import dataclass
from datetime import timedelta
from typing import Any
from urllib.parse import urlencode

from django.conf import settings
from django.db.models import Count
from django.db.models.functions import TruncDate
from django.http import HttpRequest
from django.template.defaultfilters import filesizeformat
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django_q.brokers import get_broker
from django_q.models import Failure
from django_q.status import Stat

from chat.admin import ledger
from chat.models import Turn
from echovessel.http import health
from echovessel.llm import provider
from echovessel.models import LedgerEntry
from echovessel.postgres.rows import fetch_all
from memory.models import ConceptNode, Session
from personas import access
from personas.models import Bond, User
from personas.rest.views import get_user
from personas.usage import charts, costs

# Bytes. A backup and the database's own log need room, too.
LITTLE_ROOM = 2**30


@dataclass(frozen=True)
class Card:
    title: Any
    value: Any
    link: str = ""
    is_alert: bool = False


def add_dashboard_context(request: HttpRequest, context: dict[str, Any]) -> dict[str, Any]:
    user = get_user(request)
    cards = [*build_session_cards(user), build_model_server_card()]
    if access.can_see_others(user):
        cards = [*build_people_cards(), *cards, *build_queue_cards(), *build_day_cards(user), *build_disk_cards()]
    return {**context, "cards": cards, "charts": [build_events_chart(user), build_tokens_chart(user)]}


def build_people_cards() -> list[Card]:
    return [
        Card(_("Users"), User.objects.count(), build_list_url("personas_user")),
        Card(_("Bonds"), Bond.objects.count(), build_list_url("personas_bond")),
    ]


def build_session_cards(user: User) -> list[Card]:
    found = Session.objects.not_deleted()
    if not access.can_see_others(user):
        found = found.filter(bond__user=user)
    waiting = found.filter(status__in=[Session.Status.CLOSING, Session.Status.CONSOLIDATING]).count()
    failed = found.filter(status=Session.Status.FAILED).count()
    return [
        Card(_("Chats waiting"), waiting, build_list_url("memory_session", status__exact="closing")),
        Card(_("Chats failed"), failed, build_list_url("memory_session", status__exact="failed"), is_alert=failed > 0),
    ]


def build_queue_cards() -> list[Card]:
    alive = Stat.get_all()
    failed = Failure.objects.filter(stopped__gte=timezone.now() - timedelta(days=1)).count()
    return [
        Card(_("Workers"), _("none is running") if not alive else len(alive), is_alert=not alive),
        Card(
            _("Tasks waiting"), get_broker().queue_size(), "" if settings.REDIS_URL else build_list_url("django_q_ormq")
        ),
        Card(_("Tasks failed since yesterday"), failed, build_list_url("django_q_failure"), is_alert=failed > 0),
    ]


def build_day_cards(user: User) -> list[Card]:
    now = timezone.now()
    failed = Turn.objects.filter(status=Turn.Status.FAILED, created_at__gte=now - timedelta(days=1)).count()
    calls = LedgerEntry.objects.filter(created_at__gte=user.get_midnight(now, days_on=1 - ledger.DAYS))
    return [
        Card(
            _("Replies failed since yesterday"),
            failed,
            build_list_url("chat_turn", status__exact="failed"),
            is_alert=failed > 0,
        ),
        Card(
            _("Cost of the last 30 days"),
            costs.format_cost(calls.aggregate(**costs.SUMS)),
            build_list_url("echovessel_ledgerentry"),
        ),
    ]


def build_disk_cards() -> list[Card]:
    [(size,)] = fetch_all("SELECT pg_database_size(current_database())")
    free, _folder = health.measure_room()
    return [
        Card(_("Size of the database"), filesizeformat(size)),
        Card(_("Free on the disk"), filesizeformat(free), is_alert=free < LITTLE_ROOM),
    ]


def build_model_server_card() -> Card:
    """Show which model answers, and how many of its calls failed since yesterday."""
    voice = provider.get_llm()
    if voice.offline:
        return Card(_("Model server"), _("none: the offline rules reply"))
    since = timezone.now() - timedelta(days=1)
    failed = LedgerEntry.objects.filter(created_at__gte=since, outcome=LedgerEntry.Outcome.FAILED).count()
    model = voice.model_of("reply")
    title = (
        _("Model server: %(count)s calls failed since yesterday") % {"count": failed} if failed else _("Model server")
    )
    return Card(title, model, build_list_url("echovessel_ledgerentry", outcome__exact="failed"), is_alert=failed > 0)


def build_events_chart(user: User) -> charts.Chart:
    now = timezone.now()
    since = user.get_midnight(now, days_on=1 - ledger.DAYS)
    found = ConceptNode.objects.events().filter(created_at__gte=since)
    if not access.can_see_others(user):
        found = found.filter(bond__user=user)
    days = found.annotate(on=TruncDate("created_at", tzinfo=user.zone)).values("on").order_by("on")
    counts = {row["on"]: row["number"] for row in days.annotate(number=Count("pk"))}
    last = user.get_day(now)
    return charts.build_daily_chart(
        _("Events per day"), counts, first=last - timedelta(days=ledger.DAYS - 1), last=last
    )


def build_tokens_chart(user: User) -> charts.Chart:
    now = timezone.now()
    found = LedgerEntry.objects.filter(created_at__gte=user.get_midnight(now, days_on=1 - ledger.DAYS)).order_by()
    if not access.can_see_others(user):
        found = found.filter(user_id=user.pk)
    return ledger.build_tokens_chart(found, user=user, now=now)


def build_list_url(model: str, **query: str) -> str:
    url = reverse(f"admin:{model}_changelist")
    return f"{url}?{urlencode(query)}" if query else url
