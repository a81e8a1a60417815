import pytest

from chat.turns.prompting import base_context
from memory.models import Message
from tests.support import story
from tests.support.factories import NOW, BondFactory, MessageFactory, SessionFactory
from tests.support.rest import NOT_FOUND, answered, api
from tests.support.running import claimed

pytestmark = pytest.mark.django_db


@pytest.fixture
def bond():
    return BondFactory(user__username="mara")


def test_the_state_of_each_message_is_that_of_the_next_prompt(bond, settings):
    settings.STORY_ENABLED = True
    session = SessionFactory(bond=bond, status="closed")
    made = [MessageFactory.build(session=session, bond=bond, token_count=30) for _ in range(80)]
    messages = Message.objects.bulk_create(made)
    scenes = [story.create_scene(bond, messages[at]) for at in (19, 39, 59)]
    story.create_version(bond, *scenes[:2], points=[story.build_point("They met.", scenes[0])])

    found = api(bond.user).get(f"/api/bonds/{bond.pk}/memory/inclusion/").json()

    states = {line["message"]: line["state"] for line in found["lines"]}
    assert [states[message.pk] for message in messages] == ["covered"] * 40 + ["in_window"] * 40
    assert {key: found[key] for key in ("enabled", "version", "budget", "uncovered")} == {
        "enabled": True,
        "version": 1,
        "budget": 12_000,
        "uncovered": 0,
    }
    assert found["pieces"] == [
        {"name": "story", "tokens": 3, "most": 1200, "count": 1},
        {"name": "scenes", "tokens": 0, "most": 900, "count": 0},
        {"name": "recaps", "tokens": 0, "most": 1500, "count": 0},
        {"name": "window", "tokens": 1200, "most": 4800, "count": 40},
    ]
    held = base_context.load(claimed(bond), NOW).recent_messages
    assert {message.pk for message in held} == {pk for pk, state in states.items() if state == "in_window"}


@pytest.mark.parametrize("has_story", [False, True], ids=["no story", "story"])
def test_a_bond_without_messages_has_none(bond, settings, has_story):
    settings.STORY_ENABLED = has_story
    found = api(bond.user).get(f"/api/bonds/{bond.pk}/memory/inclusion/").json()

    assert (found["enabled"], found["version"], found["lines"]) == (has_story, None, [])


def test_strangers_see_nothing(bond):
    charlie = api(BondFactory(user__username="charlie").user)

    assert answered(charlie.get(f"/api/bonds/{bond.pk}/memory/inclusion/")) == NOT_FOUND
