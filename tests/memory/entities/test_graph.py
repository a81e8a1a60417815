from datetime import timedelta

import pytest

from memory.entities import graph
from memory.models import ConceptNode, Entity
from tests.support.factories import NOW, BondFactory, ConceptNodeFactory, EntityFactory

pytestmark = pytest.mark.django_db


@pytest.fixture
def bond():
    return BondFactory(user__username="mara")


def event(bond, impact=0, **more):
    return ConceptNodeFactory(bond=bond, emotional_impact=impact, **more)


def known(bond, name, nodes, **more):
    return EntityFactory(bond=bond, canonical_name=name, nodes=nodes, **more)


def draw(bond):
    events = ConceptNode.objects.for_bond(bond).current().events()
    facts = ConceptNode.objects.for_bond(bond).live_facts()
    return graph.build(entities=Entity.objects.for_bond(bond).not_deleted_or_merged(), events=events, facts=facts)


def test_all_is_drawn_where_there_is_little(bond):
    dinner, move = event(bond), event(bond, created_at=NOW + timedelta(hours=1))
    scott = known(bond, "Scott", [dinner])
    yiyang = known(bond, "Yiyang", [dinner, move])
    known(bond, "Nobody", [])

    drawn = draw(bond)

    assert (drawn.entities, drawn.events) == ([yiyang, scott], [move, dinner])
    assert drawn.links == [(scott.pk, dinner.pk), (yiyang.pk, dinner.pk), (yiyang.pk, move.pk)]
    assert drawn.counts == {yiyang.pk: 2, scott.pk: 1}
    assert (drawn.has_all_entities, drawn.has_all_events) == (True, True)


def test_of_many_the_most_mentioned_are_drawn_with_their_weightiest_events(bond, monkeypatch):
    monkeypatch.setattr(graph, "ENTITIES_MOST", 2)
    monkeypatch.setattr(graph, "EVENTS_MOST", 5)
    light, grave, bright = event(bond, 1), event(bond, -9), event(bond, 7)
    scott = known(bond, "Scott", [light, grave, bright])
    yiyang = known(bond, "Yiyang", [light, grave])
    known(bond, "Rachel", [light])

    drawn = draw(bond)

    assert (drawn.entities, drawn.entities_count, drawn.each) == ([scott, yiyang], 3, 2)
    assert drawn.events == [bright, grave, light]
    assert (drawn.has_all_entities, drawn.has_all_events) == (False, True)


def test_events_beyond_the_most_are_left_out(bond, monkeypatch):
    monkeypatch.setattr(graph, "EVENTS_MOST", 1)
    light, grave = event(bond, 1), event(bond, -9)
    known(bond, "Scott", [light, grave])

    drawn = draw(bond)

    assert (drawn.events, list(drawn.counts.values()), drawn.has_all_events) == ([grave], [2], False)


def test_what_is_forgotten_merged_or_superseded_is_not_drawn(bond):
    gone = event(bond, deleted_at=NOW)
    past = event(bond, state="superseded")
    thought = event(bond, type="thought")
    scott = known(bond, "Scott", [gone, past, thought])
    known(bond, "Rachel", [event(bond)], deleted_at=NOW)
    known(bond, "Ray", [event(bond)], merged_into=scott)

    nothing = graph.FactGraph(facts=[], links=[], relations=[])
    assert draw(bond) == graph.Graph(
        entities=[], events=[], links=[], counts={}, entities_count=0, each=240, facts=nothing
    )


def test_another_bond_is_not_drawn(bond):
    other = BondFactory(user=bond.user)
    known(other, "Scott", [event(other)])

    assert draw(bond).entities == []


def test_it_takes_as_many_queries_for_much_as_for_little(bond, django_assert_num_queries):
    known(bond, "Scott", [event(bond)])
    with django_assert_num_queries(8):
        draw(bond)

    known(bond, "Yiyang", [event(bond), event(bond)])
    known(bond, "Rachel", [event(bond)])
    with django_assert_num_queries(8):
        draw(bond)
