"""The page of kept messages: each with its note, its day, and the way to its place."""

from django import forms
from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _

from chat.pages.requests import own_bond_page
from memory.messages import kept
from memory.models import Message
from memory.story import keeping
from personas.models import Bond

PAGE_SIZE = 30


class NoteForm(forms.Form):
    note = forms.CharField(max_length=Message.kept_note.field.max_length, required=False)


@own_bond_page("GET")
def kept_list(request: HttpRequest, bond: Bond) -> HttpResponse:
    """Show what the reader keeps, the last one first."""
    found = kept.filter_kept(bond).without_heavy_columns().order_by("-kept_at", "-id")
    page = Paginator(found, PAGE_SIZE).get_page(request.GET.get("page"))
    return render(request, "chat/memories/kept.html", {"bond": bond, "layer": "kept", "page": page})


@own_bond_page("POST")
def save_note(request: HttpRequest, bond: Bond, message_id: int) -> HttpResponse:
    message = get_object_or_404(kept.filter_kept(bond).without_heavy_columns(), pk=message_id)
    form = NoteForm(request.POST)
    if form.is_valid():
        keeping.keep(message=message, note=form.cleaned_data["note"], now=timezone.now())
        messages.success(request, _("Saved."))
    else:
        messages.error(request, str(form.errors["note"][0]))
    return redirect("kept", bond.pk)


@own_bond_page("POST")
def let_go(request: HttpRequest, bond: Bond, message_id: int) -> HttpResponse:
    message = get_object_or_404(kept.filter_kept(bond).without_heavy_columns(), pk=message_id)
    keeping.let_go(message=message, now=timezone.now())
    messages.success(request, _("No longer kept."))
    return redirect("kept", bond.pk)
