"""Records of consolidation, reflection and slow ticks in the admin, read-only."""

from typing import Any

from django.contrib import admin
from django.contrib.admin import display
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from memory.admin.finding import PartsSearchMixin
from memory.models import ConsolidationStep, ReflectionRun, SlowTickRun
from personas.admin.base import ReadOnlyAdmin
from personas.admin.columns import describe_bond, link_to_row
from personas.admin.filters import AutocompleteFilter, BooleanFilter, ChoiceFilter, DateRangeFilter
from personas.admin.panels import Panel, TablePanel, TextPanel, build_answer_panel


class ProvenanceAdmin(PartsSearchMixin, ReadOnlyAdmin):
    search_numbers: tuple[str, ...] = ("session",)
    joined: tuple[str, ...] = ("bond__user", "bond__persona", "session")


@admin.register(ConsolidationStep)
class ConsolidationStepAdmin(ProvenanceAdmin):
    person = "session__bond__user_id"
    joined = ("session__bond__user", "session__bond__persona")
    deferred = ("lines",)
    list_display = (
        "phase", "outcome", "session_link", "who", "reason", "error", "tokens_in", "tokens_out", "created_at",
    )  # fmt: skip
    list_filter = (
        ("phase", ChoiceFilter),
        ("outcome", ChoiceFilter),
        ("offline", BooleanFilter),
        ("session__bond__user", AutocompleteFilter),
        ("created_at", DateRangeFilter),
    )
    search_fields = ("reason", "error", "notes")
    search_help_text = _("Reason, error, notes, or the number of the chat")
    fields = (
        "phase", "outcome", "session_link", "who", "reason", "error", "offline", "tokens_in", "tokens_out",
        "duration_ms", "created_at",
    )  # fmt: skip

    @display(description=_("bond"))
    def who(self, row: ConsolidationStep) -> Any:
        return link_to_row(row.session.bond, describe_bond(row.session.bond))

    def build_panels(self, request: HttpRequest, row: ConsolidationStep) -> list[Panel]:
        shown: list[Panel] = [build_answer_panel(_("Answer of the model"), row.answer)]
        return [*shown, TextPanel(_("Notes"), row.notes)] if row.notes else shown


@admin.register(SlowTickRun)
class SlowTickRunAdmin(ProvenanceAdmin):
    deferred = ("prompt", "answer")
    list_display = (
        "run", "who", "session_link", "trigger", "outcome", "error", "tokens_in", "tokens_out", "created_at",
    )  # fmt: skip
    list_filter = (
        ("trigger", ChoiceFilter),
        ("outcome", ChoiceFilter),
        ("bond__user", AutocompleteFilter),
        ("bond__persona", AutocompleteFilter),
        ("created_at", DateRangeFilter),
    )
    search_fields = ("notes", "error", "answer")
    search_help_text = _("Notes, error, or the number of the chat")
    fields = (
        "who", "session_link", "trigger", "outcome", "day", "error", "tokens_in", "tokens_out", "created_at",
        "finished_at",
    )  # fmt: skip

    @display(description=_("slow tick"))
    def run(self, row: SlowTickRun) -> str:
        return str(row.pk)

    def build_panels(self, request: HttpRequest, row: SlowTickRun) -> list[Panel]:
        questions = TablePanel(_("Open questions"), [_("question")], [[one] for one in row.questions], _("None."))
        return [
            build_answer_panel(_("Answer of the model"), row.answer),
            questions,
            TextPanel(_("Notes"), row.notes),
            TextPanel(_("Prompt"), row.shown_prompt),
        ]


@admin.register(ReflectionRun)
class ReflectionRunAdmin(ProvenanceAdmin):
    list_display = ("run", "who", "session_link", "trigger", "thoughts_count", "created_at")
    list_filter = (
        ("trigger", ChoiceFilter),
        ("bond__user", AutocompleteFilter),
        ("bond__persona", AutocompleteFilter),
        ("created_at", DateRangeFilter),
    )
    search_fields = ("pk",)
    search_numbers = ("pk", "session")
    search_help_text = _("Number of the chat")
    fields = ("who", "session_link", "trigger", "thoughts_count", "created_at")

    @display(description=_("reflection run"))
    def run(self, row: ReflectionRun) -> str:
        return str(row.pk)
