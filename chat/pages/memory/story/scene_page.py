"""The page of a scene: its recap with the messages it rests on, its versions, and what a person may change."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _

from chat.pages.memory.story.step_items import describe_made_by
from chat.pages.memory.story.story_page import find_scene
from chat.pages.requests import check_costly_rate, get_int_param, own_bond_page, parse_id, report_refusal
from memory.models import Message, Scene, SceneRecap
from memory.story import lines
from memory.story.recaps import editing, versions
from memory.story.recaps.editing import RecapRefused
from memory.story.scenes import breaks, listing, titles
from memory.storytelling.work import user_requests
from personas.models import Bond


@dataclass(frozen=True)
class SentenceItem:
    """A sentence of a recap, with the messages it rests on."""

    text: str
    label: str
    sources: Sequence[Message]


@own_bond_page("GET")
def scene_page(request: HttpRequest, bond: Bond, scene_id: int) -> HttpResponse:
    scene = find_scene(bond, scene_id)
    listed = next((one for one in listing.list_scenes(bond=bond) if one.scene == scene), None)
    if listed is None:
        raise Http404
    recaps = list(SceneRecap.objects.for_bond(bond).filter(scene=scene).order_by("-n"))
    asked = get_int_param(request, "recap")
    shown = next((one for one in recaps if one.n == asked), scene.recap)
    context = {
        "bond": bond,
        "layer": "story",
        "scene": scene,
        "listed": listed,
        "shown": shown,
        "made_by": describe_made_by(shown.made_by) if shown else "",
        "parts": list_parts(shown, lines.load_scene(scene)),
        "recaps": [(one, describe_made_by(one.made_by)) for one in recaps],
        "outcomes": join_texts(shown, "outcomes"),
        "open": join_texts(shown, "open"),
        "ends": breaks.list_ends(scene),
    }
    return render(request, "chat/memories/story/scene.html", context)


def list_parts(recap: SceneRecap | None, told: Sequence[Message]) -> list[tuple[str, list[SentenceItem]]]:
    """Group the sentences of a recap; messages that are no longer told are not among the sources."""
    if recap is None:
        return []
    by_id = {line.pk: line for line in told}
    content = recap.content

    def show(rows: Sequence[dict[str, Any]]) -> list[SentenceItem]:
        return [
            SentenceItem(
                row["text"],
                row.get("label", ""),
                [by_id[pk] for pk in row.get("lines", [row.get("line")]) if pk in by_id],
            )
            for row in rows
        ]

    parts = [
        (_("What happened"), show(content.get("outcomes", []))),
        (_("Still open"), show(content.get("open", []))),
        (_("How things stand"), show(content.get("state", []))),
        (_("Word for word"), show(content.get("quotes", []))),
    ]
    return [(heading, shown) for heading, shown in parts if shown]


def join_texts(recap: SceneRecap | None, part: str) -> str:
    return "\n".join(row["text"] for row in recap.content.get(part, [])) if recap else ""


@own_bond_page("POST")
def act_on_scene(request: HttpRequest, bond: Bond, scene_id: int) -> HttpResponse:
    """Rename a scene, tell it anew, choose a version of its recap, move or remove its end, by the button that was pressed."""
    scene = find_scene(bond, scene_id)
    wanted = request.POST.get("act", "")
    now = timezone.now()
    with report_refusal(request):
        if wanted == "title":
            titles.set_title(scene=scene, title=request.POST.get("title", ""), now=now)
            messages.success(request, _("Saved."))
        elif wanted == "tell":
            error = check_costly_rate(request)
            if error:
                messages.error(request, error)
            else:
                user_requests.tell_scene(scene=scene, now=now)
                messages.success(request, _("The scene is recapped again when the chat is quiet."))
        elif wanted == "choose":
            choose(scene, request.POST.get("n", ""))
            user_requests.go_on(bond, now=now)
            messages.success(request, _("Saved."))
        elif wanted == "move":
            breaks.move_break(scene=scene, last_message_id=parse_id(request.POST.get("last_message", "")) or 0, now=now)
            user_requests.go_on(bond, now=now)
            messages.success(request, _("Saved."))
        elif wanted == "remove":
            breaks.remove_break(scene=scene, now=now)
            user_requests.go_on(bond, now=now)
            messages.success(request, _("The scene continues in the next one."))
            return redirect("story", bond.pk)
    return redirect("scene", bond.pk, scene.pk)


def choose(scene: Scene, number: str) -> None:
    recap = get_object_or_404(SceneRecap.objects.filter(scene=scene).select_related("scene__bond"), n=parse_id(number))
    versions.choose_recap(recap=recap, now=timezone.now())


@own_bond_page("POST")
def edit_recap(request: HttpRequest, bond: Bond, scene_id: int) -> HttpResponse:
    """Write a recap as a person wants it: a line each."""
    scene, now = find_scene(bond, scene_id), timezone.now()
    outcomes, still_open = (read_lines(request.POST.get(name, "")) for name in ("outcomes", "open"))
    with report_refusal(request):
        try:
            editing.edit_lines(scene=scene, outcomes=outcomes, still_open=still_open, now=now)
        except RecapRefused:
            messages.error(
                request,
                _(
                    "A recap has one to six lines of what happened, up to four that are open, each of 200 characters at most."
                ),
            )
        else:
            user_requests.go_on(bond, now=now)
            messages.success(request, _("Saved."))
    return redirect("scene", bond.pk, scene.pk)


def read_lines(written: str) -> list[str]:
    return [line.strip() for line in written.splitlines() if line.strip()]
