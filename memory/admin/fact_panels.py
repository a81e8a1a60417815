"""What the admin shows beside a fact: the acts on it and its links."""

from django.utils.translation import gettext_lazy as _

from memory.models import ConceptNode, FactWrite
from memory.nodes import links
from personas.admin.columns import link_to_row, shorten
from personas.admin.panels import ROWS_MOST, TablePanel


def build_writes_table(node: ConceptNode) -> TablePanel:
    writes = FactWrite.objects.for_bond(node.bond).filter(node=node).select_related("session").order_by("-id")
    rows = [
        [
            write.get_op_display(),
            write.get_by_display(),
            write.created_at,
            "-" if write.session is None else link_to_row(write.session, write.session.shown_title or None),
            write.undone_at or "-",
        ]
        for write in writes[:ROWS_MOST]
    ]
    return TablePanel(_("Changes"), [_("act"), _("by"), _("when"), _("chat"), _("undone")], rows, _("Nothing."))


def build_links_table(node: ConceptNode) -> TablePanel:
    linked = links.load_linked(node.bond, node)[:ROWS_MOST]
    rows = [[relation, link_to_row(other, shorten(other.description))] for relation, other in linked]
    return TablePanel(_("Links"), [_("relation"), _("text")], rows, _("Nothing."))
