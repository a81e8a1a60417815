from typing import Any

from django.contrib import admin
from django.contrib.admin import display
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from memory import sessions
from memory.admin.finding import PartsSearchMixin
from memory.admin.forgetting import ForgettableAdmin, build_sourceless_table
from memory.admin.messages import build_messages_table
from memory.admin.trash import DeletionPreview
from memory.forgetting import removal
from memory.models import ConceptNode, ConsolidationStep, Message, Session
from personas.admin.columns import link_to_list, link_to_row, shorten
from personas.admin.filters import BOND_FILTERS, BooleanFilter, ChoiceFilter, DateRangeFilter, TrashFilter
from personas.admin.panels import ROWS_MOST, Panel, TablePanel


@admin.register(Session)
class SessionAdmin(PartsSearchMixin, ForgettableAdmin):
    list_display = (
        "title_or_summary",
        "who",
        "status",
        "channel",
        "message_count",
        "last_message_at",
        "failure_detail",
    )
    list_filter = (
        TrashFilter,
        ("status", ChoiceFilter),
        ("channel", ChoiceFilter),
        ("close_reason", ChoiceFilter),
        ("off_record", BooleanFilter),
        *BOND_FILTERS,
        ("last_message_at", DateRangeFilter),
    )
    search_fields = ("title", "auto_title", "summary")
    search_help_text = _("Title, summary, or number")
    fieldsets = (
        (None, {"fields": ("title_or_summary", "who", "status", "summary", "channel", "off_record")}),
        (
            _("When"),
            {"fields": ("started_at", "last_message_at", "closed_at", "close_reason", "archived_at", "deleted_at")},
        ),
        (_("Size"), {"fields": ("message_count", "token_count", "trivial")}),
        (_("Failure"), {"fields": ("failure_code", "failure_detail", "attempt_count", "failure_next_try_at")}),
    )
    actions = ("try_again", *ForgettableAdmin.actions)
    retry_action = "try_again"

    def get_queryset(self, request: HttpRequest) -> QuerySet[Session]:
        return super().get_queryset(request).filter(message_count__gt=0)

    @display(description=_("chat"))
    def title_or_summary(self, row: Session) -> str:
        return row.shown_title or str(row)

    def build_panels(self, request: HttpRequest, row: Session) -> list[Panel]:
        more = link_to_list("memory_message", f"session__id__exact={row.pk}", _("all its messages"))
        nodes = row.nodes.not_deleted().without_heavy_columns("terms").order_by("id")[:ROWS_MOST]
        return [
            build_steps_table(row),
            build_nodes_table(list(nodes)),
            build_messages_table(_("Messages"), self.lines(row), more=more),
        ]

    @admin.action(description=_("Try failed ones again"), permissions=["retry"])
    def try_again(self, request: HttpRequest, queryset: QuerySet[Session]) -> None:
        now = timezone.now()
        queued = sum(sessions.retry(session=session, now=now) for session in queryset)
        self.message_user(request, _("Tried again: %(count)s.") % {"count": queued})

    def has_retry_permission(self, request: HttpRequest) -> bool:
        """Whoever may view a session may retry it: nothing is lost by it."""
        return self.has_view_permission(request)

    def has_failed(self, row: Session) -> bool:
        return row.status == Session.Status.FAILED

    def build_preview(self, row: Session) -> DeletionPreview:
        from_it = ConceptNode.objects.for_bond(row.bond).not_deleted().filter(source_edges__message__session=row)
        tables = [
            build_sourceless_table(from_it.distinct().order_by("id")),
            build_messages_table(_("Messages"), self.lines(row)),
        ]
        return DeletionPreview(row, row.summary or row.shown_title, tables)

    def forget_row(self, row: Session, **how: Any) -> None:
        removal.forget_session(session=row, **how)

    def lines(self, row: Session) -> QuerySet[Message]:
        """Messages off the record cannot be read here."""
        return Message.objects.none() if row.off_record else row.messages.not_deleted().order_by("id")


def build_steps_table(session: Session) -> TablePanel:
    steps = ConsolidationStep.objects.filter(session=session).defer("answer", "lines").order_by("id")[:ROWS_MOST]
    rows = [
        [
            link_to_row(step, step.get_phase_display()),
            step.get_outcome_display(),
            step.reason or step.error,
            step.tokens_in,
            step.tokens_out,
            step.created_at,
        ]
        for step in steps
    ]
    head = [_("phase"), _("outcome"), _("reason"), _("tokens in"), _("tokens out"), _("created")]
    return TablePanel(_("Consolidation"), head, rows, _("Not consolidated yet."))


def build_nodes_table(nodes: list[ConceptNode]) -> TablePanel:
    rows = [
        [
            node.get_type_display(),
            link_to_row(node, shorten(node.description)),
            node.emotional_impact,
            node.get_state_display(),
        ]
        for node in nodes
    ]
    return TablePanel(_("Memories from it"), [_("type"), _("text"), _("importance"), _("state")], rows, _("Nothing."))
