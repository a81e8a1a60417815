import pytest
from django_q.models import OrmQ

from memory.forgetting import rest_of_chat, trash
from memory.models import ConceptNode, Entity, Filling, Forgotten, Mention, Message, Session
from tests.support.factories import (
    NOW,
    BondFactory,
    ConceptNodeFactory,
    EntityFactory,
    MessageFactory,
    SessionFactory,
)

pytestmark = pytest.mark.django_db


@pytest.fixture
def bond():
    return BondFactory(user__username="mara")


@pytest.fixture
def talk(bond):
    """Four messages of one chat."""
    session = SessionFactory(bond=bond, message_count=4, token_count=32)
    roles = ("user", "persona", "user", "persona")
    return [MessageFactory(session=session, role=role, content=f"Message {n}.") for n, role in enumerate(roles)]


def there(model):
    return list(model.objects.filter(deleted_at=None).order_by("id"))


def test_a_message_goes_with_all_later_ones_of_its_chat_and_no_other(bond, talk):
    other = MessageFactory(session=SessionFactory(bond=bond, status="closed"))
    stranger = MessageFactory()
    going = rest_of_chat.find(talk[2])

    act = rest_of_chat.forget(talk[2], now=NOW)

    assert going.messages == [talk[2].pk, talk[3].pk] == act.line_ids
    assert there(Message) == [*talk[:2], other, stranger]
    assert (act.kind, act.object_id, Session.objects.get(pk=talk[0].session_id).message_count) == (
        "message",
        talk[2].pk,
        2,
    )


def test_what_was_learned_from_them_alone_goes_at_any_depth_and_the_rest_stays(bond, talk):
    alone = ConceptNodeFactory(bond=bond, sources=[talk[2]])
    told_before_too = ConceptNodeFactory(bond=bond, description="She paints.", sources=[talk[0], talk[2]])
    thought = ConceptNodeFactory(bond=bond, type="thought", description="Cats.", evidence=[alone])
    above = ConceptNodeFactory(bond=bond, type="expectation", description="More cats.", evidence=[thought])
    supported = ConceptNodeFactory(bond=bond, type="thought", description="Art.", evidence=[alone, told_before_too])
    cat = EntityFactory(bond=bond, canonical_name="Nimbus")
    Mention.objects.create(bond=bond, entity=cat, node=alone)
    going = rest_of_chat.find(talk[2])

    act = rest_of_chat.forget(talk[2], now=NOW)

    assert [node.pk for node in going.nodes] == [alone.pk, thought.pk, above.pk] == act.node_ids
    assert there(ConceptNode) == [told_before_too, supported]
    assert (there(Entity), act.entity_ids) == ([], [cat.pk])
    assert ConceptNode.objects.get(pk=told_before_too.pk).source_deleted


def test_one_restore_brings_all_of_it_back(bond, talk):
    alone = ConceptNodeFactory(bond=bond, sources=[talk[2]])
    thought = ConceptNodeFactory(bond=bond, type="thought", description="Cats.", evidence=[alone])
    act = rest_of_chat.forget(talk[2], now=NOW)

    trash.restore(act=act, now=NOW)

    assert (there(Message), there(ConceptNode)) == (talk, [alone, thought])
    assert (Filling.objects.get().orphaned, Session.objects.get().message_count) == (False, 4)
    assert not Forgotten.objects.exists()


def test_the_summary_is_written_anew(bond, talk):
    Session.objects.update(summary="Of the cat.", watermark=talk[3].pk)

    rest_of_chat.forget(talk[2], now=NOW)

    assert (Session.objects.get().summary, OrmQ.objects.get().task["func"]) == ("", "memory.tasks.summarise")


def test_off_the_record_all_of_it_is_erased(bond, talk):
    Session.objects.update(off_record=True)
    message = Message.objects.get(pk=talk[2].pk)

    act = rest_of_chat.forget(message, now=NOW)

    assert (act, list(Message.objects.order_by("id")), Forgotten.objects.count()) == (None, talk[:2], 0)
