"""Forget in the admin: a page shows what goes and asks how, then the act runs."""

from collections.abc import Callable, Iterable
from functools import partial
from typing import Any

from django import forms
from django.contrib import admin
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from unfold.decorators import action

from memory.admin.trash import DeletionPreview, TrashableAdmin
from memory.forgetting import removal, trash
from memory.models import ConceptNode
from memory.story import withdrawal
from personas.admin.columns import link_to_row, shorten
from personas.admin.panels import TablePanel

DEPENDENTS = (
    (removal.ORPHAN, _("It stays, and notes that some of its evidence is gone.")),
    (removal.CASCADE, _("What is based on nothing else is forgotten too, at any depth.")),
)
LINES = (
    (removal.KEEP, _("They stay in the chat.")),
    (removal.FORGET, _("They are deleted too, with the replies to them.")),
)
DEFAULT = {"dependents": removal.ORPHAN, "lines": removal.KEEP}


class ForgettingForm(forms.Form):
    dependents = forms.ChoiceField(label=_("Based on this"), choices=DEPENDENTS, widget=forms.RadioSelect)
    lines = forms.ChoiceField(label=_("Messages it came from"), choices=LINES, widget=forms.RadioSelect)


class ForgettableAdmin(TrashableAdmin):
    """A section whose rows can be forgotten; each defines what goes with a row, and the function that forgets it."""

    build_preview: Callable[..., DeletionPreview]
    forget_row: Callable[..., None]
    # Whether the page asks about citing memories and source messages.
    asks_how = False
    actions: Any = ("forget", *TrashableAdmin.actions)
    actions_detail: Any = ("forget_this",)

    def filter_trashed(self, queryset: QuerySet[Any]) -> QuerySet[Any]:
        return queryset.filter(deleted_at__isnull=False)

    def find_act(self, row: Any) -> Any:
        return trash.find(bond=row.bond, kind=self.opts.model_name, object_id=row.pk)

    def collect_erased_text(self, row: Any) -> str:
        return self.build_preview(row).text

    @admin.action(description=_("Forget…"), permissions=["forget"])
    def forget(self, request: HttpRequest, queryset: Any) -> HttpResponse | None:
        # The bonds are locked in the order of their ids.
        chosen = list(queryset.not_deleted().order_by("bond", "id"))
        form = ForgettingForm(request.POST)
        if "confirmed" not in request.POST or (self.asks_how and not form.is_valid()):
            return self.ask_how(request, chosen)
        how = form.cleaned_data if self.asks_how else {}
        acts = [partial(self.forget_row, row, **how, now=timezone.now()) for row in chosen]
        count = 0
        for some in withdrawal.divide(acts):
            with withdrawal.withdraw_together(now=timezone.now()):
                count += self.count_done(request, some)
        self.tell_count(request, count, _("%(count)s forgotten. They stay in the trash for 30 days."))
        return None

    @action(description=_("Forget…"), permissions=["forget"], url_path="forget")
    def forget_this(self, request: HttpRequest, object_id: str) -> HttpResponse:
        row = self.get_object(request, object_id)
        if row is None or row.deleted_at is not None:
            raise Http404
        return self.ask_how(request, [row])

    def ask_how(self, request: HttpRequest, rows: Iterable[Any]) -> HttpResponse:
        form = ForgettingForm(initial=DEFAULT) if self.asks_how else None
        going = [self.build_preview(row) for row in rows]
        return self.render_preview(request, going, action="forget", title=_("Forget this?"), form=form)


def build_sourceless_table(nodes: QuerySet[ConceptNode]) -> TablePanel:
    """Build the table of memories that rest on messages which go."""
    rows = [
        [node.get_type_display(), link_to_row(node, shorten(node.description))]
        for node in nodes.defer("embedding", "terms")
    ]
    return TablePanel(_("Memories from these messages that stay"), [_("type"), _("text")], rows, _("None."))
