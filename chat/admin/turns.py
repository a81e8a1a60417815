from typing import Any
from uuid import UUID

from django.contrib import admin
from django.contrib.admin import display
from django.db.models import OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Left
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from chat.models import Turn
from chat.pages.conversation import reply_explanation
from chat.pages.conversation.reply_explanation import REASON_LABELS, TERM_LABELS, ReplyExplanation
from memory.admin import finding
from memory.admin.messages import build_messages_table
from memory.models import Message
from personas.admin.base import ReadOnlyAdmin
from personas.admin.columns import EXCERPT, Cell, link_to_row, shorten
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

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        said = Message.objects.visible().filter(bond=OuterRef("bond"), turn_id=OuterRef("pk"))
        # The reply, which is the last; without one what was asked.
        newest = said.order_by("-id").annotate(excerpt=Left("content", 2 * EXCERPT)).values("excerpt")[:1]
        shown = super().get_queryset(request).filter(session__off_record=False)
        rows: QuerySet[Any] = shown.annotate(said_last=Subquery(newest))
        return rows

    def search_rows(self, request: HttpRequest, rows: QuerySet[Any], asked: str) -> QuerySet[Any]:
        messages = finding.find_messages(request, Message.objects.not_deleted().filter(turn_id__isnull=False), asked)
        said = Q(pk__in=list(messages.order_by("-id").values_list("turn_id", flat=True)[:MAX_MESSAGES]))
        return rows.filter(said | Q(pk=parse_turn_id(asked)))

    @display(description=_("last message"))
    def said(self, row: Any) -> str:
        return shorten(row.said_last or "") or "-"

    def build_panels(self, request: HttpRequest, row: Turn) -> list[Panel]:
        messages = Message.objects.for_bond(row.bond).not_deleted().filter(turn_id=row.pk)
        why = reply_explanation.load(row)
        return [
            build_messages_table(_("Messages"), messages.order_by("id")),
            build_memories_table(why),
            build_quotes_table(why),
            build_talk_table(why),
            build_timings_table(why),
        ]


def parse_turn_id(asked: str) -> UUID | None:
    try:
        return UUID(asked)
    except ValueError:
        return None


def build_memories_table(why: ReplyExplanation) -> TablePanel:
    """List the candidates with those terms of their scores that any has, and why each was or was not in the prompt."""
    items = why.trace.memories
    known = reply_explanation.load_nodes(why.turn, why.trace)
    terms = {name: label for name, label in TERM_LABELS.items() if any(item.terms.get(name) for item in items)}
    rows = [
        [
            link_to_row(known[item.node], shorten(known[item.node].description))
            if item.node in known
            else _("forgotten"),
            item.score,
            *(item.terms.get(name, "") for name in terms),
            _("yes") if item.kept else REASON_LABELS.get(item.reason or "", "-"),
        ]
        for item in items
    ]
    return TablePanel(
        _("Recalled"), [_("memory"), _("score"), *terms.values(), _("in the prompt")], rows, _("Nothing was recalled.")
    )


def build_quotes_table(why: ReplyExplanation) -> TablePanel:
    known = {message.pk: message for message in why.quoted}
    rows = [
        [
            link_to_row(known[one.message], known[one.message].content) if one.message in known else _("forgotten"),
            one.score,
        ]
        for one in why.trace.quotes
    ]
    return TablePanel(_("Messages from earlier chats"), [_("text"), _("score")], rows, _("No messages were quoted."))


def build_talk_table(why: ReplyExplanation) -> TablePanel:
    """Tell how sure memory was, the subject, what was left out or came back, which tools were called, and the figures."""
    talk = why.talk
    said = {
        _("How sure"): talk.certainty,
        _("Subject"): talk.subject,
        _("Earlier messages"): talk.story,
        _("Left out of the prompt"): talk.left_out,
        _("Left out at first, until there was room"): talk.came_back,
        _("Tools"): [f"{step.tool}: {step.code} ({step.ms} ms)" for step in why.trace.steps],
    }
    rows = [[title, "\n".join(lines)] for title, lines in said.items() if lines]
    rows += [[label, value] for label, value in talk.figures]
    return TablePanel(_("The chat"), [_("step"), _("value")], rows, _("Nothing was noted."))


def build_timings_table(why: ReplyExplanation) -> TablePanel:
    rows: list[list[Cell]] = [[label, _("%(seconds)s s") % {"seconds": seconds}] for label, seconds in why.steps]
    if why.trace.prompt_tokens is not None:
        rows.append([_("tokens of the prompt"), why.trace.prompt_tokens])
    rows += [[_("cut from the prompt"), f"{label}: {count}"] for label, count in why.cut]
    return TablePanel(_("Timing and tokens"), [_("step"), _("value")], rows, _("Nothing was measured."))
