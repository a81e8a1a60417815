"""Rows of an older version, or of other hands, whose references lead in a circle: whoever follows them comes to an end."""

import pytest

from memory.entities import merging
from memory.forgetting import removal
from memory.models import ConceptNode, Entity
from memory.nodes import corrections, evidence, staleness
from tests.support.factories import NOW, BondFactory, ConceptNodeFactory, EntityFactory, FillingFactory

pytestmark = pytest.mark.django_db


@pytest.fixture
def bond():
    return BondFactory(user__username="mara")


def in_a_circle(model, column, rows):
    for row, other in zip(rows, [*rows[1:], rows[0]], strict=True):
        model.objects.filter(pk=row.pk).update(**{column: other})


def thoughts_in_a_circle(bond):
    thoughts = ConceptNodeFactory.create_batch(3, bond=bond, type="thought", origin="reflection")
    for parent, child in zip(thoughts, [*thoughts[1:], thoughts[0]], strict=True):
        FillingFactory(parent=parent, child=child)
    return thoughts


@pytest.mark.parametrize("of", [1, 2, 5])
def test_nothing_stands_in_the_place_of_memories_that_replace_each_other(of, bond):
    nodes = ConceptNodeFactory.create_batch(of, bond=bond, state="superseded")
    in_a_circle(ConceptNode, "superseded_by", nodes)

    assert corrections.find_successor(ConceptNode.objects.get(pk=nodes[0].pk)) is None


def test_what_stands_is_found_by_one_query_however_long_the_chain(bond, django_assert_num_queries):
    newest = ConceptNodeFactory(bond=bond)
    node = newest
    for _ in range(20):
        node = ConceptNodeFactory(bond=bond, state="superseded", superseded_by=node)

    with django_assert_num_queries(1):
        assert corrections.find_successor(node) == newest


def test_stale_thoughts_that_rest_on_each_other_come_to_an_end(bond):
    thoughts = thoughts_in_a_circle(bond)
    ConceptNode.objects.filter(pk=thoughts[0].pk).update(stale=True)

    staleness.refresh(bond=bond, nodes=[thought.pk for thought in thoughts], now=NOW)


def test_thoughts_that_rest_on_each_other_are_shown_and_forgotten(bond):
    thoughts = thoughts_in_a_circle(bond)

    assert set(evidence.find_citing_depths(thoughts[0])) == {thought.pk for thought in thoughts}
    removal.forget_node(node=thoughts[0], dependents="cascade", now=NOW)
    assert ConceptNode.objects.for_bond(bond).filter(deleted_at=None).count() == 0


def test_people_who_were_merged_into_each_other_come_to_an_end(bond):
    people = [EntityFactory(bond=bond, canonical_name=name) for name in ("Anna", "Ann", "Nan")]
    in_a_circle(Entity, "merged_into", people)

    assert sorted(merging.collect_merged_ids([people[0].pk])) == sorted(one.pk for one in people)
