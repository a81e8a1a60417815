from typing import Any

from django.contrib import admin
from django.contrib.admin import display
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from memory.admin import finding
from memory.admin.forgetting import ForgettableAdmin, build_sourceless_table
from memory.admin.trash import DeletionPreview
from memory.forgetting import removal
from memory.models import ConceptNode, Message
from memory.models.messages import MessageQuerySet
from personas.admin.columns import link_to_id, link_to_row, shorten
from personas.admin.filters import BOND_FILTERS, ChoiceFilter, DateRangeFilter, TrashFilter
from personas.admin.panels import ROWS_MOST, Panel, TablePanel


def build_messages_table(title: Any, lines: QuerySet[Message], *, more: Any = "") -> TablePanel:
    """Build the table of messages; forgotten ones are without their text."""
    rows = [
        [
            message.get_role_display(),
            link_to_row(message, _("forgotten") if message.deleted_at else message.content),
            message.created_at,
        ]
        for message in lines.defer(*MessageQuerySet.HEAVY_COLUMNS)[:ROWS_MOST]
    ]
    return TablePanel(title, [_("who"), _("text"), _("sent")], rows, _("No messages."), more)


@admin.register(Message)
class MessageAdmin(ForgettableAdmin):
    """Messages, without those off the record, which nobody may read here."""

    deferred = MessageQuerySet.HEAVY_COLUMNS
    joined = ("bond__user", "bond__persona", "session")
    list_display = ("said", "role", "who", "session_link", "channel", "created_at")
    list_filter = (
        TrashFilter,
        ("role", ChoiceFilter),
        ("channel", ChoiceFilter),
        *BOND_FILTERS,
        ("created_at", DateRangeFilter),
    )
    search_fields = ("content",)
    search_help_text = _("Any part of a message, in any language")
    fields = (
        "content", "role", "who", "session_link", "created_at", "day", "channel", "turn", "variant", "chosen",
        "cut_off", "token_count", "deleted_at",
    )  # fmt: skip

    def get_queryset(self, request: HttpRequest) -> QuerySet[Message]:
        return super().get_queryset(request).filter(session__off_record=False)

    def search_rows(self, request: HttpRequest, rows: QuerySet[Any], asked: str) -> QuerySet[Any]:
        return finding.find_messages(request, rows, asked)

    @display(description=_("text"))
    def said(self, row: Message) -> str:
        return shorten(row.content)

    @display(description=_("turn"))
    def turn(self, row: Message) -> Any:
        return "-" if row.turn_id is None else link_to_id("chat_turn", row.turn_id, str(row.turn_id))

    def build_panels(self, request: HttpRequest, row: Message) -> list[Panel]:
        nodes = row.nodes.not_deleted().without_heavy_columns("terms").order_by("id")
        rows = [
            [node.get_type_display(), link_to_row(node, shorten(node.description)), node.get_state_display()]
            for node in nodes[:ROWS_MOST]
        ]
        return [TablePanel(_("Memories from it"), [_("type"), _("text"), _("state")], rows, _("None."))]

    def build_preview(self, row: Message) -> DeletionPreview:
        nodes = ConceptNode.objects.for_bond(row.bond).not_deleted().filter(source_edges__message=row)
        return DeletionPreview(row, row.content, [build_sourceless_table(nodes.order_by("id"))])

    def forget_row(self, row: Message, **how: Any) -> None:
        removal.forget_message(message=row, **how)
