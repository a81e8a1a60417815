from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from chat.pages import tour
from tests.support.factories import NOW, BondFactory, UserFactory

pytestmark = pytest.mark.django_db


@pytest.fixture
def bond():
    return BondFactory(user__username="mara", persona__name="Marian", created_at=timezone.now())


def shown(client, bond):
    return client.get(reverse("bond", args=[bond.pk])).context["tour"]


def go_to(client, bond, step):
    return client.post(reverse("tour_step", args=[bond.pk]), {"step": step}).status_code


def test_the_first_bond_is_shown_until_the_tour_is_over(mara, bond):
    assert shown(mara, bond) == 1
    assert shown(mara, bond) == 1

    assert go_to(mara, bond, 2) == 204
    assert shown(mara, bond) == 2

    assert go_to(mara, bond, 0) == 204
    assert shown(mara, bond) is None


def test_another_device_shows_no_tour_that_was_begun(mara, bond):
    go_to(mara, bond, 1)
    phone = Client()
    phone.force_login(bond.user)

    assert (shown(mara, bond), shown(phone, bond)) == (1, None)


def test_the_page_has_the_tour_only_while_there_is_one(mara, bond):
    assert b'data-tour-step="3"' in mara.get(reverse("bond", args=[bond.pk])).content

    go_to(mara, bond, 0)
    assert b"tour" not in mara.get(reverse("bond", args=[bond.pk])).content


def test_a_later_bond_shows_no_tour(mara, bond):
    second = BondFactory(user=bond.user, created_at=timezone.now())
    assert shown(mara, second) is None

    go_to(mara, bond, 2)
    assert (shown(mara, bond), shown(mara, second)) == (2, None)


@pytest.mark.parametrize(
    ("age", "step"), [(timedelta(hours=23, minutes=59), 1), (timedelta(days=1), None), (timedelta(days=90), None)]
)
def test_a_bond_that_is_not_new_shows_no_tour(age, step):
    bond = BondFactory(created_at=NOW - age)

    assert tour.get_step(bond=bond, session={}, now=NOW) == step


@pytest.mark.parametrize(("later", "step"), [(timedelta(minutes=59), 2), (timedelta(hours=1), None)])
def test_a_tour_left_alone_is_over_after_an_hour(bond, later, step):
    session = {}
    tour.go_to(2, bond=bond, session=session, now=NOW)

    assert tour.get_step(bond=bond, session=session, now=NOW + later) == step


def test_it_is_shown_again_where_one_asks_for_it(mara, bond):
    go_to(mara, bond, 0)
    second = BondFactory(user=bond.user)

    answer = mara.post(reverse("tour_again", args=[second.pk]))

    assert answer["Location"] == reverse("bond", args=[second.pk])
    assert (shown(mara, bond), shown(mara, second)) == (None, 1)


@pytest.mark.parametrize("wrong", ["", "4", "-1", "two"])
def test_a_step_that_is_none_is_refused(mara, bond, wrong):
    assert go_to(mara, bond, wrong) == 400
    assert shown(mara, bond) == 1


@pytest.mark.parametrize("name", ["tour_step", "tour_again"])
def test_a_stranger_changes_no_tour(client, bond, name):
    client.force_login(UserFactory(username="charlie"))

    assert client.post(reverse(name, args=[bond.pk]), {"step": "0"}).status_code == 404
    bond.user.refresh_from_db()
    assert bond.user.toured_at is None
