import pytest
import time_machine

from memory.models import Story
from tests.support.factories import NOW, BondFactory, MessageFactory, SessionFactory
from tests.support.story import create_scene


@pytest.fixture(autouse=True)
def tonight():
    with time_machine.travel(NOW, tick=False):
        yield


@pytest.fixture(autouse=True)
def with_story(settings):
    settings.STORY_ENABLED = True


@pytest.fixture
def bond():
    bond = BondFactory(user__username="mara")
    Story.objects.create(bond=bond)
    return bond


@pytest.fixture
def scenes(bond):
    session = SessionFactory(bond=bond, message_count=9)
    return [
        create_scene(bond, [MessageFactory(session=session) for _ in range(3)][-1], text=f"Event {at} came.")
        for at in range(3)
    ]
