"""What an owner wrote beside the core blocks: how the first chat begins, and lore. Its owner changes it on the companion's page."""

from django.contrib import admin
from django.contrib.admin import display
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from personas.admin.base import ReadOnlyAdmin
from personas.admin.columns import shorten
from personas.admin.filters import AutocompleteFilter
from personas.admin.panels import ROWS_MOST, Panel, TablePanel
from personas.models import LoreEntry, Opening


@admin.register(Opening)
class OpeningAdmin(ReadOnlyAdmin):
    person = "persona__owner_id"
    joined = ("persona__owner", "updated_by")
    list_display = ("persona", "first_greeting", "count", "version", "updated_at", "updated_by")
    list_filter = (("persona", AutocompleteFilter),)
    search_fields = ("persona__name",)
    ordering = ("-persona_id",)
    fields = ("persona", "version", "updated_at", "updated_by")

    @display(description=_("first greeting"))
    def first_greeting(self, row: Opening) -> str:
        return shorten(row.greetings[0]) if row.greetings else "-"

    @display(description=_("greetings"))
    def count(self, row: Opening) -> int:
        return len(row.greetings)

    def build_panels(self, request: HttpRequest, row: Opening) -> list[Panel]:
        said = [[_("greeting"), text] for text in row.greetings] + [[_("starter"), text] for text in row.starters]
        earlier = [
            [
                revision.n,
                "\n\n".join(revision.greetings) or "-",
                "\n".join(revision.starters) or "-",
                revision.saved_at,
                "-" if revision.saved_by is None else revision.saved_by.shown_name,
            ]
            for revision in row.revisions.select_related("saved_by").order_by("-n")[:ROWS_MOST]
        ]
        head = [_("version"), _("greetings"), _("starters"), _("saved"), _("saved by")]
        return [
            TablePanel(_("Greetings and starters"), [_("kind"), _("text")], said, _("None.")),
            TablePanel(_("Earlier versions"), head, earlier, _("Never changed.")),
        ]


@admin.register(LoreEntry)
class LoreEntryAdmin(ReadOnlyAdmin):
    person = "persona__owner_id"
    joined = ("persona__owner",)
    deferred = ("kept",)
    list_display = ("persona", "named", "said", "constant", "enabled", "priority")
    list_filter = (("persona", AutocompleteFilter),)
    search_fields = ("content",)
    fields = ("persona", "named", "secondly", "content", "constant", "enabled", "priority", "use_regex")

    @display(description=_("keys"))
    def named(self, row: LoreEntry) -> str:
        return shorten(", ".join(row.keys)) or "-"

    @display(description=_("second keys"))
    def secondly(self, row: LoreEntry) -> str:
        return ", ".join(row.secondary_keys) or "-"

    @display(description=_("text"))
    def said(self, row: LoreEntry) -> str:
        return shorten(row.content)
