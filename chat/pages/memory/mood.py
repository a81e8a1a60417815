"""The page of mood and time: charts of impact and mood, with links to their memories."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from math import hypot
from typing import Any

from django.db.models import Q
from django.db.models.functions import Abs
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext_lazy

from chat.pages.requests import own_bond_page
from echovessel.times import FIRST_DAY, LAST_DAY
from memory.models import ConceptNode, MoodChange
from personas.models import Bond

WIDTH, HEIGHT = 640, 220
# Room for the numbers at the left, and for the largest points above and below.
LEFT, EDGE = 36, 12
# The distance between dots, even of one day, at which each can be seen and touched.
POINT_GAP = 16
EVENTS_MOST = 400
MOODS_MOST = 200
RANGES = {
    "30": gettext_lazy("30 days"),
    "90": gettext_lazy("90 days"),
    "365": gettext_lazy("a year"),
    "all": gettext_lazy("all"),
}


@dataclass(frozen=True)
class Point:
    x: float
    y: float
    row: Any
    is_planned: bool = False


@dataclass(frozen=True)
class Span:
    began: datetime
    ended: datetime

    @property
    def last(self) -> datetime:
        return self.ended - timedelta(days=1)

    @property
    def day_width(self) -> float:
        return (WIDTH - LEFT - EDGE) / (self.ended - self.began).days

    def get_x(self, at: datetime) -> float:
        share = min(1.0, max(0.0, (at - self.began) / (self.ended - self.began)))
        return round(LEFT + share * (WIDTH - LEFT - EDGE), 1)


@own_bond_page("GET")
def mood_page(request: HttpRequest, bond: Bond) -> HttpResponse:
    asked = request.GET.get("range", "90")
    asked = asked if asked in RANGES else "90"
    now = timezone.now()
    reach = None if asked == "all" else timedelta(days=int(asked))
    events = list_weighty_events(bond, now, reach)
    moods = list_mood_changes(bond, None if reach is None else now - reach)
    weighed = build_span([get_event_time(event) for event in events], now)
    felt_in = build_span([one.created_at for one in moods], now)
    context = {
        "bond": bond,
        "layer": "mood",
        "ranges": RANGES,
        "asked": asked,
        "weights": place_points(weighed, events, now),
        "weighed": weighed,
        "planned": any(get_event_time(event) > now for event in events),
        "today": weighed.get_x(now),
        "moods": [Point(felt_in.get_x(one.created_at), get_energy_height(one.energy), one) for one in reversed(moods)],
        "felt": felt_in,
        "history": moods,
        "state": bond.episodic_state(now),
    }
    return render(request, "chat/mood/page.html", context)


def list_weighty_events(bond: Bond, now: datetime, reach: timedelta | None) -> Sequence[ConceptNode]:
    """Return past and future events within reach, by their day or when they were told; of too many, the weightiest."""
    near = Q()
    if reach is not None:
        dated = Q(event_time_end__gte=now - reach, event_time_end__lte=now + reach)
        near = dated | Q(event_time_end=None, created_at__gte=now - reach)
    live = ConceptNode.objects.for_bond(bond).current().events().without_heavy_columns("terms").filter(near)
    heaviest = live.order_by(Abs("emotional_impact").desc(), "-created_at")[:EVENTS_MOST]
    return sorted(heaviest, key=get_event_time)


def build_span(times: Sequence[datetime], now: datetime) -> Span:
    """Return whole days from the first of these times or today to the last."""
    days = [timezone.localtime(at).replace(hour=0, minute=0, second=0, microsecond=0) for at in [now, *times]]
    return Span(min(days), max(days) + timedelta(days=1))


def place_points(span: Span, events: Sequence[ConceptNode], now: datetime) -> list[Point]:
    """Place each event at its day, beside others: within the day, or next to it where a day is narrower than a dot."""
    placed: list[Point] = []
    steps = range(int(max(1, span.day_width / 2 / POINT_GAP)) + 1)
    for event in events:
        x, y = span.get_x(get_event_time(event)), get_impact_height(event.emotional_impact)
        beside = (x + side * POINT_GAP for by in steps for side in (by, -by))
        free = (at for at in beside if LEFT <= at <= WIDTH - EDGE and not is_taken(at, y, placed))
        placed.append(Point(round(next(free, x), 1), y, event, is_planned=get_event_time(event) > now))
    return placed


def is_taken(x: float, y: float, placed: Sequence[Point]) -> bool:
    return any(hypot(x - other.x, y - other.y) < POINT_GAP for other in placed)


def list_mood_changes(bond: Bond, first: datetime | None) -> Sequence[MoodChange]:
    there = MoodChange.objects.for_bond(bond)
    since = there if first is None else there.filter(created_at__gte=first)
    return list(since.order_by("-created_at", "-id")[:MOODS_MOST])


def get_event_time(event: ConceptNode) -> datetime:
    """Return noon of the day when it happened, or when it was told."""
    day: date | None = event.event_time_end or event.event_time_start
    if day is None:
        return event.created_at
    day = min(max(day, FIRST_DAY), LAST_DAY)
    return timezone.make_aware(datetime(day.year, day.month, day.day, 12))  # noqa: DTZ001 - made aware at once


def get_impact_height(impact: int) -> float:
    return round(HEIGHT / 2 - impact / 10 * (HEIGHT / 2 - EDGE), 1)


def get_energy_height(energy: int) -> float:
    return round(HEIGHT - EDGE - energy / 10 * (HEIGHT - 2 * EDGE), 1)
