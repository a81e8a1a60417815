"""The page of what is known in a companion's world: entries that are told where one of their keys occurs."""

from typing import Any
from urllib.parse import urlencode

from django import forms
from django.contrib import messages
from django.core.paginator import Paginator
from django.db.models import Q
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from chat.pages.requests import get_int_param, own_bond_page, report_in_form
from echovessel.text import strip_unstorable
from personas.authored import lore_entries
from personas.models import Bond, LoreEntry
from personas.models.lore import KEY_CHARACTERS, KEYS_MOST, LORE_CHARACTERS
from personas.rest.views import get_own_persona

PAGE_SIZE = 20


class KeysField(forms.CharField):
    """Keys, one on each line."""

    def __init__(self, label: Any, hint: Any) -> None:
        super().__init__(
            label=label, help_text=hint, required=False, widget=forms.Textarea(attrs={"rows": 2, "dir": "auto"})
        )

    def clean(self, value: Any) -> list[str]:
        keys = [line.strip() for line in super().clean(value).splitlines() if line.strip()]
        if len(keys) > KEYS_MOST or any(len(key) > KEY_CHARACTERS for key in keys):
            said = _("At most %(most)s keys of %(characters)s characters are allowed, one on each line.")
            raise forms.ValidationError(said % {"most": KEYS_MOST, "characters": KEY_CHARACTERS})
        return keys


class LoreForm(forms.Form):
    keys = KeysField(
        gettext_lazy("Keys"), gettext_lazy("Words that bring it up when one of you says them. One on each line.")
    )
    content = forms.CharField(
        label=gettext_lazy("What is known"),
        max_length=LORE_CHARACTERS,
        widget=forms.Textarea(attrs={"rows": 4, "class": "reading", "dir": "auto"}),
    )
    secondary_keys = KeysField(
        gettext_lazy("Second keys"), gettext_lazy("If there are any, one of these must be said too.")
    )
    priority = forms.IntegerField(
        label=gettext_lazy("Priority"),
        help_text=gettext_lazy("Where not everything fits, the higher number is told."),
        required=False,
        min_value=-(2**31) + 1,
        max_value=2**31 - 1,
    )
    enabled = forms.BooleanField(label=gettext_lazy("In use"), required=False, initial=True)
    constant = forms.BooleanField(label=gettext_lazy("Always told, without a key"), required=False)
    case_sensitive = forms.BooleanField(label=gettext_lazy("Capital letters matter"), required=False)

    @classmethod
    def of_entry(cls, entry: LoreEntry) -> "LoreForm":
        named = ("content", "priority", "enabled", "constant", "case_sensitive")
        initial = {name: getattr(entry, name) for name in named}
        initial |= {name: "\n".join(getattr(entry, name)) for name in ("keys", "secondary_keys")}
        return cls(initial=initial, prefix=f"entry-{entry.pk}")

    def get_fields(self, entry: LoreEntry | None = None) -> dict[str, Any]:
        """Return the fields of the entry. What a page does not tell apart stays as it was."""
        given = dict(self.cleaned_data)
        given["content"] = given["content"].replace("\r\n", "\n")
        given["selective"] = bool(given["secondary_keys"])
        if not given["case_sensitive"] and (entry is None or not entry.case_sensitive):
            given["case_sensitive"] = entry.case_sensitive if entry else None
        if entry is not None and not given["secondary_keys"] and not entry.secondary_keys:
            given["selective"] = entry.selective
        return given


@own_bond_page("GET")
def lore_page(request: HttpRequest, bond: Bond) -> HttpResponse:
    return render_lore(request, bond)


def render_lore(request: HttpRequest, bond: Bond, *, wrong: LoreForm | None = None, entry_id: int = 0) -> HttpResponse:
    """Render the page; `wrong` is a form that was refused, of this entry or of a new one."""
    persona = get_own_persona(request, bond.persona_id)
    query = strip_unstorable(request.GET.get("q", "")).strip()
    found = persona.lore.order_by("place", "id")
    if query:
        found = found.filter(Q(content__icontains=query) | Q(keys__icontains=query))
    page = Paginator(found, PAGE_SIZE).get_page(get_int_param(request, "page") or 1)
    entries = [(entry, wrong if wrong and entry.pk == entry_id else LoreForm.of_entry(entry)) for entry in page]
    context = {
        "bond": bond,
        "page": page,
        "entries": entries,
        "query": query,
        "asked": urlencode({"q": query}) if query else "",
        "new": wrong if wrong and not entry_id else LoreForm(prefix="new"),
        "wrong_id": entry_id,
        "is_adding": wrong is not None and not entry_id,
    }
    return render(request, "chat/companions/lore.html", context, status=422 if wrong else 200)


@own_bond_page("POST")
def add_lore(request: HttpRequest, bond: Bond) -> HttpResponse:
    persona = get_own_persona(request, bond.persona_id)
    form = LoreForm(request.POST, prefix="new")
    if form.is_valid():
        with report_in_form(form):
            lore_entries.add(persona=persona, fields=form.get_fields())
            messages.success(request, _("Saved."))
            return redirect("lore", bond.pk)
    return render_lore(request, bond, wrong=form)


@own_bond_page("POST")
def save_lore(request: HttpRequest, bond: Bond, entry_id: int) -> HttpResponse:
    entry = get_object_or_404(get_own_persona(request, bond.persona_id).lore, pk=entry_id)
    form = LoreForm(request.POST, prefix=f"entry-{entry.pk}")
    if not form.is_valid():
        return render_lore(request, bond, wrong=form, entry_id=entry.pk)
    lore_entries.change(entry=entry, fields=form.get_fields(entry))
    messages.success(request, _("Saved."))
    return redirect("lore", bond.pk)


@own_bond_page("POST")
def delete_lore(request: HttpRequest, bond: Bond, entry_id: int) -> HttpResponse:
    get_object_or_404(get_own_persona(request, bond.persona_id).lore, pk=entry_id).delete()
    messages.success(request, _("Lore entry deleted."))
    return redirect("lore", bond.pk)
