from datetime import timedelta
from itertools import pairwise

import pytest
from django.urls import reverse
from django.utils import timezone

from chat.pages.memory import mood as mood_pages
from memory.models import MoodChange
from tests.support.factories import BondFactory, ConceptNodeFactory, SessionFactory, UserFactory

pytestmark = pytest.mark.django_db


@pytest.fixture
def bond():
    return BondFactory(user__username="mara", persona__name="Marian")


def show(client, bond, **asked):
    return client.get(reverse("mood", args=[bond.pk]), asked)


def event(bond, impact, *, days_ago=1, **more):
    at = timezone.now() - timedelta(days=days_ago)
    return ConceptNodeFactory(bond=bond, type="event", emotional_impact=impact, created_at=at, **more)


def felt(bond, mood, energy, **more):
    return MoodChange.objects.create(bond=bond, mood=mood, energy=energy, created_at=timezone.now(), **more)


def test_an_empty_page_says_what_will_be_there(mara, bond):
    answer = show(mara, bond).content.decode()

    assert (
        "No event in this time. When a chat ends, the events you told of appear here as dots." in answer,
        "Each change appears here." in answer,
    ) == (True, True)


def test_events_are_points_by_their_day_and_impact(mara, bond):
    told = event(bond, -9, days_ago=10)
    happened = event(bond, 6, event_time_end=timezone.localdate() - timedelta(days=40))
    event(bond, 3, days_ago=200)
    event(bond, 5, state="superseded")

    points = show(mara, bond).context["weights"]

    assert [point.row for point in points] == [happened, told]
    assert points[0].x < points[1].x
    assert points[0].y < mood_pages.HEIGHT / 2 < points[1].y
    assert len(show(mara, bond, range="365").context["weights"]) == 3
    assert len(show(mara, bond, range="all").context["weights"]) == 3
    assert len(show(mara, bond, range="nonsense").context["weights"]) == 2


def test_what_is_still_to_come_is_shown_as_planned(mara, bond):
    told = event(bond, 2)
    planned = event(bond, 6, event_time_end=timezone.localdate() + timedelta(days=4))
    event(bond, 6, event_time_end=timezone.localdate() + timedelta(days=95))

    answer = show(mara, bond)

    points = answer.context["weights"]
    assert [(point.row, point.is_planned) for point in points] == [(told, False), (planned, True)]
    assert points[0].x < answer.context["today"] < points[1].x
    assert "Hollow dots are in the future" in answer.content.decode()
    assert len(show(mara, bond, range="all").context["weights"]) == 3


@pytest.mark.parametrize("day", ["0001-01-01", "9999-12-31"])
@pytest.mark.parametrize("zone", ["Pacific/Kiritimati", "America/Los_Angeles"])
def test_a_day_at_the_end_of_time_is_shown_in_every_zone(client, day, zone):
    bond = BondFactory(user__time_zone=zone)
    event(bond, 6, event_time_end=day)
    client.force_login(bond.user)

    assert len(show(client, bond, range="all").context["weights"]) == 1


def test_events_of_one_day_lie_beside_each_other(mara, bond):
    for _ in range(7):
        event(bond, -4, event_time_end=timezone.localdate())

    points = show(mara, bond).context["weights"]

    places = sorted(point.x for point in points)
    assert all(right - left >= mood_pages.POINT_GAP for left, right in pairwise(places))
    assert places[0] >= mood_pages.LEFT
    assert places[-1] <= mood_pages.WIDTH - mood_pages.EDGE


def test_dots_stay_at_their_day_where_days_are_narrow(mara, bond):
    first, today = timezone.localdate() - timedelta(days=80), timezone.localdate()
    for day in (first, *[today - timedelta(days=40)] * 12, today):
        event(bond, -4, event_time_end=day)

    points = show(mara, bond).context["weights"]

    middle = (points[0].x + points[-1].x) / 2
    assert {abs(point.x - middle) <= mood_pages.POINT_GAP for point in points[1:-1]} == {True}


def test_the_chart_begins_where_something_is(mara, bond):
    event(bond, 3, event_time_end=timezone.localdate() - timedelta(days=2))

    span = show(mara, bond).context["weighed"]

    assert (timezone.localdate(span.began), timezone.localdate(span.last)) == (
        timezone.localdate() - timedelta(days=2),
        timezone.localdate(),
    )


def test_of_too_many_the_weightiest_are_shown(mara, bond, monkeypatch):
    monkeypatch.setattr(mood_pages, "EVENTS_MOST", 2)
    heavy = [event(bond, impact) for impact in (-9, 8)]
    event(bond, 1)

    assert {point.row for point in show(mara, bond).context["weights"]} == set(heavy)


def test_moods_are_listed_newest_first_without_those_of_forgotten_sessions(mara, bond):
    first, second = felt(bond, "calm", 5), felt(bond, "glad", 8)
    felt(bond, "secret", 3, session=SessionFactory(bond=bond, status="closed", deleted_at=timezone.now()))

    answer = show(mara, bond)

    assert list(answer.context["history"]) == [second, first]
    assert "secret" not in answer.content.decode()


@pytest.mark.parametrize(("impact", "y"), [(10, 12.0), (0, 110.0), (-10, 208.0)])
def test_impact_goes_from_edge_to_edge(impact, y):
    assert mood_pages.get_impact_height(impact) == y


@pytest.mark.parametrize(("energy", "y"), [(10, 12.0), (5, 110.0), (0, 208.0)])
def test_energy_goes_from_edge_to_edge(energy, y):
    assert mood_pages.get_energy_height(energy) == y


def test_a_stranger_finds_nothing(client, bond):
    client.force_login(UserFactory(username="charlie"))

    assert show(client, bond).status_code == 404
