"""The page of what is not certain: both sides of each doubt, and what it can come to."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _

from chat.pages.memory.doubt_items import DoubtItem
from chat.pages.requests import own_bond_page, report_refusal
from memory.doubts import reopening, settling, sides
from memory.models import Doubt
from personas.models import Bond

SHOWN_MOST = 50
State = Doubt.State


@own_bond_page("GET")
def doubts(request: HttpRequest, bond: Bond) -> HttpResponse:
    """Show open doubts, the most severe first, then what was let go, and what was settled, the latest first."""
    found = sides.filter_shown(bond)
    shown = [
        *found.open().order_by("-severity", "opened_at", "id"),
        *found.exclude(state=State.OPEN).order_by("-settled_at", "-id")[:SHOWN_MOST],
    ]
    settlements = reopening.find_settlements(shown, now=timezone.now())
    items = [DoubtItem(row=row, can_undo=row.pk in settlements) for row in sides.load_sides(shown)]
    groups = [
        ("", [item for item in items if item.row.state == State.OPEN]),
        (_("You are not asked about these"), [item for item in items if item.row.state == State.LET_GO]),
        (_("Settled"), [item for item in items if item.row.state == State.SETTLED]),
    ]
    filled = [(heading, items) for heading, items in groups if items]
    return render(request, "chat/memories/doubts.html", {"bond": bond, "layer": "doubts", "groups": filled})


@own_bond_page("POST")
def settle_doubt(request: HttpRequest, bond: Bond, doubt_id: int) -> HttpResponse:
    """Settle, let be or open again, by the button that was pressed; `undo` opens what was settled."""
    doubt = get_object_or_404(sides.filter_shown(bond).select_related("bond"), pk=doubt_id)
    with report_refusal(request):
        messages.success(request, act(doubt, request.POST.get("outcome", "")))
    if "on_memory" in request.POST and doubt.a_node_id is not None:
        return redirect("memory", bond.pk, doubt.a_node_id)
    return redirect("doubts", bond.pk)


def act(doubt: Doubt, wanted: str) -> str:
    """Do what a button says; return what to tell the reader. Raises FactError."""
    now = timezone.now()
    if wanted == "let_be":
        settling.let_be(doubt=doubt)
        return _("You will not be asked about it.")
    if wanted == "later":
        settling.ask_later(doubt=doubt)
        return _("You will be asked in a later chat.")
    if wanted in ("reopen", "undo"):
        reopening.reopen(doubt=doubt, now=now)
        return _("Undone.") if wanted == "undo" else _("You may be asked about it again.")
    settling.settle_by_press(doubt=doubt, outcome=wanted, now=now)
    return DoubtItem(row=doubt, can_undo=True).result
