"""What the offline voice told stays when a model comes, or stands in for one."""

import pytest

from memory.models import Story
from memory.story.versions import due
from memory.storytelling.work.due import FinderContext
from memory.storytelling.work.finding import find_recaps
from tests.support.factories import NOW, BondFactory
from tests.support.story_workers import told_bond

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("model", "has_model", "is_due", "is_told"),
    [
        ("", True, True, False),
        ("", False, True, False),
        ("offline", True, False, True),
        ("offline", False, False, True),
    ],
)
def test_recaps_of_the_offline_voice_are_not_made_again_and_are_told(model, has_model, is_due, is_told):
    bond = BondFactory(user__username="mara")
    scenes = told_bond(bond)
    scenes[0].recaps.update(model=model)
    scenes[1].recaps.update(made_by="model", model="m")
    story = Story.objects.create(bond=bond)

    found = find_recaps(FinderContext(bond=bond, story=story, has_model=has_model, now=NOW))
    batch = due.find_batch(story=story, base=None)

    assert [work.target for work in found] == ([scenes[0].pk] if is_due else [])
    assert (batch is not None) is is_told
