from datetime import timedelta

import pytest
import time_machine

from memory import tasks
from memory.forgetting import purging, removal, trash
from memory.models import Topic
from tests.support.factories import (
    NOW,
    BondFactory,
    ConceptNodeFactory,
    EntityFactory,
    MessageFactory,
    SessionFactory,
    TopicFactory,
)

pytestmark = pytest.mark.django_db


@pytest.fixture
def bond():
    return BondFactory(user__username="mara")


@pytest.fixture
def session(bond):
    return SessionFactory(bond=bond, status="closed")


def left():
    return list(Topic.objects.order_by("id"))


def test_forgetting_a_message_deletes_the_topics_of_its_session(bond, session):
    elsewhere = TopicFactory(session__bond=bond, session__status="closed")
    TopicFactory(session=session)
    TopicFactory(session=elsewhere.session, session_ids=[session.pk, elsewhere.session_id])

    removal.forget_message(message=MessageFactory(session=session), now=NOW)

    assert left() == [elsewhere]


def test_forgetting_a_memory_deletes_the_topics_of_the_sessions_it_was_told_in(bond, session):
    elsewhere = TopicFactory(session__bond=bond, session__status="closed")
    told = TopicFactory(session__bond=bond, session__status="closed").session
    TopicFactory(session=session)
    node = ConceptNodeFactory(bond=bond, session=session, sources=[MessageFactory(session=told)])

    removal.forget_node(node=node, now=NOW)

    assert left() == [elsewhere]


def test_forgetting_a_session_deletes_its_topics_for_good(bond, session):
    elsewhere = TopicFactory(session__bond=bond, session__status="closed")
    TopicFactory(session=session)

    removal.forget_session(session=session, now=NOW)
    trash.restore(act=trash.find(bond=bond, kind="session", object_id=session.pk), now=NOW)

    assert left() == [elsewhere]


def test_forgetting_an_entity_deletes_the_topics_that_name_it_or_what_was_merged_into_it(bond, session):
    lin = EntityFactory(bond=bond, canonical_name="Lin")
    aunt = EntityFactory(bond=bond, canonical_name="Auntie Lin", merged_into=lin)
    other = TopicFactory(session=session, entity_ids=[EntityFactory(bond=bond, canonical_name="Peg").pk])
    for entity in (lin, aunt):
        TopicFactory(session=session, entity_ids=[entity.pk])

    removal.forget_entity(entity=lin, now=NOW)

    assert left() == [other]


def test_the_topics_of_another_bond_stay(session):
    foreign = TopicFactory(session_ids=[session.pk])

    removal.forget_session(session=session, now=NOW)

    assert left() == [foreign]


def test_purging_erases_what_a_turn_noted_while_it_was_forgotten(bond, session):
    lin = EntityFactory(bond=bond, canonical_name="Lin")
    removal.forget_entity(entity=lin, now=NOW)
    TopicFactory(session=session, entity_ids=[lin.pk])

    purging.purge(now=NOW + timedelta(days=31))

    assert left() == []


@pytest.mark.parametrize(("age", "count"), [(timedelta(days=13, hours=23), 1), (timedelta(days=14, hours=1), 0)])
def test_topics_are_kept_for_14_days(session, age, count):
    TopicFactory(session=session, began_at=NOW - age)

    with time_machine.travel(NOW, tick=False):
        tasks.purge()

    assert Topic.objects.count() == count
