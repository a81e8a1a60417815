import pytest
from django.urls import reverse

from tests.support.factories import BondFactory, MessageFactory, UserFactory

pytestmark = pytest.mark.django_db

WAYS = [
    ("persona", ()),
    ("memory_words", ()),
    ("bond", ()),
    ("memories", ()),
    ("memories", ("thoughts",)),
    ("memories", ("promises",)),
    ("people", ()),
    ("people_graph", ()),
    ("mood", ()),
]


@pytest.fixture
def bond():
    return BondFactory(user__username="mara", persona__name="Marian")


def show(client, **asked):
    return client.get(reverse("how_memory_works"), asked)


def ways(answer):
    return [address for _, layer_ways in answer.context["layers"] for address, _ in layer_ways]


def addresses(bond):
    return [reverse(name, args=[bond.pk, *more]) for name, more in WAYS]


def test_everybody_may_read_how_memory_works(client):
    answer = show(client)
    page = answer.content.decode()

    assert ways(answer) == []
    assert [f'id="layer-{number}"' in page for number in range(1, 7)] == [True] * 6
    assert [f'href="#layer-{number}"' in page for number in range(1, 7)] == [True] * 6
    assert ("Show the tour" in page, "Choose a companion" in page) == (False, False)


def test_each_layer_leads_to_ones_own(client, bond):
    client.force_login(bond.user)

    answer = show(client)

    assert ways(answer) == addresses(bond)
    assert [client.get(address).status_code for address in ways(answer)] == [200] * len(WAYS)
    assert "Show the tour" in answer.content.decode()


def test_of_several_companions_it_is_the_latest_or_the_one_asked_for(client, bond):
    other = BondFactory(user=bond.user, persona__name="Teo")
    MessageFactory(session__bond=bond)
    client.force_login(bond.user)

    assert ways(show(client)) == addresses(bond)
    assert ways(show(client, bond=other.pk)) == addresses(other)
    assert ways(show(client, bond="nobody")) == addresses(bond)


def test_without_a_companion_it_leads_to_choosing_one(client):
    client.force_login(UserFactory())

    answer = show(client)

    assert (ways(answer), "Choose a companion" in answer.content.decode()) == ([], True)


def test_a_strangers_bond_is_as_if_it_was_not_there(client, bond):
    charlie = BondFactory(user=UserFactory(username="charlie"), persona__name="Zed")
    client.force_login(charlie.user)

    answer = show(client, bond=bond.pk)

    assert (ways(answer), "Marian" in answer.content.decode()) == (addresses(charlie), False)


def test_it_takes_as_many_queries_for_three_companions_as_for_one(client, bond, django_assert_num_queries):
    client.force_login(bond.user)
    with django_assert_num_queries(3):
        show(client)

    BondFactory.create_batch(2, user=bond.user)
    with django_assert_num_queries(3):
        show(client)
