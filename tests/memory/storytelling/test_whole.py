"""The real lane, with the rules alone: talks become scenes, scenes recaps, recaps a story, once."""

import math
from datetime import timedelta

import pytest

from echovessel.llm.offline.voice import OfflineVoice
from memory.models import Scene, SceneRecap, Story, StoryStep, StoryVersion
from memory.storytelling.work.duties import DUTIES
from tests.support.factories import NOW, BondFactory
from tests.support.lanes import tell
from tests.support.talks import talk

pytestmark = pytest.mark.django_db

DAY = timedelta(days=1)


def test_talks_of_days_become_one_story_without_a_model():
    bond = BondFactory(user__username="mara")
    for day, thing in enumerate(["cat", "garden", "sister", "harbour"]):
        talk(*[f"I told you about the {thing}, part {part}." for part in range(12)], bond=bond, now=NOW + day * DAY)
    now = NOW + 5 * DAY

    for _ in range(3):
        tell(bond, OfflineVoice(), now=now, duties=DUTIES)

    scenes = list(Scene.objects.in_order())
    assert [scene.closed_by for scene in scenes] == ["silence"] * 4
    version = Story.objects.get().current
    assert (version.scene_count, version.excluded_count, version.made_by) == (3, 1, "rules")
    assert {pk for point in version.points for pk in point["scenes"]} == {scene.pk for scene in scenes[:3]}
    assert set(StoryStep.objects.values_list("state", flat=True)) == {"done"}

    made = SceneRecap.objects.count(), StoryVersion.objects.count(), StoryStep.objects.count()
    tell(bond, OfflineVoice(), now=now + DAY, duties=DUTIES)
    assert (SceneRecap.objects.count(), StoryVersion.objects.count(), StoryStep.objects.count()) == made


@pytest.mark.parametrize("count", [3, 9, 10, 12])
def test_one_merge_tells_eight_scenes_that_are_recapped_together(count):
    bond = BondFactory(user__username="mara")
    for day in range(count):
        talk(
            *[f"I told you about the cat of day {day}, part {part}." for part in range(12)],
            bond=bond,
            now=NOW + day * DAY,
        )

    for _ in range(3):
        tell(bond, OfflineVoice(), now=NOW + (count + 1) * DAY, duties=DUTIES)

    assert Story.objects.get().current.scene_count == count - 1
    assert StoryVersion.objects.count() == math.ceil((count - 1) / 8)
