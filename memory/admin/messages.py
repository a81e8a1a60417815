from typing import Any

from django.contrib import admin
from django.contrib.admin import display
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from memory.admin import finding
from memory.admin.forgetting import Forgettable, left_without_lines
from memory.admin.trash import Going
from memory.forgetting import removal
from memory.models import ConceptNode, Message
from personas.admin.columns import excerpt, link, link_to, of_bond, word
from personas.admin.filters import Days, Offered, Trash, Words
from personas.admin.panels import ROWS_MOST, Panel, Table

HEAVY = ("embedding", "search", "sketch")


def said_table(title: Any, lines: QuerySet[Message], *, more: Any = "") -> Table:
    """Lines as they were said, those that were forgotten without their words."""
    rows = [
        [word(line.role), link(line, _("forgotten") if line.deleted_at else line.content), line.created_at]
        for line in lines.defer(*HEAVY)[:ROWS_MOST]
    ]
    return Table(title, [_("who"), _("text"), _("said")], rows, _("No lines."), more)


@admin.register(Message)
class MessageAdmin(Forgettable):
    """What was said off the record is nobody's to read here."""

    deferred = HEAVY
    joined = ("bond__user", "bond__persona", "session")
    list_display = ("said", "role", "who", "talk", "channel", "created_at")
    list_filter = (
        Trash,
        ("role", Words),
        ("channel", Words),
        ("bond__user", Offered),
        ("bond__persona", Offered),
        ("bond", Offered),
        ("created_at", Days),
    )
    search_fields = ("content",)
    search_help_text = _("Any part of what was said, in any language")
    ordering = ("-id",)
    fields = (
        "content",
        "role",
        "who",
        "talk",
        "created_at",
        "day",
        "channel",
        "turn",
        "variant",
        "chosen",
        "cut_off",
        "token_count",
        "deleted_at",
    )
    readonly_fields = ("who", "talk", "turn")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Message]:
        return super().get_queryset(request).filter(session__off_record=False)

    def searched(self, request: HttpRequest, rows: QuerySet[Any], asked: str) -> QuerySet[Any]:
        return finding.lines(request, rows, asked)

    @display(description=_("text"))
    def said(self, row: Message) -> str:
        return excerpt(row.content)

    @display(description=_("bond"))
    def who(self, row: Message) -> Any:
        return link(row.bond, of_bond(row.bond))

    @display(description=_("session"))
    def talk(self, row: Message) -> Any:
        return link(row.session, row.session.shown_title or None)

    @display(description=_("turn"))
    def turn(self, row: Message) -> Any:
        return "-" if row.turn_id is None else link_to("chat_turn", row.turn_id, str(row.turn_id))

    def panels(self, request: HttpRequest, row: Message) -> list[Panel]:
        nodes = row.nodes.filter(deleted_at=None).defer("embedding", "terms").order_by("id")
        rows = [
            [word(node.type), link(node, excerpt(node.description)), word(node.state)] for node in nodes[:ROWS_MOST]
        ]
        return [Table(_("Memories that come from it"), [_("type"), _("text"), _("state")], rows, _("None."))]

    def going(self, row: Message) -> Going:
        nodes = ConceptNode.objects.of(row.bond).filter(source_edges__message=row, deleted_at=None)
        return Going(row, row.content, [left_without_lines(nodes.order_by("id"))])

    def forgetting(self, row: Message, **how: Any) -> None:
        removal.forget_line(message=row, **how)
