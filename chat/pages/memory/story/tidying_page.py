"""The page of the work on a story: what waits, runs and failed; try again, cancel, pause."""

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _

from chat.pages.memory.story.step_items import describe_step
from chat.pages.requests import own_bond_page
from memory.models import Scene, Session, StoryStep
from memory.storytelling.work import tidying, user_requests
from personas.models import Bond

ENDED_MOST = 20
PAGE_SIZE = 30
State = StoryStep.State


@own_bond_page("GET")
def tidying_page(request: HttpRequest, bond: Bond) -> HttpResponse:
    found = tidying.load(bond=bond, now=timezone.now())
    titles = dict(Scene.objects.for_bond(bond).values_list("pk", "title"))
    page = Paginator(found.waiting, PAGE_SIZE).get_page(request.GET.get("page"))
    ended = StoryStep.objects.for_bond(bond).filter(state__in=[State.DONE, State.CANCELLED]).exclude(error="superseded")
    context = {
        "bond": bond,
        "layer": "story",
        "tidying": found,
        "remembering": list(Session.objects.for_bond(bond).being_remembered().order_by("id")),
        "hold": tidying.Hold(found.hold).label if found.hold else "",
        "page": page,
        "waiting": [describe_step(row, titles) for row in page],
        "running": [describe_step(row, titles) for row in found.running],
        "failed": [describe_step(row, titles) for row in found.failed],
        "ended": [describe_step(row, titles) for row in ended.order_by("-id")[:ENDED_MOST]],
    }
    return render(request, "chat/memories/story/tidying.html", context)


@own_bond_page("POST")
def act_on_step(request: HttpRequest, bond: Bond, step_id: int) -> HttpResponse:
    """Try a step again, or cancel it."""
    step = get_object_or_404(StoryStep.objects.for_bond(bond).select_related("bond__user"), pk=step_id)
    act = {"retry": user_requests.retry, "cancel": user_requests.cancel}.get(request.POST.get("act", ""))
    if act is not None and act(step=step, now=timezone.now()):
        messages.success(request, _("It is tried again.") if act is user_requests.retry else _("Cancelled."))
    return redirect("tidying", bond.pk)


@own_bond_page("POST")
def act_on_all(request: HttpRequest, bond: Bond) -> HttpResponse:
    """Pause, go on, or try all again."""
    wanted = request.POST.get("act", "")
    now = timezone.now()
    if wanted in ("pause", "go_on"):
        user_requests.set_paused(bond=bond, paused=wanted == "pause", now=now)
    elif wanted == "retry":
        user_requests.retry_all(bond=bond, now=now)
    return redirect("tidying", bond.pk)
