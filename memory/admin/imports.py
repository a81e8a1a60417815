"""Imports in the admin: progress, results and failures."""

from django.contrib import admin, messages
from django.contrib.admin import display
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from memory.admin.finding import PartsSearchMixin
from memory.admin.sessions import build_nodes_table
from memory.importing import control
from memory.importing.control import ImportRefused
from memory.importing.writing import find_drawn_from_chunks
from memory.models import Import, ImportChunk
from personas.admin.base import ReadOnlyAdmin
from personas.admin.filters import BOND_FILTERS, ChoiceFilter, DateRangeFilter
from personas.admin.panels import ROWS_MOST, Panel, TablePanel

State = Import.State


@admin.register(Import)
class ImportAdmin(PartsSearchMixin, ReadOnlyAdmin):
    list_display = ("name", "who", "state", "progress", "written", "failure_detail", "created_at")
    list_filter = (("state", ChoiceFilter), *BOND_FILTERS, ("created_at", DateRangeFilter))
    search_fields = ("name",)
    search_help_text = _("Any part of the file's name, or the import's number")
    fieldsets = (
        (None, {"fields": ("name", "who", "kind", "state", "progress", "written", "created_at", "touched_at")}),
        (_("Failure"), {"fields": ("failure_code", "failure_detail", "failure_count", "failure_next_try_at")}),
    )
    actions = ("read_on", "cancel")
    retry_action = "read_on"

    def has_failed(self, row: Import) -> bool:
        return row.state == Import.State.FAILED

    @display(description=_("pieces read"))
    def progress(self, row: Import) -> str:
        return _("%(done)s of %(total)s") % {"done": row.done, "total": row.total}

    @display(description=_("written"))
    def written(self, row: Import) -> str:
        told = _(
            "%(events)s events, %(facts)s facts, %(thoughts)s thoughts, %(entities)s people and things; %(dropped)s dropped"
        )
        return told % row.writes

    def build_panels(self, request: HttpRequest, row: Import) -> list[Panel]:
        read = row.chunks.filter(state=ImportChunk.State.DONE).order_by("-read_at", "-number")[:ROWS_MOST]
        return [
            build_chunks_table(row),
            build_nodes_table(list(find_drawn_from_chunks(row.bond, read)[:ROWS_MOST])),
            build_proposals_table(row),
        ]

    @admin.action(description=_("Continue, or try again"), permissions=["run"])
    def read_on(self, request: HttpRequest, queryset: QuerySet[Import]) -> None:
        count = 0
        for imported in queryset:
            try:
                count += control.start(imported, now=timezone.now()).state == State.RUNNING
            except ImportRefused as error:
                self.message_user(request, _(error.detail), level=messages.WARNING)
        self.message_user(request, _("Importing again: %(count)s.") % {"count": count})

    @admin.action(description=_("Stop import"), permissions=["run"])
    def cancel(self, request: HttpRequest, queryset: QuerySet[Import]) -> None:
        states = [control.cancel(imported, now=timezone.now()).state for imported in queryset]
        told = _("%(count)s stopped. What was written stays.")
        self.message_user(request, told % {"count": states.count(State.CANCELLED)})


def build_chunks_table(imported: Import) -> TablePanel:
    left_out = ("text", "digest")
    failed = imported.chunks.filter(state=ImportChunk.State.FAILED).defer(*left_out).order_by("number")[:ROWS_MOST]
    others = imported.chunks.exclude(state=ImportChunk.State.FAILED).defer(*left_out).order_by("number")[:ROWS_MOST]
    rows = [
        [
            piece.number,
            piece.title or "-",
            piece.said_on or "-",
            piece.get_state_display(),
            piece.events_count,
            piece.facts_count,
            piece.thoughts_count,
            piece.entities_count,
            piece.dropped_count,
            piece.error or piece.notes,
        ]
        for piece in [*failed, *others][:ROWS_MOST]
    ]
    head = [
        *(_("number"), _("title"), _("day"), _("state"), _("events"), _("facts"), _("thoughts"), _("people & things")),
        *(_("dropped"), _("notes")),
    ]
    return TablePanel(_("Pieces"), head, rows, _("None."))


def build_proposals_table(imported: Import) -> TablePanel:
    rows = [
        [proposal.content, proposal.source_quote, _("yes") if proposal.accepted else ""]  # type: ignore[attr-defined]  # as annotated
        for proposal in imported.proposals.not_declined()[:ROWS_MOST]
    ]
    head = [_("suggestion"), _("quote"), _("accepted")]
    return TablePanel(_("Suggestions for the text about the user"), head, rows, _("No suggestions."))
