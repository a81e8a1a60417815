"""The page of all changes of facts, and their undo."""

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _

from chat.pages.memory import status_lines
from chat.pages.requests import get_int_param, own_bond_page, report_refusal
from memory.facts.shared import presses, telling
from memory.models import FactWrite, Session
from personas.models import Bond

PAGE_SIZE = 30


@own_bond_page("GET")
def change_list(request: HttpRequest, bond: Bond) -> HttpResponse:
    """List all changes of facts, or with `?learned=` those that the close of one session made."""
    writes = FactWrite.objects.for_bond(bond).order_by("-id")
    learned = get_int_param(request, "learned") or 0
    session = Session.objects.for_bond(bond).not_deleted().filter(pk=learned).first()
    if session is not None:
        writes = writes.filter(session=session, by=FactWrite.By.CLOSE)
    page = Paginator(writes, PAGE_SIZE).get_page(request.GET.get("page"))
    context = {
        "bond": bond,
        "layer": "changes",
        "page": page,
        "session": session,
        "asked": f"learned={session.pk}" if session else "",
        "lines": status_lines.load_lines(bond, page),
    }
    return render(request, "chat/memories/changes.html", context)


@own_bond_page("POST")
def undo_write(request: HttpRequest, bond: Bond, write_id: int) -> HttpResponse:
    writes = FactWrite.objects.for_bond(bond).select_related("bond__user", "bond__persona")
    write = get_object_or_404(writes, pk=write_id)
    with report_refusal(request):
        _own, *elsewhere = presses.undo(write=write, now=timezone.now())
        messages.success(request, _("Undone, with all companions.") if elsewhere else _("Undone."))
    return redirect("fact_changes", bond.pk)


@own_bond_page("POST")
def tell_others(request: HttpRequest, bond: Bond, write_id: int) -> HttpResponse:
    """Do with a fact's copies what was done with it in the chat."""
    writes = FactWrite.objects.for_bond(bond).select_related("bond__user", "bond__persona", "node")
    write = get_object_or_404(writes, pk=write_id)
    with report_refusal(request):
        telling.tell(write=write, now=timezone.now())
        messages.success(request, _("Your other companions know it now."))
    return redirect("fact_changes", bond.pk)
