"""Rows of the story that the tables refuse: see `test_constraints`."""

from uuid import uuid4

from memory.models import LineRecap, Scene, SceneRecap, Story, StoryStep, StoryVersion
from tests.support.factories import NOW, BondFactory, MessageFactory

SCENE = {"last_message_id": 1, "closed_by": "silence", "created_at": NOW}
MADE = {"source_hash": "0", "made_by": "rules", "created_at": NOW}


def scene(**more):
    return Scene.objects.create(bond=BondFactory(), **(SCENE | more))


def recap(times=1, **more):
    told = scene()
    for _ in range(times):
        SceneRecap.objects.create(bond=told.bond, scene=told, n=1, **(MADE | more))


def line_recap(**more):
    message = MessageFactory()
    LineRecap.objects.create(bond=message.session.bond, message=message, **(MADE | more))


def story(**more):
    Story.objects.create(bond=BondFactory(), **more)


def version(times=1, **more):
    bond = BondFactory()
    for _ in range(times):
        StoryVersion.objects.create(bond=bond, number=1, **({"made_by": "rules", "created_at": NOW} | more))


def step(times=1, **more):
    bond = BondFactory()
    for _ in range(times):
        StoryStep.objects.create(bond=bond, **({"kind": "merge", "created_at": NOW} | more))


BROKEN_STORY = {
    "scene_closed_by_known": lambda: scene(closed_by="boredom"),
    "scene_recap_number_once": lambda: recap(2),
    "scene_recap_made_by_known": lambda: recap(made_by="cat"),
    "line_recap_status_known": lambda: line_recap(status="perhaps"),
    "line_recap_made_by_known": lambda: line_recap(made_by="cat"),
    "story_keep_scenes_at_most": lambda: story(keep_scenes=11),
    "story_exclude_latest_at_most": lambda: story(exclude_latest=6),
    "story_limit_kind_known": lambda: story(recap_limit_kind="pages"),
    "story_lease_whole": lambda: story(lease_token=uuid4()),
    "story_version_number_once": lambda: version(2),
    "story_version_made_by_known": lambda: version(made_by="cat"),
    "story_step_one_unfinished": lambda: step(2),
    "story_step_kind_known": lambda: step(kind="nap"),
    "story_step_state_known": lambda: step(state="perhaps"),
}
