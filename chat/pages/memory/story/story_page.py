"""The tab Story: what a companion tells of all talks, each point with its scenes, the versions, and how it is made."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from django import forms
from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from chat.pages.display import labels
from chat.pages.memory.story.step_items import describe_made_by
from chat.pages.requests import check_costly_rate, get_int_param, own_bond_page, parse_id, report_refusal
from memory.facts import firm_tokens, history
from memory.models import Scene, Session, Story, StoryVersion
from memory.story import settings as story_settings
from memory.story.inclusion import included
from memory.story.scenes import closing, listing
from memory.story.scenes.listing import ListedScene
from memory.story.versions import comparison, points, writing
from memory.story.versions.points import Point
from memory.storytelling.work import estimating, tidying, user_requests
from personas.models import Bond

PAGE_SIZE = 30
HEADINGS = {
    points.HAPPENED: gettext_lazy("What happened"),
    points.OPEN: gettext_lazy("Still open"),
    points.STATE: gettext_lazy("How things stand"),
}


@dataclass(frozen=True)
class PointItem:
    point: Point
    scenes: Sequence[ListedScene]


def make_number_field(name: str, label: Any) -> forms.IntegerField:
    low, high = story_settings.BOUNDS[name]
    return forms.IntegerField(min_value=low, max_value=high, label=label)


class SettingsForm(forms.Form):
    enabled = forms.BooleanField(required=False, label=gettext_lazy("Tell a story of the chats"))
    keep_scenes = make_number_field("keep_scenes", gettext_lazy("Newest scenes that stay word for word (0: all)"))
    exclude_latest = make_number_field("exclude_latest", gettext_lazy("Newest scenes that are not told yet"))
    recap_limit = make_number_field("recap_limit", gettext_lazy("Room for recaps of messages"))
    recap_limit_kind = forms.ChoiceField(choices=Story.LimitKind.choices, label=gettext_lazy("Counted in"))
    recap_min_tokens = make_number_field(
        "recap_min_tokens", gettext_lazy("Shortest message that is recapped, in tokens")
    )
    recap_user = forms.BooleanField(required=False, label=gettext_lazy("Recap your messages"))
    recap_persona = forms.BooleanField(required=False, label=gettext_lazy("Recap the companion's messages"))


@own_bond_page("GET")
def story_page(request: HttpRequest, bond: Bond) -> HttpResponse:
    story = story_settings.get_story(bond)
    versions = list(StoryVersion.objects.for_bond(bond).without_links().order_by("-number"))
    asked = get_int_param(request, "version")
    shown = next((one for one in versions if one.number == asked), story.current)
    scenes = listing.list_scenes(bond=bond)
    told = points.load_points(shown)
    is_old = shown is not None and shown.pk != story.current_id
    firm = firm_tokens.load(bond)
    ended = [one for one in reversed(scenes) if one.scene is not None]
    context = {
        "bond": bond,
        "layer": "story",
        "story": story,
        "shown": shown,
        "made_by": describe_made_by(shown.made_by) if shown else "",
        "is_old": is_old,
        "diff": comparison.diff_points(told, points.load_points(story.current)) if is_old else None,
        "parts": list_parts(told if is_old else leave_out_over(told, bond), scenes),
        "versions": [(one, describe_made_by(one.made_by)) for one in versions],
        "page": Paginator(ended, PAGE_SIZE).get_page(request.GET.get("page")),
        "asked": f"version={shown.number}" if shown is not None and is_old else "",
        "text": write_for_reader(points.load_points(story.current)),
        "form": SettingsForm(initial=vars(story)),
        "tidying": tidying.load(bond=bond, now=timezone.now()),
        "remembering": Session.objects.for_bond(bond).being_remembered().count(),
        "uncovered": included.load_inclusion(bond, firm_tokens=firm).uncovered,
        "is_backlog_long": closing.is_backlog_long(bond=bond, firm_tokens=firm, now=timezone.now()),
        "unasked_most": closing.UNASKED_MOST,
    }
    return render(request, "chat/memories/story/story.html", context)


def write_for_reader(told: Sequence[Point]) -> str:
    """Write a story as one text, with headings and the names of slots in the reader's language."""
    text = points.render_text([replace(point, label=labels.translate_slot(point.label)) for point in told])
    theirs = {f"# {points.HEADINGS[part]}": f"# {heading}" for part, heading in HEADINGS.items()}
    return "\n".join(theirs.get(line, line) for line in text.splitlines())


