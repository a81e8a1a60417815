"""The trash in the admin: restore what was forgotten, or erase it for good."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from django.contrib import admin, messages
from django.contrib.admin import display, helpers
from django.db.models import QuerySet
from django.forms import Form
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from echovessel.errors import CodedError
from memory.forgetting import purging, trash
from memory.models import ConceptNode, Entity, Forgotten, Message, Session
from personas.admin.base import ReadOnlyAdmin
from personas.admin.columns import LABELS, format_moment, shorten
from personas.admin.filters import BOND_FILTERS, ChoiceFilter, DateRangeFilter
from personas.admin.panels import ROWS_MOST, Panel, TablePanel


@dataclass(frozen=True)
class DeletionPreview:
    row: Any
    text: str
    tables: Sequence[TablePanel] = field(default_factory=list)


class TrashableAdmin(ReadOnlyAdmin):
    """A section in which those who may delete restore or erase acts of forgetting."""

    actions: Any = ("restore", "erase")

    def filter_trashed(self, queryset: QuerySet[Any]) -> QuerySet[Any]:
        return queryset

    def find_act(self, row: Any) -> Any:
        return row

    def restore_row(self, row: Any) -> None:
        trash.restore(act=self.find_act(row), now=timezone.now())

    def collect_erased_text(self, row: Any) -> str:
        return "\n".join(str(text) for _, text in list_hidden_rows(self.find_act(row)))

    def has_forget_permission(self, request: HttpRequest, object_id: str | None = None) -> bool:
        return self.may_delete(request)

    @admin.action(description=_("Restore from the trash"), permissions=["forget"])
    def restore(self, request: HttpRequest, queryset: QuerySet[Any]) -> None:
        acts = [partial(self.restore_row, row) for row in self.filter_trashed(queryset)]
        self.run_acts(request, acts, _("%(count)s restored."))

    @admin.action(description=_("Erase…"), permissions=["forget"])
    def erase(self, request: HttpRequest, queryset: QuerySet[Any]) -> HttpResponse | None:
        chosen = list(self.filter_trashed(queryset))
        if "confirmed" not in request.POST:
            going = [DeletionPreview(row, self.collect_erased_text(row)) for row in chosen]
            title = _("Erase this for good? It cannot be restored.")
            return self.render_preview(request, going, action="erase", title=title)
        self.run_acts(request, [partial(self.erase_row, row) for row in chosen], _("%(count)s erased."))
        return None

    def erase_row(self, row: Any) -> None:
        purging.erase(act=self.find_act(row))

    def render_preview(
        self,
        request: HttpRequest,
        going: Sequence[DeletionPreview],
        *,
        action: str,
        title: Any,
        form: Form | None = None,
    ) -> HttpResponse:
        """Render the preview; its form calls the action again with `confirmed`."""
        self.log_access(request, [one.row for one in going])
        return self.render_page(
            request,
            "admin/forget.html",
            title=title,
            going=going,
            form=form,
            action=action,
            checkbox=helpers.ACTION_CHECKBOX_NAME,
            list_url=reverse(f"admin:{self.opts.app_label}_{self.opts.model_name}_changelist"),
            # The rows are in the trash, where the answer has to find them.
            query="?trash=only" if action == "erase" else "",
        )

    def run_acts(self, request: HttpRequest, acts: Sequence[Callable[[], Any]], told: Any) -> None:
        self.tell_count(request, self.count_done(request, acts), told)

    def count_done(self, request: HttpRequest, acts: Sequence[Callable[[], Any]]) -> int:
        """Run one act after another; one that fails shows its reason and does not stop the others. Returns how many were done."""
        count = 0
        for act in acts:
            try:
                act()
                count += 1
            except CodedError as error:
                self.message_user(request, error.translate(), level=messages.WARNING)
        return count

    def tell_count(self, request: HttpRequest, count: int, told: Any) -> None:
        if count:
            self.message_user(request, told % {"count": count})


@admin.register(Forgotten)
class ForgottenAdmin(TrashableAdmin):
    """The trash: acts of forgetting that can be undone."""

    list_display = ("what", "who", "forgotten", "purged")
    list_filter = (("kind", ChoiceFilter), *BOND_FILTERS, ("created_at", DateRangeFilter))
    fields = ("what", "who", "forgotten", "purged")

    @display(description=_("what was forgotten"))
    def what(self, row: Forgotten) -> str:
        return f"{row.get_kind_display()} {row.object_id}"

    @display(description=LABELS["deleted_at"])
    def forgotten(self, row: Forgotten) -> str:
        return format_moment(row.created_at)

    @display(description=_("to be erased"))
    def purged(self, row: Forgotten) -> str:
        return format_moment(row.purged_at)

    def build_panels(self, request: HttpRequest, row: Forgotten) -> list[Panel]:
        return [TablePanel(_("Forgotten with it"), [_("type"), _("text")], list_hidden_rows(row), _("Nothing."))]


def list_hidden_rows(act: Forgotten) -> list[list[Any]]:
    nodes = ConceptNode.objects.filter(bond=act.bond, pk__in=act.taken.get("nodes", [])).without_heavy_columns("terms")
    lines = Message.objects.filter(bond=act.bond, pk__in=act.taken.get("lines", []), session__off_record=False)
    entities = Entity.objects.filter(bond=act.bond, pk__in=act.taken.get("entities", [])).defer("embedding")
    sessions = Session.objects.filter(bond=act.bond, pk__in=act.taken.get("sessions", []))
    return [
        *([Forgotten.Kind.SESSION.label, shorten(one.summary or one.title)] for one in sessions[:ROWS_MOST]),
        *([one.get_type_display(), one.description] for one in nodes.order_by("id")[:ROWS_MOST]),
        *([Forgotten.Kind.ENTITY.label, one.canonical_name] for one in entities.order_by("id")[:ROWS_MOST]),
        *([one.get_role_display(), one.content] for one in lines.order_by("id").only("role", "content")[:ROWS_MOST]),
    ]
