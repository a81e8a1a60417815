import pytest


@pytest.fixture(autouse=True)
def story_on(settings):
    settings.STORY_ENABLED = True