def read_from_reader(content: str, told: Sequence[Point]) -> str:
    """Read back what `write_for_reader` wrote of these points, as a person has changed it."""
    ours = {f"# {heading}": f"# {points.HEADINGS[part]}" for part, heading in HEADINGS.items()}
    slots = {labels.translate_slot(point.label): point.label for point in told if point.label}
    return "\n".join(ours.get(line.strip()) or name_slot(line, slots) for line in content.splitlines())


def name_slot(line: str, slots: Mapping[str, str]) -> str:
    label, mark, text = line.strip().removeprefix("- ").partition(": ")
    return f"- {slots[label]}: {text}" if mark and label in slots else line


def leave_out_over(told: Sequence[Point], bond: Bond) -> list[Point]:
    """Leave out how something stood, where it is told in the words of a fact that holds no longer."""
    texts = [point.text for point in told if point.part == points.STATE and not point.is_by_person]
    over = history.find_over(bond, texts)
    return [point for point in told if point.part != points.STATE or point.is_by_person or point.text not in over]


def list_parts(told: Sequence[Point], scenes: Sequence[ListedScene]) -> list[tuple[Any, list[PointItem]]]:
    """Group points by part, each with the scenes that it tells; a scene that is gone, or another bond's, is left out."""
    by_id = {one.scene.pk: one for one in scenes if one.scene is not None}
    parts = []
    for part, heading in HEADINGS.items():
        shown = [
            PointItem(point, [by_id[pk] for pk in point.scenes if pk in by_id])
            for point in points.select_part(told, part)
        ]
        if shown:
            parts.append((heading, shown))
    return parts


@own_bond_page("POST")
def edit_story(request: HttpRequest, bond: Bond) -> HttpResponse:
    with report_refusal(request):
        writing.edit_text(
            bond=bond,
            content=read_from_reader(
                request.POST.get("content", ""), points.load_points(story_settings.get_story(bond).current)
            ),
            base=parse_id(request.POST.get("base", "")),
            firm_tokens=firm_tokens.load(bond),
            now=timezone.now(),
        )
        user_requests.go_on(bond, now=timezone.now())
        messages.success(request, _("Saved."))
    return redirect("story", bond.pk)


@own_bond_page("POST")
def act_on_version(request: HttpRequest, bond: Bond, number: int) -> HttpResponse:
    """Choose, pin, delete or restore a version, by the button that was pressed."""
    version = get_object_or_404(
        StoryVersion.objects.for_bond(bond).without_links().select_related("bond"), number=number
    )
    now = timezone.now()
    acts: dict[str, Callable[[], object]] = {
        "choose": lambda: writing.choose_version(version=version, now=now),
        "pin": lambda: writing.pin_version(version=version, pinned=True, now=now),
        "unpin": lambda: writing.pin_version(version=version, pinned=False, now=now),
        "delete": lambda: writing.delete_version(version=version, now=now),
        "restore": lambda: writing.restore_version(version=version, now=now),
    }
    act = acts.get(request.POST.get("act", ""))
    if act is not None:
        with report_refusal(request):
            act()
            user_requests.go_on(bond, now=now)
            messages.success(request, _("Done."))
    return redirect("story", bond.pk)


@own_bond_page("POST")
def save_settings(request: HttpRequest, bond: Bond) -> HttpResponse:
    form = SettingsForm(request.POST)
    if not form.is_valid():
        for name, errors in form.errors.items():
            messages.error(request, f"{form.fields[name].label}{_(': ')}{errors[0]}")
        return redirect("story", bond.pk)
    with report_refusal(request):
        story_settings.change_settings(bond=bond, changes=form.cleaned_data, now=timezone.now())
        user_requests.go_on(bond, now=timezone.now())
        messages.success(request, _("Saved."))
    return redirect("story", bond.pk)


@own_bond_page("POST")
def tell_all(request: HttpRequest, bond: Bond) -> HttpResponse:
    """Tell all scenes and the story anew, a costly act; of more than 50 scenes it asks first, with an estimate."""
    if "sure" not in request.POST:
        found = estimating.estimate_all(bond=bond, now=timezone.now())
        if found.scenes > closing.UNASKED_MOST:
            return render(request, "chat/memories/story/ask.html", {"bond": bond, "layer": "story", "estimate": found})
    error = check_costly_rate(request)
    if error:
        messages.error(request, error)
        return redirect("story", bond.pk)
    user_requests.tell_all(bond=bond, now=timezone.now())
    return redirect("tidying", bond.pk)


def find_scene(bond: Bond, scene_id: int) -> Scene:
    return get_object_or_404(
        Scene.objects.for_bond(bond).select_related("bond__user", "bond__persona", "recap"), pk=scene_id
    )
