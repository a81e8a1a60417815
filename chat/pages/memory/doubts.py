"""The page of what is not certain: both sides of each doubt, and what it can come to."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_GET, require_POST

from chat.pages.display.errors import translate_error
from chat.pages.requests import get_own_bond, private_page
from memory.doubts import settling, sides
from memory.facts import by_hand, undoing
from memory.facts.drafts import FactError
from memory.models import Doubt, FactWrite

SHOWN_MOST = 50
OUTCOMES: dict[str, Promise] = {
    Doubt.Outcome.THIS: gettext_lazy("The first holds"),
    Doubt.Outcome.THAT: gettext_lazy("The second holds"),
    Doubt.Outcome.BOTH: gettext_lazy("Both hold"),
    Doubt.Outcome.NEITHER: gettext_lazy("Neither holds"),
}


@private_page
@require_GET
def doubts(request: HttpRequest, bond_id: int) -> HttpResponse:
    """Show open doubts, the most severe first, then what was let go and what was settled lately."""
    bond = get_own_bond(request, bond_id)
    found = sides.filter_about_memories(bond)
    shown = [
        *found.open().order_by("-severity", "opened_at", "id"),
        *found.exclude(state=Doubt.State.OPEN).order_by("-id")[:SHOWN_MOST],
    ]
    settled = FactWrite.objects.for_bond(bond).not_undone().filter(op=FactWrite.Op.SETTLED).order_by("id")
    writes = {write.before["doubt"]: write for write in settled}
    now = timezone.now()
    rows = [
        {
            "doubt": doubt,
            "outcomes": [(name, OUTCOMES[name]) for name in settling.list_outcomes(doubt) if name in OUTCOMES],
            "outcome": OUTCOMES.get(doubt.outcome, ""),
            "write": next((one for one in [writes.get(doubt.pk)] if one and undoing.is_undoable(one, now=now)), None),
        }
        for doubt in sides.load_sides(shown)
    ]
    return render(request, "chat/memories/doubts.html", {"bond": bond, "layer": "doubts", "rows": rows})


@private_page
@require_POST
def settle_doubt(request: HttpRequest, bond_id: int, doubt_id: int) -> HttpResponse:
    """Settle, let be or open again, by the button that was pressed; `undo` opens what was settled."""
    bond = get_own_bond(request, bond_id)
    doubt = get_object_or_404(sides.filter_about_memories(bond).select_related("bond"), pk=doubt_id)
    try:
        messages.success(request, act(doubt, request.POST.get("outcome", "")))
    except FactError as error:
        messages.error(request, translate_error(error))
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
    if wanted == "reopen":
        settling.reopen(doubt=doubt, now=now)
        return _("You may be asked about it again.")
    if wanted == "undo":
        settled = FactWrite.objects.for_bond(doubt.bond).not_undone().filter(op=FactWrite.Op.SETTLED)
        write = settled.filter(before__doubt=doubt.pk).select_related("bond", "node").order_by("id").last()
        if write is not None:
            undoing.undo(write=write, now=now)
        return _("Undone.")
    settling.settle(doubt=doubt, outcome=wanted, writer=by_hand.build_writer(now))
    return _("Settled.")
