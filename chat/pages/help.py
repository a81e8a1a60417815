"""How memory works; and the tour of the conversation."""

from django.http import HttpRequest, HttpResponse, HttpResponseBadRequest
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_safe

from chat.pages import tour
from chat.pages.companions.home import annotate_last_message
from chat.pages.display.layer_descriptions import LAYERS
from chat.pages.requests import get_int_param, get_user, own_bond_page, private_page
from personas.models import Bond


@require_safe
def how_memory_works(request: HttpRequest) -> HttpResponse:
    if not request.user.is_authenticated:
        return render(request, "chat/help/how_memory_works.html", {"layers": [(layer, []) for layer in LAYERS]})
    return how_own_memory_works(request)


@private_page()
def how_own_memory_works(request: HttpRequest) -> HttpResponse:
    """The same page with links to the reader's own memory: of the companion asked for, or the latest one."""
    bonds = list(annotate_last_message(Bond.objects.for_user(get_user(request))))
    asked = get_int_param(request, "bond")
    bond = next((one for one in bonds if one.pk == asked), bonds[0] if bonds else None)
    layers = [(layer, layer.list_links(bond) if bond else []) for layer in LAYERS]
    return render(request, "chat/help/how_memory_works.html", {"layers": layers, "bonds": bonds, "bond": bond})


@own_bond_page("POST")
def tour_step(request: HttpRequest, bond: Bond) -> HttpResponse:
    """Remember the reader's step of the tour; 0 ends it."""
    asked = request.POST.get("step", "")
    if asked not in map(str, range(tour.STEPS + 1)):
        return HttpResponseBadRequest()
    tour.go_to(int(asked), bond=bond, session=request.session, now=timezone.now())
    return HttpResponse(status=204)


@own_bond_page("POST")
def restart_tour(request: HttpRequest, bond: Bond) -> HttpResponse:
    tour.go_to(1, bond=bond, session=request.session, now=timezone.now())
    return redirect("bond", bond.pk)
