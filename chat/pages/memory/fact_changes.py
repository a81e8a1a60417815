"""The page of all changes of facts, and their undo."""

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST

from chat.pages.memory import status_lines
from chat.pages.requests import get_own_bond, private_page, report_refusal
from memory.facts import telling, undoing
from memory.facts.drafts import FactError
from memory.models import FactWrite

PAGE_SIZE = 30


@private_page
@require_GET
def change_list(request: HttpRequest, bond_id: int) -> HttpResponse:
    bond = get_own_bond(request, bond_id)
    page = Paginator(FactWrite.objects.for_bond(bond).order_by("-id"), PAGE_SIZE).get_page(request.GET.get("page"))
    context = {"bond": bond, "layer": "changes", "page": page, "lines": status_lines.load_lines(bond, page)}
    return render(request, "chat/memories/changes.html", context)


@private_page
@require_POST
def undo_write(request: HttpRequest, bond_id: int, write_id: int) -> HttpResponse:
    bond = get_own_bond(request, bond_id)
    writes = FactWrite.objects.for_bond(bond).select_related("bond__user", "bond__persona")
    write = get_object_or_404(writes, pk=write_id)
    with report_refusal(request, FactError):
        undoing.undo(write=write, now=timezone.now())
        messages.success(request, _("Undone."))
    return redirect("fact_changes", bond.pk)


@private_page
@require_POST
def tell_others(request: HttpRequest, bond_id: int, write_id: int) -> HttpResponse:
    """Do with a fact's copies what was done with it in the chat."""
    bond = get_own_bond(request, bond_id)
    writes = FactWrite.objects.for_bond(bond).select_related("bond__user", "bond__persona", "node")
    write = get_object_or_404(writes, pk=write_id)
    with report_refusal(request, FactError):
        telling.tell(write=write, now=timezone.now())
        messages.success(request, _("Your other companions know it now."))
    return redirect("fact_changes", bond.pk)
