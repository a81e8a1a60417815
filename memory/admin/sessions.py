from typing import Any

from django.contrib import admin
from django.contrib.admin import display
from django.db.models import Q, QuerySet
from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from memory import sessions
from memory.admin import finding
from memory.admin.forgetting import Forgettable, left_without_lines
from memory.admin.messages import said_table
from memory.admin.trash import Going
from memory.forgetting import removal
from memory.models import ConceptNode, ConsolidationStep, Message, Session
from memory.search import conditions
from personas.admin.columns import excerpt, link, list_link, of_bond, word
from personas.admin.filters import Days, Offered, Trash, Words, YesNo
from personas.admin.panels import ROWS_MOST, Panel, Table


@admin.register(Session)
class SessionAdmin(Forgettable):
    list_display = ("talk", "who", "status", "channel", "message_count", "last_message_at", "failure_detail")
    list_filter = (
        Trash,
        ("status", Words),
        ("channel", Words),
        ("close_reason", Words),
        ("off_record", YesNo),
        ("bond__user", Offered),
        ("bond__persona", Offered),
        ("bond", Offered),
        ("last_message_at", Days),
    )
    search_fields = ("summary",)
    search_help_text = _("Title, summary, or number")
    ordering = ("-id",)
    fieldsets = (
        (None, {"fields": ("talk", "who", "status", "summary", "channel", "off_record")}),
        (
            _("When"),
            {"fields": ("started_at", "last_message_at", "closed_at", "close_reason", "archived_at", "deleted_at")},
        ),
        (_("How much"), {"fields": ("message_count", "token_count", "trivial")}),
        (_("Failure"), {"fields": ("failure_code", "failure_detail", "attempt_count", "failure_next_try_at")}),
    )
    readonly_fields = ("talk", "who")
    actions = ("try_again", *Forgettable.actions)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Session]:
        return super().get_queryset(request).filter(message_count__gt=0)

    def searched(self, request: HttpRequest, rows: QuerySet[Any], asked: str) -> QuerySet[Any]:
        told = Q(conditions.holding("title", asked)) | conditions.holding("summary", asked)
        return rows.filter(told | finding.by_number(asked, "pk"))

    @display(description=_("session"))
    def talk(self, row: Session) -> str:
        return row.shown_title or str(row)

    @display(description=_("bond"))
    def who(self, row: Session) -> Any:
        return link(row.bond, of_bond(row.bond))

    def panels(self, request: HttpRequest, row: Session) -> list[Panel]:
        more = list_link("memory_message", f"session__id__exact={row.pk}", _("all its lines"))
        nodes = row.nodes.filter(deleted_at=None).defer("embedding", "terms").order_by("id")[:ROWS_MOST]
        return [steps_of(row), remembered(list(nodes)), said_table(_("Lines"), self.lines(row), more=more)]

    @admin.action(description=_("Try failed ones again"), permissions=["retry"])
    def try_again(self, request: HttpRequest, queryset: QuerySet[Session]) -> None:
        now = timezone.now()
        queued = sum(sessions.try_again(session=session, now=now) for session in queryset)
        self.message_user(request, _("%(count)s sessions are tried again.") % {"count": queued})

    def has_retry_permission(self, request: HttpRequest) -> bool:
        """Whoever may look may have it tried again: nothing is lost by it."""
        return self.has_view_permission(request)

    def going(self, row: Session) -> Going:
        from_it = ConceptNode.objects.of(row.bond).filter(source_edges__message__session=row, deleted_at=None)
        tables = [left_without_lines(from_it.distinct().order_by("id")), said_table(_("Lines"), self.lines(row))]
        return Going(row, row.summary or row.shown_title, tables)

    def forgetting(self, row: Session, **how: Any) -> None:
        removal.forget_session(session=row, **how)

    def lines(self, row: Session) -> QuerySet[Message]:
        """What was said off the record is nobody's to read here."""
        return Message.objects.none() if row.off_record else row.messages.filter(deleted_at=None).order_by("id")


def steps_of(session: Session) -> Table:
    steps = ConsolidationStep.objects.filter(session=session).defer("answer", "lines").order_by("id")[:ROWS_MOST]
    rows = [
        [
            link(step, word(step.phase)),
            word(step.outcome),
            step.reason or step.error,
            step.tokens_in,
            step.tokens_out,
            step.created_at,
        ]
        for step in steps
    ]
    head = [_("phase"), _("outcome"), _("reason"), _("tokens in"), _("tokens out"), _("made")]
    return Table(_("Consolidation"), head, rows, _("It has not been consolidated."))


def remembered(nodes: list[ConceptNode]) -> Table:
    rows = [
        [word(node.type), link(node, excerpt(node.description)), node.emotional_impact, word(node.state)]
        for node in nodes
    ]
    return Table(_("What is remembered of it"), [_("type"), _("text"), _("impact"), _("state")], rows, _("Nothing."))
