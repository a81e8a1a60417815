import math
from datetime import timedelta

import pytest
from django.db import IntegrityError

from echovessel import text
from echovessel.embeddings import embedding
from echovessel.models import BondEvent
from memory.models import ConceptNode
from memory.nodes import creation
from tests.support.factories import NOW, BondFactory, ConceptNodeFactory, EntityFactory

pytestmark = pytest.mark.django_db
LATER = NOW + timedelta(days=3)


@pytest.fixture
def bond():
    return BondFactory(user__username="mara")


def new(bond, type="event", description="Marlow came home.", **fields):
    return ConceptNode(
        bond=bond, type=type, subject="user", description=description, origin="import", confidence=0.7, **fields
    )


def logged():
    return [(entry.type, entry.refs) for entry in BondEvent.objects.order_by("seq")]


@pytest.mark.parametrize(
    ("type", "state", "announced"),
    [
        ("event", "live", "memory.event.created"),
        ("thought", "live", "memory.thought.created"),
        ("expectation", "pending", "memory.thought.created"),
        ("intention", "open", "memory.thought.created"),
    ],
)
def test_a_written_node_can_be_found_and_is_announced(bond, type, state, announced):
    vector = [1.0] + [0.0] * (embedding.DIMENSIONS - 1)

    node = creation.create(new(bond, type), vector=vector, now=LATER)

    stored = ConceptNode.objects.get()
    assert (stored.state, stored.valid_from, stored.created_at) == (state, LATER, LATER)
    assert stored.terms == sorted(text.extract_terms("Marlow came home."))
    assert stored.embedding == vector
    assert stored.embedding_model == embedding.get_model_name()
    assert logged() == [(announced, {"node": node.pk})]


def test_a_state_that_is_known_stays(bond):
    node = creation.create(new(bond, "intention", state="kept"), vector=None, now=NOW)

    node.refresh_from_db()
    assert (node.state, node.embedding, node.embedding_model) == ("kept", None, embedding.get_model_name())


def test_a_node_that_stands_already_is_not_written_over(bond):
    node = ConceptNodeFactory(bond=bond)

    with pytest.raises(IntegrityError):
        creation.create(node, vector=None, now=LATER)


def test_what_is_concluded_rests_on_evidence_and_knows_whom_it_names(bond):
    seen = ConceptNodeFactory(bond=bond)
    cat = EntityFactory(bond=bond, canonical_name="Marlow")
    EntityFactory(bond=bond, canonical_name="Scott")

    thought = creation.create_with_evidence(new(bond, "thought"), filling=[seen.pk], vector=None, now=NOW)

    assert list(thought.filling.all()) == [seen]
    assert [mention.entity for mention in thought.mentions.all()] == [cat]


@pytest.mark.parametrize(
    ("cosine", "impact", "count"), [(0.8, -1, 1), (0.8, 2, 2), (0.7, -1, 2)], ids=["again", "turned", "another"]
)
def test_a_thought_that_says_an_earlier_one_again_gives_it_its_evidence(bond, cosine, impact, count):
    seen, since = ConceptNodeFactory(bond=bond), ConceptNodeFactory(bond=bond)
    first, second = ([side, math.sqrt(1 - side * side)] + [0.0] * (embedding.DIMENSIONS - 2) for side in (1.0, cosine))
    said = new(bond, "thought", "He comes home late.", emotional_impact=-2)
    creation.create_with_evidence(said, filling=[seen.pk], vector=first, now=NOW)

    again = new(bond, "thought", "It is late when he comes home.", emotional_impact=impact)
    kept = creation.create_with_evidence(again, filling=[seen.pk, since.pk], vector=second, now=LATER)

    assert ConceptNode.objects.thoughts().count() == count
    assert set(kept.filling.all()) == {seen, since}
