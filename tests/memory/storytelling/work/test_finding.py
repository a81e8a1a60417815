from datetime import timedelta

import pytest

from echovessel.llm.errors import ModelUnavailableError
from memory.models import Story, StoryStep
from memory.story.settings import get_story
from memory.story.versions import due
from memory.storytelling import compacting
from memory.storytelling.work import story_worker
from tests.support import story
from tests.support.factories import NOW, BondFactory, MessageFactory, SessionFactory
from tests.support.fakes import FakeLLM

pytestmark = pytest.mark.django_db
LATER = NOW + timedelta(hours=2)


class Away(FakeLLM):
    """A model that cannot be reached."""

    def answer(self, *given, **more):
        raise ModelUnavailableError("away", answered="503")


@pytest.fixture
def bond():
    return BondFactory()


def tell_scenes(bond, count):
    """Make scenes whose recaps by a model have about 300 tokens each."""
    session = SessionFactory(bond=bond, status="closed")
    scenes = [
        story.create_scene(bond, MessageFactory(session=session), text=f"Day {at}.", made_by="model")
        for at in range(count)
    ]
    for scene in scenes:
        texts = [f"Part {at} of {scene.title} {'baked bread ' * 15}"[:200] for at in "abcdef"]
        scene.recap.content["outcomes"] = [{"text": text, "lines": [scene.last_message_id]} for text in texts]
        scene.recap.save()
    return scenes


def fail_for_good(bond, kind, source_hash):
    StoryStep.objects.create(
        bond=bond,
        kind=kind,
        source_hash=source_hash,
        state="failed",
        error="model_unavailable",
        attempts=4,
        created_at=NOW,
        ended_at=NOW,
    )


def work(bond):
    story_worker.tell(bond_id=bond.pk, llm=Away(), clock=lambda: LATER)
    return Story.objects.get(bond=bond).current


@pytest.mark.parametrize(("count", "is_told"), [(2, False), (5, True)], ids=["there is room", "the prompt is full"])
def test_rules_merge_what_a_model_never_did_once_further_scenes_are_full(bond, count, is_told):
    scenes = tell_scenes(bond, count)
    own = get_story(bond)
    fail_for_good(bond, "merge", due.find_batch(story=own, base=None).source_hash)

    version = work(bond)

    assert (version is not None) is is_told
    if is_told:
        assert (version.made_by, version.to_scene) == ("rules", scenes[-2].pk)
        assert "of Day 0" in version.points[0]["text"]


def test_a_cancelled_merge_is_left(bond):
    tell_scenes(bond, 5)
    fail_for_good(bond, "merge", due.find_batch(story=get_story(bond), base=None).source_hash)
    StoryStep.objects.update(state="cancelled", error="")

    assert work(bond) is None


def test_rules_shorten_what_a_model_never_did(bond, settings):
    settings.STORY_TOKENS = 100
    [scene, *_] = tell_scenes(bond, 1)
    points = [story.build_point(f"{at}{'x' * 100}", scene, id=f"p{at}") for at in range(6)]
    before = story.create_version(bond, scene, points=points)
    fail_for_good(bond, "compact", compacting.hash_compaction(get_story(bond)))

    version = work(bond)

    assert (version.base, version.made_by, len(version.points)) == (before, "rules", 3)
