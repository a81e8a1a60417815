from datetime import date, timedelta

import pytest
from django.urls import reverse

from chat.pages.display import formats
from memory.entities import graph
from memory.models import Mention, NodeLink
from tests.support.factories import NOW, BondFactory, ConceptNodeFactory, EntityFactory, FactFactory, UserFactory

pytestmark = pytest.mark.django_db


@pytest.fixture
def bond():
    return BondFactory(user__username="mara", persona__name="Marian")


def event(bond, description, impact=0, **more):
    return ConceptNodeFactory(bond=bond, description=description, emotional_impact=impact, **more)


def known(bond, name, nodes, kind="person", **more):
    return EntityFactory(bond=bond, canonical_name=name, kind=kind, nodes=nodes, **more)


@pytest.fixture
def dinner(bond):
    return event(bond, "Scott came to dinner.", 4, event_time_start=date(2026, 1, 3), event_time_end=date(2026, 1, 5))


@pytest.fixture
def scott(bond, dinner):
    return known(bond, "Scott", [dinner], description="A neighbour.")


@pytest.fixture
def lisbon(bond):
    return known(bond, "Lisbon", [event(bond, "Mara left Lisbon.", -8)], kind="place")


def data(client, bond, **asked):
    return client.get(reverse("graph_data", args=[bond.pk]), asked).json()


def names(answer):
    return [one["name"] for one in answer["entities"]]


def test_the_page_is_empty_before_anybody_is_known(mara, bond):
    page = mara.get(reverse("people_graph", args=[bond.pk])).content.decode()

    assert ("No graph yet" in page, "data-graph" in page, "d3-force" in page) == (True, False, False)


def test_the_page_holds_what_was_asked(mara, bond, scott):
    page = mara.get(reverse("people_graph", args=[bond.pk]), {"q": "Scott", "kind": "person", "strength": "3"})

    form = page.context["form"]
    assert (form["q"].value(), form["kind"].value(), form["strength"].value()) == ("Scott", ["person"], "3")
    assert b"data-graph" in page.content


def test_entities_events_and_links_are_told(mara, bond, scott, dinner):
    assert data(mara, bond) == {
        "said": "1 person or thing · one event",
        "entities": [
            {
                "id": scott.pk,
                "kind": "person",
                "word": "a person",
                "name": "Scott",
                "description": "A neighbour.",
                "count": 1,
                "told": "one event",
                "url": reverse("person", args=[bond.pk, scott.pk]),
            }
        ],
        "events": [
            {
                "id": dinner.pk,
                "text": "Scott came to dinner.",
                "impact": 4,
                "signed": "+4",
                "day": formats.format_days(date(2026, 1, 3), date(2026, 1, 5)),
                "url": reverse("memory", args=[bond.pk, dinner.pk]),
            }
        ],
        "facts": [],
        "links": [[scott.pk, dinner.pk]],
        "fact_links": [],
        "relations": [],
    }


def test_facts_stand_at_those_they_name_else_at_the_user(mara, bond, scott):
    *_older, flute, tall, kind = (
        FactFactory(bond=bond, description=f"Scott {what}.") for what in ("is 40", "flutes", "is tall", "is kind")
    )
    for fact in (*_older, flute, tall, kind):
        Mention.objects.create(bond=bond, entity=scott, node=fact)
    nuts, hazel = FactFactory(bond=bond), FactFactory(bond=bond, description="The user is allergic to hazel.")
    NodeLink.objects.create(bond=bond, a=hazel, b=nuts, relation="is why", created_at=NOW)
    FactFactory(bond=bond, description="The user lives in York.", state="uncertain")
    FactFactory(bond=BondFactory(), description="Another's.")

    answer = data(mara, bond)

    assert answer["said"] == "1 person or thing · one event · 5 facts"
    assert answer["facts"][0] == {
        "id": hazel.pk,
        "text": "You are allergic to hazel.",
        "told": "you said it",
        "url": reverse("memory", args=[bond.pk, hazel.pk]),
    }
    assert answer["fact_links"] == [
        *([scott.pk, fact.pk] for fact in (kind, tall, flute)),
        [None, hazel.pk],
        [None, nuts.pk],
    ]
    assert answer["relations"] == [[hazel.pk, nuts.pk, "is why"]]
    assert data(mara, bond, q="hazel")["facts"] == answer["facts"][:1]
    assert data(mara, bond, strength="3")["facts"] == []


