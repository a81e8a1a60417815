"""Forgetting in the admin: a page that shows what goes and asks how, then the act."""

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

from memory.admin.trash import Going, Trashed
from memory.forgetting import removal, trash
from memory.models import ConceptNode
from personas.admin.columns import excerpt, link, word
from personas.admin.panels import Table

DEPENDENTS = (
    (removal.ORPHAN, _("It stays, and says that a piece of its evidence is gone.")),
    (removal.CASCADE, _("What rests on nothing else goes too, at any depth.")),
)
LINES = (
    (removal.KEEP, _("They stay in the conversation.")),
    (removal.FORGET, _("They go too, with the replies to them.")),
)
DEFAULT = {"dependents": removal.ORPHAN, "lines": removal.KEEP}


class HowForm(forms.Form):
    dependents = forms.ChoiceField(label=_("What rests on it"), choices=DEPENDENTS, widget=forms.RadioSelect)
    lines = forms.ChoiceField(label=_("The lines it comes from"), choices=LINES, widget=forms.RadioSelect)


class Forgettable(Trashed):
    """A section whose rows can be forgotten too: each says what goes with a row, and by which function it is forgotten."""

    going: Callable[..., Going]
    forgetting: Callable[..., None]
    # Whether it is asked what becomes of what rests on a row, and of its lines.
    asks_how = False
    actions: Any = ("forget", *Trashed.actions)
    actions_detail: Any = ("forget_this",)

    def trashed(self, queryset: QuerySet[Any]) -> QuerySet[Any]:
        return queryset.filter(deleted_at__isnull=False)

    def act_of(self, row: Any) -> Any:
        return trash.find(bond=row.bond, kind=self.opts.model_name, object_id=row.pk)

    def words_of(self, row: Any) -> str:
        return self.going(row).text

    @admin.action(description=_("Forget…"), permissions=["forget"])
    def forget(self, request: HttpRequest, queryset: QuerySet[Any]) -> HttpResponse | None:
        chosen = list(queryset.filter(deleted_at=None))
        form = HowForm(request.POST)
        if "confirmed" not in request.POST or (self.asks_how and not form.is_valid()):
            return self.ask(request, chosen)
        how = form.cleaned_data if self.asks_how else {}
        acts = [partial(self.forgetting, row, **how, now=timezone.now()) for row in chosen]
        self.do(request, acts, _("%(count)s forgotten. They stay in the trash for 30 days."))
        return None

    @action(description=_("Forget…"), permissions=["forget"], url_path="forget")
    def forget_this(self, request: HttpRequest, object_id: str) -> HttpResponse:
        row = self.get_object(request, object_id)
        if row is None or row.deleted_at is not None:
            raise Http404
        return self.ask(request, [row])

    def ask(self, request: HttpRequest, rows: Iterable[Any]) -> HttpResponse:
        form = HowForm(initial=DEFAULT) if self.asks_how else None
        going = [self.going(row) for row in rows]
        return self.page(request, going, action="forget", title=_("Forget this?"), form=form)


def left_without_lines(nodes: QuerySet[ConceptNode]) -> Table:
    """Memories that rest on lines which go."""
    rows = [[word(node.type), link(node, excerpt(node.description))] for node in nodes.defer("embedding", "terms")]
    return Table(_("Memories that come from these lines, and stay"), [_("type"), _("text")], rows, _("None."))
