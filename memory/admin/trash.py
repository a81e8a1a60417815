from typing import Any

from django.contrib import admin
from django.contrib.admin import display
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from memory import trash
from memory.admin.forgetting import Forgettable, Going
from memory.models import ConceptNode, Entity, Forgotten, Message, Session
from personas.admin.columns import excerpt, link, moment, of_bond, word
from personas.admin.filters import Days, Offered, Words
from personas.admin.panels import ROWS_MOST, Panel, Table


@admin.register(Forgotten)
class ForgottenAdmin(Forgettable):
    """The trash: acts of forgetting that can be taken back."""

    actions = ("restore", "erase")
    actions_detail = ()
    list_display = ("what", "who", "created_at", "purged")
    list_filter = (
        ("kind", Words),
        ("bond__user", Offered),
        ("bond__persona", Offered),
        ("bond", Offered),
        ("created_at", Days),
    )
    ordering = ("-id",)
    fields = ("what", "who", "created_at", "purged")
    readonly_fields = fields

    @display(description=_("what was forgotten"))
    def what(self, row: Forgotten) -> str:
        return f"{word(row.kind)} {row.object_id}"

    @display(description=_("bond"))
    def who(self, row: Forgotten) -> Any:
        return link(row.bond, of_bond(row.bond))

    @display(description=_("erased for good"))
    def purged(self, row: Forgotten) -> str:
        return moment(row.purged_at)

    def panels(self, request: HttpRequest, row: Forgotten) -> list[Panel]:
        return [Table(_("What went with it"), [_("type"), _("text")], taken(row), _("Nothing."))]

    def trashed(self, queryset: QuerySet[Any]) -> QuerySet[Any]:
        return queryset

    def going(self, row: Forgotten) -> Going:
        return Going(row, "\n".join(str(text) for _, text in taken(row)))

    def bring_back(self, row: Forgotten) -> None:
        trash.restore(act=row, now=timezone.now())

    def act_of(self, row: Forgotten) -> Forgotten:
        return row


def taken(act: Forgotten) -> list[list[Any]]:
    """What an act hid, in words."""
    nodes = ConceptNode.objects.filter(bond=act.bond, pk__in=act.taken.get("nodes", [])).defer("embedding", "terms")
    lines = Message.objects.filter(bond=act.bond, pk__in=act.taken.get("lines", []), session__off_record=False)
    entities = Entity.objects.filter(bond=act.bond, pk__in=act.taken.get("entities", [])).defer("embedding")
    talks = Session.objects.filter(bond=act.bond, pk__in=act.taken.get("sessions", []))
    return [
        *([word("session"), excerpt(one.summary or one.title)] for one in talks[:ROWS_MOST]),
        *([word(one.type), one.description] for one in nodes.order_by("id")[:ROWS_MOST]),
        *([word("entity"), one.canonical_name] for one in entities.order_by("id")[:ROWS_MOST]),
        *([word(one.role), one.content] for one in lines.order_by("id").only("role", "content")[:ROWS_MOST]),
    ]
