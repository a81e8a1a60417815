"""How memory came about, to be read and not touched."""

from typing import Any

from django.contrib import admin
from django.contrib.admin import display
from django.db.models import Q, QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from memory.admin import finding
from memory.models import ConsolidationStep, ReflectionRun, SlowTickRun
from memory.search import conditions
from personas.admin.base import Shown
from personas.admin.columns import link, of_bond
from personas.admin.filters import Days, Offered, Words, YesNo
from personas.admin.panels import Panel, Table, Text, answer


class Trace(Shown):
    actions = None
    joined: tuple[str, ...] = ("bond__user", "bond__persona", "session")
    ordering = ("-id",)

    @display(description=_("bond"))
    def who(self, row: Any) -> Any:
        return link(row.bond, of_bond(row.bond))

    @display(description=_("session"))
    def talk(self, row: Any) -> Any:
        return link(row.session, None if row.session is None else row.session.shown_title or None)


@admin.register(ConsolidationStep)
class ConsolidationStepAdmin(Trace):
    person = "session__bond__user_id"
    joined = ("session__bond__user", "session__bond__persona")
    deferred = ("lines",)
    list_display = ("phase", "outcome", "talk", "who", "reason", "error", "tokens_in", "tokens_out", "created_at")
    list_filter = (
        ("phase", Words),
        ("outcome", Words),
        ("offline", YesNo),
        ("session__bond__user", Offered),
        ("created_at", Days),
    )
    search_fields = ("reason",)
    search_help_text = _("Reason, error, notes, or the session's number")
    fields = (
        "phase",
        "outcome",
        "talk",
        "who",
        "reason",
        "error",
        "offline",
        "tokens_in",
        "tokens_out",
        "duration_ms",
        "created_at",
    )
    readonly_fields = ("who", "talk")

    def searched(self, request: HttpRequest, rows: QuerySet[Any], asked: str) -> QuerySet[Any]:
        return rows.filter(holding(asked, "reason", "error", "notes") | finding.by_number(asked, "session"))

    @display(description=_("bond"))
    def who(self, row: ConsolidationStep) -> Any:
        return link(row.session.bond, of_bond(row.session.bond))

    def panels(self, request: HttpRequest, row: ConsolidationStep) -> list[Panel]:
        shown: list[Panel] = [answer(_("Answer of the model"), row.answer)]
        return [*shown, Text(_("Notes"), row.notes)] if row.notes else shown


@admin.register(SlowTickRun)
class SlowTickRunAdmin(Trace):
    deferred = ("prompt", "answer")
    list_display = ("run", "who", "talk", "trigger", "outcome", "error", "tokens_in", "tokens_out", "created_at")
    list_filter = (
        ("trigger", Words),
        ("outcome", Words),
        ("bond__user", Offered),
        ("bond__persona", Offered),
        ("created_at", Days),
    )
    search_fields = ("notes",)
    search_help_text = _("Notes, error, or the session's number")
    fields = (
        "who",
        "talk",
        "trigger",
        "outcome",
        "day",
        "error",
        "tokens_in",
        "tokens_out",
        "created_at",
        "finished_at",
    )
    readonly_fields = ("who", "talk")

    def searched(self, request: HttpRequest, rows: QuerySet[Any], asked: str) -> QuerySet[Any]:
        return rows.filter(holding(asked, "notes", "error", "answer") | finding.by_number(asked, "session"))

    @display(description=_("slow tick"))
    def run(self, row: SlowTickRun) -> str:
        return str(row.pk)

    def panels(self, request: HttpRequest, row: SlowTickRun) -> list[Panel]:
        questions = Table(_("Open questions"), [_("question")], [[one] for one in row.questions], _("None."))
        return [
            answer(_("Answer of the model"), row.answer),
            questions,
            Text(_("Notes"), row.notes),
            Text(_("Prompt"), row.prompt),
        ]


@admin.register(ReflectionRun)
class ReflectionRunAdmin(Trace):
    list_display = ("run", "who", "talk", "trigger", "thoughts_count", "created_at")
    list_filter = (("trigger", Words), ("bond__user", Offered), ("bond__persona", Offered), ("created_at", Days))
    search_fields = ("pk",)
    search_help_text = _("The session's number")
    fields = ("who", "talk", "trigger", "thoughts_count", "created_at")
    readonly_fields = ("who", "talk")

    def searched(self, request: HttpRequest, rows: QuerySet[Any], asked: str) -> QuerySet[Any]:
        return rows.filter(finding.by_number(asked, "pk", "session"))

    @display(description=_("reflection run"))
    def run(self, row: ReflectionRun) -> str:
        return str(row.pk)


def holding(asked: str, *columns: str) -> Q:
    wanted = Q()
    for column in columns:
        wanted |= Q(conditions.holding(column, asked))
    return wanted
