"""The real worker, with the rules alone: talks become scenes, scenes recaps, recaps a story, once."""

import math
from datetime import timedelta

import pytest

from echovessel.llm.offline.voice import OfflineVoice
from memory.forgetting import purging, removal, trash
from memory.models import Entity, Forgotten, Message, Scene, SceneRecap, Story, StoryStep, StoryVersion
from memory.storytelling.work.step_handlers import STEP_HANDLERS
from tests.support.dumping import tables_with
from tests.support.factories import NOW, BondFactory
from tests.support.story_workers import tell
from tests.support.talks import talk

pytestmark = pytest.mark.django_db

DAY = timedelta(days=1)
ZYMURGY = "My grandmother Zymurgy died in Graz on Tuesday, and I cried."


def test_talks_of_days_become_one_story_without_a_model():
    bond = BondFactory(user__username="mara")
    for day, thing in enumerate(["cat", "garden", "sister", "harbour"]):
        talk(*[f"I told you about the {thing}, part {part}." for part in range(12)], bond=bond, now=NOW + day * DAY)
    now = NOW + 5 * DAY

    for _ in range(3):
        tell(bond, OfflineVoice(), now=now, handlers=STEP_HANDLERS)

    scenes = list(Scene.objects.in_order())
    assert [scene.closed_by for scene in scenes] == ["silence"] * 4
    version = Story.objects.get().current
    assert (version.scene_count, version.excluded_count, version.made_by) == (3, 1, "rules")
    assert {pk for point in version.points for pk in point["scenes"]} == {scene.pk for scene in scenes[:3]}
    assert set(StoryStep.objects.values_list("state", flat=True)) == {"done"}

    made = SceneRecap.objects.count(), StoryVersion.objects.count(), StoryStep.objects.count()
    tell(bond, OfflineVoice(), now=now + DAY, handlers=STEP_HANDLERS)
    assert (SceneRecap.objects.count(), StoryVersion.objects.count(), StoryStep.objects.count()) == made


@pytest.mark.parametrize("count", [3, 9, 10])
def test_one_merge_tells_eight_scenes_that_are_recapped_together(count):
    bond = BondFactory(user__username="mara")
    for day in range(count):
        talk(
            *[f"I told you about the cat of day {day}, part {part}." for part in range(12)],
            bond=bond,
            now=NOW + day * DAY,
        )

    for _ in range(3):
        tell(bond, OfflineVoice(), now=NOW + (count + 1) * DAY, handlers=STEP_HANDLERS)

    assert Story.objects.get().current.scene_count == count - 1
    assert StoryVersion.objects.count() == math.ceil((count - 1) / 8)


def test_what_is_forgotten_leaves_the_story_and_is_told_again_once_it_is_restored():
    bond = BondFactory(user__username="mara")
    for day, thing in enumerate(["cat", "garden", "piano", "harbour"]):
        told = [f"I told you about the {thing}, part {part}." for part in range(12)]
        talk(*([ZYMURGY, *told] if day == 0 else told), bond=bond, now=NOW + day * DAY)
    now = NOW + 5 * DAY
    secret = Message.objects.filter(role="user").order_by("id").first()

    def work():
        for _ in range(3):
            tell(bond, OfflineVoice(), now=now, handlers=STEP_HANDLERS)
        return [point["text"] for point in Story.objects.get().current.points]

    def is_told(told):
        return any("Zymurgy" in text for text in told)

    assert is_told(work())
    assert {entity.canonical_name for entity in Entity.objects.not_deleted()} == {"Zymurgy", "Graz"}

    removal.forget_message(message=secret, now=now)
    kept = ["memory_entity", "memory_entityalias", "memory_message"]
    assert tables_with("Zymurgy") == kept
    told = work()
    assert told
    assert not is_told(told)
    assert not Entity.objects.not_deleted().exists()
    assert Story.objects.get().current.untold == []

    trash.restore(act=Forgotten.objects.get(), now=now)
    assert not is_told([point["text"] for point in Story.objects.get().current.points])
    assert is_told(work())
    assert {entity.canonical_name for entity in Entity.objects.not_deleted()} == {"Zymurgy", "Graz"}


def test_a_name_that_only_cards_know_is_erased_with_its_message():
    bond = BondFactory(user__username="mara")
    told = [f"I told you about the cat, part {part}." for part in range(12)]
    named = "My brother Quillfeather came from Split and cried, too."
    talk(ZYMURGY, named, *told, bond=bond, now=NOW)
    talk(*told, "I called Quillfeather again.", bond=bond, now=NOW + DAY)
    first, second = Message.objects.filter(role="user").order_by("id")[:2]
    for _ in range(3):
        tell(bond, OfflineVoice(), now=NOW + 3 * DAY, handlers=STEP_HANDLERS)
    assert {"Zymurgy", "Quillfeather"} <= {entity.canonical_name for entity in Entity.objects.not_deleted()}

    for message in (first, second):
        removal.forget_message(message=message, now=NOW + 3 * DAY)
    purging.purge(now=NOW + 34 * DAY)

    assert tables_with("Zymurgy") == []
    assert [entity.canonical_name for entity in Entity.objects.all()] == ["Quillfeather"]
