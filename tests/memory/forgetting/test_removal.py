from uuid import uuid4

import pytest

from echovessel.models import BondEvent
from memory.entities import lookup, merging
from memory.forgetting import removal
from memory.models import ConceptNode, Entity, Filling, Message
from memory.recall import memories, prompt_memory
from tests.support.factories import (
    NOW,
    BondFactory,
    ConceptNodeFactory,
    EntityFactory,
    FillingFactory,
    MessageFactory,
    SessionFactory,
)

pytestmark = pytest.mark.django_db


@pytest.fixture
def bond():
    return BondFactory(user__username="mara")


def cited_by(*events, type="thought"):
    return ConceptNodeFactory(bond=events[0].bond, type=type, description="She likes the dark.", evidence=list(events))


def live(*nodes):
    return [ConceptNode.objects.get(pk=node.pk).deleted_at is None for node in nodes]


def told(bond, type):
    return [event.refs for event in BondEvent.objects.filter(bond_id=bond.pk, type=type).order_by("seq")]


def test_a_forgotten_event_is_in_no_recall_and_its_thoughts_stay_with_a_marked_edge(bond):
    event = ConceptNodeFactory(bond=bond, description="Her cat jumps at night.")
    other = ConceptNodeFactory(bond=bond, description="She paints.")
    thought = cited_by(event, other)
    gone = removal.forget_node(node=event, now=NOW)

    assert (gone, live(event, other, thought)) == ([event.pk], [False, True, True])
    assert list(Filling.objects.order_by("child").values_list("child", "orphaned")) == [
        (event.pk, True),
        (other.pk, False),
    ]
    assert memories.search(bond=bond, query="the cat at night", vector=None, now=NOW).items == ()
    assert told(bond, "memory.node.forgotten") == [{"forgotten": event.pk, "node_type": "event"}]


def test_a_cascade_takes_what_has_no_evidence_left_at_any_depth(bond):
    event, other = ConceptNodeFactory.create_batch(2, bond=bond)
    thought = cited_by(event)
    expectation = cited_by(thought, type="expectation")
    supported = cited_by(event, other)
    gone = removal.forget_node(node=event, dependents=removal.CASCADE, now=NOW)

    assert gone == [event.pk, thought.pk, expectation.pk]
    assert live(event, thought, expectation, supported, other) == [False, False, False, True, True]


def test_a_thought_left_by_an_earlier_orphaning_goes_with_its_last_evidence(bond):
    first, second = ConceptNodeFactory.create_batch(2, bond=bond)
    thought = cited_by(first, second)
    removal.forget_node(node=first, now=NOW)
    removal.forget_node(node=second, dependents=removal.CASCADE, now=NOW)

    assert live(thought) == [False]


def test_nodes_that_cite_each_other_end_the_cascade(bond):
    event = ConceptNodeFactory(bond=bond)
    one, two = cited_by(event), ConceptNodeFactory(bond=bond, type="thought")
    FillingFactory(parent=two, child=one)
    FillingFactory(parent=one, child=two)
    gone = removal.forget_node(node=two, dependents=removal.CASCADE, now=NOW)

    assert (gone, live(event, one)) == ([two.pk], [True, True])


def test_messages_stay_unless_they_are_to_go_too(bond):
    session = SessionFactory(bond=bond, status="closed", summary="Of the cat.")
    line = MessageFactory(session=session)
    event, also = ConceptNodeFactory.create_batch(2, bond=bond, sources=[line])
    removal.forget_node(node=event, now=NOW)
    kept = Message.objects.visible().filter(pk=line.pk).exists()
    removal.forget_node(node=also, lines=removal.FORGET, now=NOW)

    assert (kept, Message.objects.visible().filter(pk=line.pk).exists()) == (True, False)
    assert told(bond, "chat.message.deleted") == [{"message": line.pk}]
    assert prompt_memory.load(bond=bond, now=NOW, loaded_at=NOW, turn_id=uuid4()).sessions == []


def test_a_memory_that_rests_on_a_forgotten_message_says_so(bond):
    line = MessageFactory(session=SessionFactory(bond=bond))
    event, also = ConceptNodeFactory.create_batch(2, bond=bond, sources=[line])
    removal.forget_node(node=event, lines=removal.FORGET, now=NOW)

    also.refresh_from_db()
    assert (also.source_deleted, also.deleted_at) == (True, None)


@pytest.mark.parametrize(("author", "left"), [("slow_tick", ""), ("extraction", ""), ("owner", "A white cat.")])
def test_a_description_made_from_it_is_emptied_but_never_the_owners(bond, author, left):
    event = ConceptNodeFactory(bond=bond, description="Inky jumps.")
    inky = EntityFactory(bond=bond, canonical_name="Inky", description="A white cat.", description_by=author)
    inky.mentions.create(bond=bond, node=event)
    removal.forget_node(node=event, now=NOW)

    [(entity, _)] = lookup.find_named(bond=bond, said="Inky?")
    assert entity.description == left


def test_descriptions_that_stayed_behind_at_a_merge_are_emptied_too(bond):
    event = ConceptNodeFactory(bond=bond, description="Inky jumps.")
    cats = [
        EntityFactory(bond=bond, canonical_name=name, description=f"{name}.", description_by="slow_tick", nodes=nodes)
        for name, nodes in (("Inky the cat", []), ("Inky", [event]), ("Ink", [event]))
    ]
    merging.merge_entities(kept=cats[1], merged=cats[2], by="owner", now=NOW)
    merging.merge_entities(kept=cats[0], merged=cats[1], by="owner", now=NOW)
    removal.forget_node(node=event, now=NOW)

    assert list(Entity.objects.values_list("description", flat=True)) == [""] * 3
    assert told(bond, "memory.entity.description_updated") == [{"entity": cats[0].pk}]
