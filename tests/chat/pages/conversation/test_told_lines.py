import pytest
from django.test import Client

from memory.models import Message
from tests.support import story
from tests.support.factories import BondFactory, MessageFactory, SessionFactory

pytestmark = pytest.mark.django_db


@pytest.fixture
def bond():
    return BondFactory(user__username="mara", persona__name="Marian")


@pytest.fixture
def session(bond):
    return SessionFactory(bond=bond)


def ask(bond, user=None, **query):
    client = Client()
    client.force_login(user or bond.user)
    return client.get(f"/bonds/{bond.pk}/lines/told/", query)


def test_messages_say_what_becomes_of_them(bond, session):
    made = [MessageFactory.build(session=session, bond=bond, token_count=30) for _ in range(80)]
    said = Message.objects.bulk_create(made)
    scenes = [story.create_scene(bond, said[at]) for at in (19, 39, 59)]
    story.create_version(bond, *scenes[:2])
    Message.objects.filter(pk__in=[said[0].pk, said[-1].pk]).update(left_out=True)

    found = ask(bond, lines=f"{said[0].pk},{said[1].pk},{said[-1].pk}").json()

    assert found == {
        "lines": {
            str(said[0].pk): {
                "label": "In the story · Left out of memory",
                "why": "Marian knows it by the story. You left it out of memory.",
                "left_out": True,
            },
            str(said[1].pk): {"label": "In the story", "why": "Marian knows it by the story.", "left_out": False},
            str(said[-1].pk): {
                "label": "Word for word · Left out of memory",
                "why": "Marian reads it word for word, as it is recent. You left it out of memory.",
                "left_out": True,
            },
        },
        "has_left": False,
    }


@pytest.mark.parametrize(("tokens", "has_left"), [(240, False), (241, True)], ids=["4 800 tokens", "4 820 tokens"])
def test_a_session_says_when_its_first_message_has_left_the_window(bond, session, tokens, has_left):
    MessageFactory.create_batch(20, session=session, token_count=tokens)

    assert ask(bond, session=session.pk).json() == {"lines": {}, "has_left": has_left}


def test_where_no_story_is_told_nothing_is_said(bond, session, settings):
    settings.STORY_ENABLED = False
    line, out = MessageFactory(session=session), MessageFactory(session=session, left_out=True)

    assert ask(bond, lines=f"{line.pk},{out.pk}", session=session.pk).json() == {
        "lines": {
            str(line.pk): {"label": "", "why": "", "left_out": False},
            str(out.pk): {"label": "Left out of memory", "why": "You left it out of memory.", "left_out": True},
        },
        "has_left": False,
    }


def test_what_is_no_message_of_the_bond_is_passed_over(bond):
    elsewhere = MessageFactory(session__bond=BondFactory(user__username="charlie"))

    found = ask(bond, lines=f"x,,-1,{2**70},{elsewhere.pk}", session=elsewhere.session_id).json()

    assert found == {"lines": {}, "has_left": False}


def test_strangers_are_told_nothing(bond, session):
    charlie = BondFactory(user__username="charlie").user

    assert ask(bond, charlie, lines=MessageFactory(session=session).pk).status_code == 404
