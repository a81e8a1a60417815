import pytest

from memory.models import Message, Story, Tombstone
from memory.story.inclusion import included, loading, states
from memory.story.inclusion.message_states import State
from tests.memory.story.inclusion.test_included import talk
from tests.support import story
from tests.support.factories import NOW, BondFactory, MessageFactory, SessionFactory

pytestmark = pytest.mark.django_db


@pytest.fixture
def bond():
    return BondFactory(user__username="mara")


@pytest.fixture
def session(bond):
    return SessionFactory(bond=bond)


def load(bond, *messages):
    found = states.load_states(bond, messages, firm_tokens=2000)
    return [found.get(message.pk) for message in messages]


def test_states_are_those_of_the_prompt_and_of_what_the_story_tells(bond, session):
    messages = talk(session, 100)
    scenes = [story.create_scene(bond, messages[at]) for at in (10, 30, 50, 70, 90)]
    story.create_version(bond, *scenes[:4])
    prompt = included.include(loading.load(bond), firm_tokens=2000).messages.states

    assert messages[0].pk not in prompt
    assert load(bond, *messages) == [State.COVERED] * 71 + [State.IN_WINDOW] * 29


def test_what_is_too_old_for_any_prompt_has_its_state(bond, session, monkeypatch):
    out = MessageFactory(session=session, left_out=True)
    gone, short = MessageFactory(session=session), MessageFactory(session=session, token_count=7)
    Tombstone.objects.create(
        bond=bond, of="node", object_id=1, mark="x", lines=[gone.pk], last_message_id=gone.pk, created_at=NOW
    )
    old = MessageFactory(session=session, token_count=8)
    empty = MessageFactory(session=session, token_count=8, content="🎉")
    talk(session, loading.MESSAGES_MOST)

    expected = [State.LEFT_OUT, State.FORGOTTEN, State.SKIPPED, State.OVER_LIMIT, State.NO_RECAP]
    assert load(bond, out, gone, short, old, empty) == expected


def test_another_reply_and_a_deleted_message_have_none(bond, session):
    variant = MessageFactory(session=session, role="persona", chosen=False)
    deleted = MessageFactory(session=session, deleted_at=NOW)
    newest = MessageFactory(session=session)

    assert load(bond, variant, deleted, newest) == [None, None, State.IN_WINDOW]


@pytest.mark.parametrize("way", ["for all", "for this bond"])
def test_where_no_story_is_told_no_message_has_a_state(bond, session, settings, way, django_assert_num_queries):
    message = MessageFactory(session=session)
    settings.STORY_ENABLED = way != "for all"
    Story.objects.create(bond=bond, enabled=False)

    with django_assert_num_queries(0 if way == "for all" else 1):
        assert load(bond, message) == [None]


def test_another_bond_changes_nothing(bond, session):
    message = MessageFactory(session=session)
    charlie = SessionFactory(bond=BondFactory(user__username="charlie"))
    story.create_version(charlie.bond, story.create_scene(charlie.bond, talk(charlie, 30)[-1]))

    assert load(bond, message) == [State.IN_WINDOW]
    assert Message.objects.for_bond(bond).count() == 1
