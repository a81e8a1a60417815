"""The page of mood and time: what weighed when, and how the companion felt, drawn from the rows one can open."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any

from django.db.models import Q
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_GET

from chat.views import own_bond, own_page
from memory.models import ConceptNode, MoodChange
from personas.models import Bond

WIDTH, HEIGHT = 640, 220
# Room at the left for the numbers, and above and below for the largest points.
LEFT, EDGE = 36, 12
EVENTS_MOST = 400
MOODS_MOST = 200
RANGES = {
    "30": gettext_lazy("30 days"),
    "90": gettext_lazy("90 days"),
    "365": gettext_lazy("a year"),
    "all": gettext_lazy("everything"),
}


@dataclass(frozen=True)
class Point:
    x: float
    y: float
    row: Any


@own_page
@require_GET
def mood(request: HttpRequest, bond_id: int) -> HttpResponse:
    bond = own_bond(request, bond_id)
    asked = request.GET.get("range", "90")
    asked = asked if asked in RANGES else "90"
    now = timezone.now()
    first = None if asked == "all" else now - timedelta(days=int(asked))
    events, moods = weighty(bond, first), felt(bond, first)
    began = first or min([when(event) for event in events] + [change.created_at for change in moods], default=now)
    context = {
        "bond": bond,
        "layer": "mood",
        "ranges": RANGES,
        "asked": asked,
        "weights": [Point(across(when(event), began, now), up(event.emotional_impact, 10), event) for event in events],
        "moods": [Point(across(one.created_at, began, now), down(one.energy), one) for one in reversed(moods)],
        "history": moods,
        "state": bond.episodic_state(now),
        "began": began,
        "ended": now,
    }
    return render(request, "chat/memory/mood.html", context)


def weighty(bond: Bond, first: datetime | None) -> Sequence[ConceptNode]:
    """The events since then by their day, or else by when they were told; of too many the weightiest."""
    since = Q() if first is None else Q(event_time_end__gte=first) | Q(event_time_end=None, created_at__gte=first)
    live = ConceptNode.objects.of(bond).live().events().lean("terms").filter(since)
    heaviest = sorted(live.order_by("-created_at")[: 10 * EVENTS_MOST], key=lambda one: -abs(one.emotional_impact))
    return sorted((one for one in heaviest[:EVENTS_MOST] if when(one) <= timezone.now()), key=when)


def felt(bond: Bond, first: datetime | None) -> Sequence[MoodChange]:
    """The changes of mood since then, the newest first."""
    there = MoodChange.objects.left_in(bond)
    since = there if first is None else there.filter(created_at__gte=first)
    return list(since.order_by("-created_at", "-id")[:MOODS_MOST])


def when(event: ConceptNode) -> datetime:
    """The day it happened, at noon, or when it was told."""
    day: date | None = event.event_time_end or event.event_time_start
    if day is None:
        return event.created_at
    return timezone.make_aware(datetime(day.year, day.month, day.day, 12))  # noqa: DTZ001 - made aware at once


def across(at: datetime, began: datetime, ended: datetime) -> float:
    whole = (ended - began).total_seconds() or 1.0
    share = min(1.0, max(0.0, (at - began).total_seconds() / whole))
    return round(LEFT + share * (WIDTH - LEFT - EDGE), 1)


def up(value: int, most: int) -> float:
    """The height of a value from -most to +most."""
    return round(HEIGHT / 2 - value / most * (HEIGHT / 2 - EDGE), 1)


def down(energy: int) -> float:
    """The height of an energy from 0 to 10."""
    return round(HEIGHT - EDGE - energy / 10 * (HEIGHT - 2 * EDGE), 1)
