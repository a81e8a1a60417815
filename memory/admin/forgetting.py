"""Forgetting in the admin: a page that shows what goes and asks how, then the act; bringing back, and erasing for good."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from django import forms
from django.contrib import admin, messages
from django.contrib.admin import helpers
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from unfold.decorators import action

from echovessel.errors import CodedError
from memory import forgetting, purging, trash
from memory.models import ConceptNode
from personas.admin.base import Shown
from personas.admin.columns import excerpt, link, word
from personas.admin.panels import Table

DEPENDENTS = (
    (forgetting.ORPHAN, _("It stays, and says that a piece of its evidence is gone.")),
    (forgetting.CASCADE, _("What rests on nothing else goes too, at any depth.")),
)
LINES = (
    (forgetting.KEEP, _("They stay in the conversation.")),
    (forgetting.FORGET, _("They go too, with the replies to them.")),
)
DEFAULT = {"dependents": forgetting.ORPHAN, "lines": forgetting.KEEP}


class HowForm(forms.Form):
    dependents = forms.ChoiceField(label=_("What rests on it"), choices=DEPENDENTS, widget=forms.RadioSelect)
    lines = forms.ChoiceField(label=_("The lines it comes from"), choices=LINES, widget=forms.RadioSelect)


@dataclass(frozen=True)
class Going:
    """A row that is to go, with what hangs on it."""

    row: Any
    text: str
    tables: Sequence[Table] = field(default_factory=list)


class Forgettable(Shown):
    """A section whose rows can be forgotten, by those who may delete there."""

    # Whether it is asked what becomes of what rests on a row, and of its lines.
    asks_how = False
    actions: Any = ("forget", "restore", "erase")
    actions_detail: Any = ("forget_this",)

    def going(self, row: Any) -> Going:
        raise NotImplementedError

    def forgetting(self, row: Any, **how: Any) -> Any:
        """Forget a row by the function of `memory.forgetting` that is for it."""
        raise NotImplementedError

    def bring_back(self, row: Any) -> None:
        trash.restore(act=self.act_of(row), now=timezone.now())

    def trashed(self, queryset: QuerySet[Any]) -> QuerySet[Any]:
        return queryset.filter(deleted_at__isnull=False)

    def act_of(self, row: Any) -> Any:
        return trash.find(bond=row.bond, kind=self.opts.model_name, object_id=row.pk)

    def has_forget_permission(self, request: HttpRequest, object_id: str | None = None) -> bool:
        return self.may_delete(request)

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

    @admin.action(description=_("Bring back from the trash"), permissions=["forget"])
    def restore(self, request: HttpRequest, queryset: QuerySet[Any]) -> None:
        acts = [partial(self.bring_back, row) for row in self.trashed(queryset)]
        self.do(request, acts, _("%(count)s brought back."))

    @admin.action(description=_("Erase for good…"), permissions=["forget"])
    def erase(self, request: HttpRequest, queryset: QuerySet[Any]) -> HttpResponse | None:
        chosen = list(self.trashed(queryset))
        if "confirmed" not in request.POST:
            going = [Going(row, self.going(row).text) for row in chosen]
            title = _("Erase this for good? It cannot be brought back.")
            return self.page(request, going, action="erase", title=title)
        self.do(request, [partial(self.erase_one, row) for row in chosen], _("%(count)s erased."))
        return None

    def erase_one(self, row: Any) -> None:
        purging.erase(act=self.act_of(row))

    def page(
        self, request: HttpRequest, going: Sequence[Going], *, action: str, title: Any, form: HowForm | None = None
    ) -> HttpResponse:
        """The answer comes back to the action, with `confirmed`."""
        context = {
            **self.admin_site.each_context(request),
            "opts": self.opts,
            "title": title,
            "going": going,
            "form": form,
            "action": action,
            "checkbox": helpers.ACTION_CHECKBOX_NAME,
            "list_url": reverse(f"admin:{self.opts.app_label}_{self.opts.model_name}_changelist"),
            # What is to be erased is in the trash, where the answer has to find it.
            "query": "?trash=only" if action == "erase" else "",
        }
        self.note(request, [one.row for one in going])
        return TemplateResponse(request, "admin/forget.html", context)

    def do(self, request: HttpRequest, acts: Sequence[Callable[[], Any]], told: Any) -> None:
        """One act after another; one that cannot be done now says why and leaves the others alone."""
        count = 0
        for act in acts:
            try:
                act()
                count += 1
            except CodedError as error:
                self.message_user(request, error.detail, level=messages.WARNING)
        if count:
            self.message_user(request, told % {"count": count})


def left_without_lines(nodes: QuerySet[ConceptNode]) -> Table:
    """Memories that rest on lines which go."""
    rows = [[word(node.type), link(node, excerpt(node.description))] for node in nodes.defer("embedding", "terms")]
    return Table(_("Memories that come from these lines, and stay"), [_("type"), _("text")], rows, _("None."))
