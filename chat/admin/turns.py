from typing import Any
from uuid import UUID

from django.contrib import admin
from django.contrib.admin import display
from django.db.models import OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Left
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from chat.models import Turn
from chat.turns.trace import Trace
from memory.admin import finding
from memory.admin.messages import build_messages_table
from memory.models import ConceptNode, Message
from personas.admin.base import ReadOnlyAdmin
from personas.admin.columns import EXCERPT, link_to_row, shorten
from personas.admin.filters import BOND_FILTERS, BooleanFilter, ChoiceFilter, DateRangeFilter
from personas.admin.panels import Panel, TablePanel

# Turns are searched by their messages, of which the newest ones are enough.
MAX_MESSAGES = 1000


@admin.register(Turn)
class TurnAdmin(ReadOnlyAdmin):
    """What was recalled for a reply and why, how long each step took, and errors."""

    deferred = ("trace", "timings")
    joined = ("bond__user", "bond__persona", "session")
    list_display = ("said", "who", "status", "error_code", "offline", "tokens_in", "tokens_out", "created_at")
    list_filter = (("status", ChoiceFilter), ("offline", BooleanFilter), *BOND_FILTERS, ("created_at", DateRangeFilter))
    search_fields = ("text",)
    search_help_text = _("Any part of its messages, or its id")
    ordering = ("-created_at", "-id")
    fields = (
        *(
            "who",
            "session_link",
            "status",
            "created_at",
            "started_at",
            "finished_at",
            "offline",
            "error_code",
            "error_detail",
        ),
        *("tokens_in", "tokens_out", "tokens_cached"),
    )

    def get_queryset(self, request: HttpRequest) -> QuerySet[Turn]:
        said = Message.objects.visible().filter(bond=OuterRef("bond"), turn_id=OuterRef("pk"))
        # The reply, which is the last; without one what was asked.
        newest = said.order_by("-id").annotate(excerpt=Left("content", 2 * EXCERPT)).values("excerpt")[:1]
        return super().get_queryset(request).filter(session__off_record=False).annotate(said_last=Subquery(newest))

    def search_rows(self, request: HttpRequest, rows: QuerySet[Any], asked: str) -> QuerySet[Any]:
        messages = finding.find_messages(request, Message.objects.not_deleted().filter(turn_id__isnull=False), asked)
        said = Q(pk__in=list(messages.order_by("-id").values_list("turn_id", flat=True)[:MAX_MESSAGES]))
        return rows.filter(said | Q(pk=parse_turn_id(asked)))

    @display(description=_("last message"))
    def said(self, row: Any) -> str:
        return shorten(row.said_last or "") or "-"

    def build_panels(self, request: HttpRequest, row: Turn) -> list[Panel]:
        messages = Message.objects.for_bond(row.bond).not_deleted().filter(turn_id=row.pk)
        return [
            build_messages_table(_("Messages"), messages.order_by("id")),
            build_memories_table(row),
            build_quotes_table(row),
            build_talk_table(row),
            build_timings_table(row),
        ]


def parse_turn_id(asked: str) -> UUID | None:
    try:
        return UUID(asked)
    except ValueError:
        return None


def build_memories_table(turn: Turn) -> TablePanel:
    """List the candidates with the terms of their scores, and why each was or was not in the prompt."""
    items = Trace.read(turn).memories
    nodes = ConceptNode.objects.for_bond(turn.bond).not_deleted().without_heavy_columns("terms")
    known = nodes.in_bulk([item.node for item in items])
    names = sorted({name for item in items for name in item.terms})
    rows = [
        [
            link_to_row(known[item.node], shorten(known[item.node].description))
            if item.node in known
            else _("forgotten"),
            item.score,
            *(item.terms.get(name, "") for name in names),
            _("yes") if item.kept else item.reason or "-",
        ]
        for item in items
    ]
    return TablePanel(
        _("Recalled"), [_("memory"), _("score"), *names, _("in the prompt")], rows, _("Nothing was recalled.")
    )


def build_quotes_table(turn: Turn) -> TablePanel:
    quoted = Trace.read(turn).quotes
    messages = Message.objects.for_bond(turn.bond).not_deleted().without_heavy_columns()
    known = messages.in_bulk([one.message for one in quoted])
    rows = [
        [
            link_to_row(known[one.message], known[one.message].content) if one.message in known else _("forgotten"),
            one.score,
        ]
        for one in quoted
    ]
    return TablePanel(_("Messages from earlier chats"), [_("text"), _("score")], rows, _("No messages were quoted."))


def build_talk_table(turn: Turn) -> TablePanel:
    """List how sure memory was, the subject, and the sections that were left out or came back, each with its rule."""
    trace = Trace.read(turn)
    rows: list[list[Any]] = [] if trace.gap_seconds is None else [[_("seconds of silence before"), trace.gap_seconds]]
    for part in (trace.signals, trace.knowing, trace.topic):
        told = {} if part is None else part.model_dump(mode="json")
        rows += [[name, format_value(value)] for name, value in told.items()]
    if trace.sections is not None:
        rows += [[_("left out"), f"{section}: {rule}"] for section, rule in trace.sections.out.items()]
        rows += [[_("came back"), f"{section}: {rule}"] for section, rule in trace.sections.back.items()]
    return TablePanel(_("The talk"), [_("step"), _("value")], rows, _("Nothing was noted."))


def format_value(value: Any) -> str:
    return "-" if value in (None, "", []) else str(value)


def build_timings_table(turn: Turn) -> TablePanel:
    rows = [[name, value] for name, value in turn.timings.items()]
    trace = Trace.read(turn)
    cut = [[_("cut from the prompt"), ", ".join(trace.cut)]] if trace.cut else []
    size = [] if trace.prompt_tokens is None else [[_("tokens of the prompt"), trace.prompt_tokens]]
    return TablePanel(_("Timing and tokens"), [_("step"), _("value")], [*rows, *size, *cut], _("Nothing was measured."))
