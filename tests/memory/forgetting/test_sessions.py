from datetime import timedelta

import pytest

from memory.forgetting import sessions
from memory.forgetting.sessions import SessionForgetting
from memory.models import ConceptNode, Forgotten, Message, Session
from tests.support.factories import NOW, BondFactory, ConceptNodeFactory, FillingFactory, MessageFactory, SessionFactory

pytestmark = pytest.mark.django_db
LATER = NOW + timedelta(minutes=1)


@pytest.fixture
def bond():
    return BondFactory(user__username="mara")


@pytest.fixture
def session(bond):
    return SessionFactory(bond=bond, status="closed", title="The cat")


@pytest.fixture
def lines(session):
    return [MessageFactory(session=session), MessageFactory(session=session, content="She is white.")]


@pytest.fixture
def alone(bond, lines):
    """A memory that rests on this session, and another that has a line elsewhere too."""
    other = MessageFactory(session=SessionFactory(bond=bond, status="closed"))
    ConceptNodeFactory(bond=bond, description="The cat is well known.", sources=[lines[1], other])
    return ConceptNodeFactory(bond=bond, sources=lines)


def live():
    nodes = ConceptNode.objects.filter(deleted_at=None).order_by("id")
    return list(nodes.values_list("pk", "source_deleted")), Message.objects.visible().count()


def test_what_goes_is_told_before(session, lines, alone):
    MessageFactory(session=session, role="persona", chosen=False)

    assert sessions.preview_forgetting(session) == SessionForgetting(lines=2, memories=[alone], others=1)


def test_what_rests_on_its_memories_alone_goes_with_them_and_comes_back(bond, session, alone):
    thought = ConceptNodeFactory(bond=bond, type="thought", description="The cat matters.")
    further = ConceptNodeFactory(bond=bond, type="thought", description="So do all animals.")
    mixed = ConceptNodeFactory(bond=bond, type="thought", description="Homes matter.")
    known = ConceptNode.objects.get(description="The cat is well known.")
    for parent, child in ((thought, alone), (further, thought), (mixed, alone), (mixed, known)):
        FillingFactory(parent=parent, child=child)

    assert sessions.preview_forgetting(session) == SessionForgetting(
        lines=2, memories=[alone, thought, further], others=2
    )
    sessions.forget(session=session, has_memories_go=True, now=NOW)
    assert [pk for pk, _ in live()[0]] == [known.pk, mixed.pk]
    sessions.restore(bond=bond, session_id=session.pk, now=NOW)
    assert {pk for pk, _ in live()[0]} == {alone.pk, known.pk, thought.pk, further.pk, mixed.pk}


@pytest.mark.parametrize("has_memories_go", [False, True])
def test_all_that_went_comes_back_as_it_was(bond, session, alone, has_memories_go):
    before = live()

    sessions.forget(session=session, has_memories_go=has_memories_go, now=NOW)

    nodes, lines = live()
    assert (alone.pk in dict(nodes), lines) == (not has_memories_go, 1)
    sessions.restore(bond=bond, session_id=session.pk, now=LATER)
    assert live() == before
    assert Session.objects.for_bond(bond).filter(title="The cat").exists()
    assert not Forgotten.objects.exists()


def test_what_was_forgotten_at_another_time_stays_forgotten(bond, session, alone):
    earlier = SessionFactory(bond=bond, status="closed")
    sessions.forget(session=earlier, has_memories_go=True, now=NOW)
    sessions.forget(session=session, has_memories_go=True, now=LATER)

    sessions.restore(bond=bond, session_id=session.pk, now=LATER)

    assert [act.object_id for act in Forgotten.objects.all()] == [earlier.pk]
