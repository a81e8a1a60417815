"""Doubts, to be read: they are settled where their memories are, on the person's own page."""

from django.contrib import admin
from django.contrib.admin import display
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from memory.models import ConceptNode, Doubt, Entity
from personas.admin.base import ReadOnlyAdmin
from personas.admin.columns import link_to_row, name_choice, shorten
from personas.admin.filters import BOND_FILTERS, ChoiceFilter
from personas.admin.panels import Panel, TablePanel


@admin.register(Doubt)
class DoubtAdmin(ReadOnlyAdmin):
    joined = ("bond__user", "bond__persona", "a_node", "b_node", "a_entity", "b_entity")
    list_display = ("about", "who", "kind", "state", "outcome", "opened_at", "settled_at")
    list_filter = (("kind", ChoiceFilter), ("state", ChoiceFilter), *BOND_FILTERS)
    fields = ("who", "kind", "why", "severity", "state", "outcome", "asked", "opened_at", "settled_at")

    @display(description=_("doubt"))
    def about(self, row: Doubt) -> str:
        return " / ".join(shorten(name_side(side)) for side in list_sides(row))

    @display(description=_("reason"))
    def why(self, row: Doubt) -> str:
        return name_choice(Doubt.Reason(row.reason).label) if row.reason else "-"

    @display(description=_("times asked"))
    def asked(self, row: Doubt) -> int:
        return len(row.asked_in)

    def build_panels(self, request: HttpRequest, row: Doubt) -> list[Panel]:
        sides = [[link_to_row(side, shorten(name_side(side))), side.created_at] for side in list_sides(row)]
        return [TablePanel(_("Both sides"), [_("text"), _("created")], sides)]


def list_sides(doubt: Doubt) -> list[ConceptNode | Entity]:
    return [
        side for side in (doubt.a_node, doubt.b_node, doubt.a_entity, doubt.b_entity) if side and not side.deleted_at
    ]


def name_side(side: ConceptNode | Entity) -> str:
    return side.canonical_name if isinstance(side, Entity) else side.description