def test_who_is_named_by_a_fact_alone_is_drawn(mara, bond, scott):
    turtle = EntityFactory(bond=bond, canonical_name="Shelly", kind="pet")
    EntityFactory(bond=bond, canonical_name="Nobody's")
    fact = FactFactory(bond=bond, description="The user has a turtle, Shelly.")
    Mention.objects.create(bond=bond, entity=turtle, node=fact)

    answer = data(mara, bond)

    assert answer["said"] == "2 people and things · one event · one fact"
    assert [(one["name"], one["count"], one["told"]) for one in answer["entities"]] == [
        ("Scott", 1, "one event"),
        ("Shelly", 0, ""),
    ]
    assert answer["fact_links"] == [[turtle.pk, fact.pk]]


def test_a_fact_alone_is_a_graph(mara, bond):
    FactFactory(bond=bond)

    page = mara.get(reverse("people_graph", args=[bond.pk])).content.decode()

    assert ("data-graph" in page, data(mara, bond)["said"]) == (True, "0 people and things · 0 events · one fact")


def test_the_graph_says_what_it_leaves_out(mara, bond, scott, lisbon, monkeypatch):
    monkeypatch.setattr(graph, "ENTITIES_MOST", 1)
    known(bond, "Yiyang", [event(bond, "Yiyang plays.", 9), event(bond, "Yiyang rests.", 1)])
    assert data(mara, bond)["said"] == "The 1 most mentioned of 3 people and things · 2 events"

    monkeypatch.setattr(graph, "EVENTS_MOST", 1)
    answer = data(mara, bond)
    assert answer["said"] == "The 1 most mentioned of 3 people and things · the 1 most important events of each"
    assert [one["text"] for one in answer["events"]] == ["Yiyang plays."]


@pytest.mark.parametrize(
    ("asked", "left"),
    [
        ({"kind": "place"}, ["Lisbon"]),
        ({"kind": ["person", "place"]}, ["Lisbon", "Scott"]),
        ({"kind": "pet"}, []),
        ({"q": "dinner"}, ["Scott"]),
        ({"q": "lisb"}, ["Lisbon"]),
        ({"q": "a neighb"}, ["Scott"]),
        ({"q": "violin"}, []),
        ({"strength": "8"}, ["Lisbon"]),
        ({"strength": "3"}, ["Lisbon", "Scott"]),
        ({"last": "2026-01-03"}, ["Scott"]),
        ({"last": "2026-01-02"}, []),
        ({"first": "2026-01-05", "last": "2026-01-06"}, ["Scott"]),
        ({"first": "2026-01-06"}, ["Lisbon"]),
        ({"first": f"{NOW:%Y-%m-%d}"}, ["Lisbon"]),
        ({"last": f"{NOW:%Y-%m-%d}"}, ["Lisbon", "Scott"]),
        ({"last": f"{NOW - timedelta(days=1):%Y-%m-%d}"}, ["Scott"]),
        ({"first": f"{NOW + timedelta(days=1):%Y-%m-%d}"}, []),
    ],
    ids=str,
)
def test_filters_leave_what_was_asked_for(mara, bond, scott, lisbon, asked, left):
    assert names(data(mara, bond, **asked)) == left


@pytest.mark.parametrize(
    "asked", [{"kind": "nobody"}, {"strength": "lots"}, {"first": "yesterday"}, {"q": "a\x00b" * 200}], ids=str
)
def test_a_filter_that_makes_no_sense_asks_for_nothing(mara, bond, scott, lisbon, asked):
    assert names(data(mara, bond, **asked)) == ["Lisbon", "Scott"]


def test_a_name_brings_all_who_are_in_its_events(mara, bond, scott, dinner):
    known(bond, "Rachel", [dinner, event(bond, "Rachel was away.")])

    assert names(data(mara, bond, q="scott")) == ["Rachel", "Scott"]


def test_a_graph_takes_as_many_queries_for_three_as_for_one(mara, bond, scott, lisbon, django_assert_num_queries):
    lisbon.delete()
    with django_assert_num_queries(11):
        data(mara, bond)

    for name in ("Rachel", "Yiyang"):
        known(bond, name, [event(bond, f"{name} came by.")])
    with django_assert_num_queries(11):
        data(mara, bond)


@pytest.mark.parametrize("name", ["people_graph", "graph_data"])
def test_a_stranger_sees_no_graph(client, bond, scott, name):
    assert client.get(reverse(name, args=[bond.pk])).status_code == 302

    client.force_login(UserFactory(username="charlie"))
    assert client.get(reverse(name, args=[bond.pk])).status_code == 404
