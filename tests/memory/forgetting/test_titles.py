import uuid

import pytest
from django_q.models import OrmQ

from memory import tasks
from memory.forgetting import removal, trash
from memory.models import Forgotten, Session
from tests.support.factories import NOW, BondFactory, ConceptNodeFactory, MessageFactory, SessionFactory

pytestmark = pytest.mark.django_db


@pytest.fixture
def session():
    return SessionFactory(bond=BondFactory(user__username="mara"), status="closed", auto_title="Tulips in the garden")


def exchange(session, said, reply):
    turn_id = uuid.uuid4()
    line = MessageFactory(session=session, content=said, turn_id=turn_id)
    return line, MessageFactory(session=session, content=reply, role="persona", turn_id=turn_id)


@pytest.fixture
def lines(session):
    return [
        *exchange(session, "I planted forty tulips in the garden.", "All in one day?"),
        *exchange(session, "My brother repaired the old piano.", "Does it sound well?"),
        *exchange(session, "Tomorrow we bake some plum cake.", "Save me a piece."),
    ]


def title(session):
    return Session.objects.values_list("auto_title", flat=True).get(pk=session.pk)


def name_anew(session):
    queued = [entry.task["args"] for entry in OrmQ.objects.all() if entry.task["func"] == "memory.tasks.title"]
    OrmQ.objects.all().delete()
    assert queued == [(session.pk,)]
    tasks.title(session.pk)
    return title(session)


@pytest.mark.parametrize("at", [0, 1])
def test_a_title_goes_with_a_message_it_was_made_of_and_is_made_anew(session, lines, at):
    removal.forget_message(message=lines[at], now=NOW)

    assert title(session) == ""
    assert name_anew(session) == ("Brother repaired the old piano" if at == 0 else "Planted forty tulips in the garden")


@pytest.mark.parametrize("at", [2, 3])
def test_a_title_stays_where_another_message_goes(session, lines, at):
    removal.forget_message(message=lines[at], now=NOW)

    assert title(session) == "Tulips in the garden"


def test_a_title_made_anew_goes_with_the_message_that_is_first_now(session, lines):
    removal.forget_message(message=lines[0], now=NOW)
    name_anew(session)
    removal.forget_message(message=lines[2], now=NOW)

    assert title(session) == ""
    assert name_anew(session) == "Bake some plum cake"


def test_a_title_tells_no_memory_that_was_forgotten_though_its_message_stays(session, lines):
    removal.forget_node(node=ConceptNodeFactory(bond=session.bond, sources=[lines[0]]), now=NOW)

    assert title(session) == ""
    assert name_anew(session) == "Brother repaired the old piano"


def test_a_restored_message_brings_its_title_back(session, lines):
    removal.forget_message(message=lines[0], now=NOW)
    name_anew(session)

    trash.restore(act=Forgotten.objects.get(), now=NOW)

    assert title(session) == "Tulips in the garden"


def test_a_title_of_which_more_was_forgotten_is_made_anew_when_a_part_comes_back(session, lines):
    removal.forget_message(message=lines[0], now=NOW)
    name_anew(session)
    removal.forget_message(message=lines[2], now=NOW)
    name_anew(session)

    trash.restore(act=Forgotten.objects.order_by("id").first(), now=NOW)

    assert title(session) == ""
    assert name_anew(session) == "Planted forty tulips in the garden"


def test_a_persons_title_stays(session, lines):
    Session.objects.update(title="My own")

    removal.forget_message(message=lines[0], now=NOW)
    tasks.title(session.pk)

    session.refresh_from_db()
    assert (session.title, session.auto_title) == ("My own", "")
