"""Two workers, a worker that dies at any statement, bonds side by side: everything is done once."""

from collections import Counter
from datetime import timedelta

import pytest
from django.db import transaction

from echovessel.llm.offline.voice import OfflineVoice
from memory.models import EntityRemark, Scene, SceneRecap, Story, StoryStep, StoryVersion
from memory.storytelling.work import waking
from memory.storytelling.work.step_handlers import STEP_HANDLERS
from tests.memory.consolidation.test_kill import SHORT_AND_LONG, Killed, ends, killed_at, noted
from tests.memory.test_races import at_once
from tests.support.factories import NOW, BondFactory
from tests.support.story_workers import Recapper, tell, told_bond
from tests.support.talks import talk

QUIET = NOW + timedelta(minutes=1)
LATER = NOW + timedelta(minutes=12)


def told() -> Counter[int]:
    return Counter(SceneRecap.objects.filter(made_by="model").values_list("scene", flat=True))


def rows():
    """What is told, and the steps; those of a worker that died are taken up again."""
    story = Story.objects.get()
    return (
        told(),
        sorted(StoryStep.objects.values_list("kind", "target", "state", "attempts", "error")),
        (story.lease_token, story.attempt_count),
    )


@pytest.mark.django_db
@SHORT_AND_LONG
def test_killed_at_any_statement_each_scene_is_told_once(settings, everywhere):
    settings.STORY_ENABLED = True
    bond = BondFactory(user__username="mara")
    told_bond(bond)
    undone = transaction.savepoint()
    with noted() as transactions:
        tell(bond, Recapper(), now=QUIET)
    undisturbed = rows()
    transaction.savepoint_rollback(undone)

    for number in range(1, len(transactions) + 1) if everywhere else ends(transactions):
        with pytest.raises(Killed), killed_at(number):
            tell(bond, Recapper(), now=QUIET)
        transaction.set_rollback(False)
        tell(bond, Recapper(), now=LATER)
        assert rows() == undisturbed, f"killed at statement {number}"
        transaction.savepoint_rollback(undone)
    assert len(transactions) > 10


def whole():
    """All that the work on a story leaves, without ids that differ from run to run."""
    scenes = list(Scene.objects.in_order().select_related("recap"))
    places = {scene.pk: at for at, scene in enumerate(scenes)}
    return (
        [(scene.last_message_id, scene.closed_by, scene.title, scene.recap.n) for scene in scenes],
        [(places[one.scene_id], one.n, one.content, one.made_by) for one in SceneRecap.objects.order_by("scene", "n")],
        [
            [point | {"id": "", "scenes": [places[pk] for pk in point["scenes"]]} for point in version.points]
            for version in StoryVersion.objects.order_by("number")
        ],
        sorted(EntityRemark.objects.values_list("entity__canonical_name", "label", "text")),
        sorted(StoryStep.objects.values_list("kind", "state", "attempts", "error")),
    )


@pytest.mark.django_db
@SHORT_AND_LONG
def test_killed_at_any_statement_of_any_work_the_story_is_told_once(settings, everywhere):
    settings.STORY_ENABLED = True
    bond = BondFactory(user__username="mara")
    for day, thing in enumerate(["cat Nimbus", "garden"]):
        said = [f"I told my sister Yiyang about the {thing}, part {part}." for part in range(10)]
        talk(*said, bond=bond, now=NOW + timedelta(days=day))
    quiet, later = NOW + timedelta(days=4), NOW + timedelta(days=4, minutes=12)
    undone = transaction.savepoint()
    with noted() as transactions:
        tell(bond, OfflineVoice(), now=quiet, handlers=STEP_HANDLERS)
    undisturbed = whole()
    transaction.savepoint_rollback(undone)

    # Of the many transactions the short form walks every fourth end.
    for number in range(1, len(transactions) + 1) if everywhere else ends(transactions)[::4]:
        with pytest.raises(Killed), killed_at(number):
            tell(bond, OfflineVoice(), now=quiet, handlers=STEP_HANDLERS)
        transaction.set_rollback(False)
        tell(bond, OfflineVoice(), now=later, handlers=STEP_HANDLERS)
        assert whole() == undisturbed, f"killed at statement {number}"
        transaction.savepoint_rollback(undone)
    assert {kind for kind, *_ in undisturbed[-1]} >= {"merge", "scene_recap", "cards"}


@pytest.mark.django_db(transaction=True)
def test_two_workers_and_two_scanners_tell_two_bonds_once_side_by_side(settings):
    settings.STORY_ENABLED = True
    bonds = [BondFactory(user__username=name) for name in ("mara", "lin")]
    scenes = [scene.pk for bond in bonds for scene in told_bond(bond, scenes=3)]
    llm = Recapper()

    def worker(*order):
        return lambda: [tell(bond, llm, now=QUIET) for bond in order]

    at_once(worker(*bonds), worker(*reversed(bonds)), worker(*bonds), *[lambda: waking.requeue(now=QUIET)] * 2)
    for bond in bonds:
        tell(bond, Recapper(), now=QUIET)

    assert told() == Counter(scenes)
    assert len(llm.calls) == len(scenes)
    assert set(StoryStep.objects.values_list("state", flat=True)) == {"done"}
    assert set(Story.objects.values_list("lease_token", "attempt_count")) == {(None, 0)}


@pytest.mark.django_db
def test_a_worker_that_lost_its_story_in_mid_call_writes_nothing(settings):
    settings.STORY_ENABLED = True
    bond = BondFactory(user__username="mara")
    told_bond(bond, scenes=1)

    class Slow(Recapper):
        def answer(self, messages, **more):
            # Ten minutes later another worker takes it over, and is done first.
            tell(bond, Recapper(), now=LATER)
            return super().answer(messages, **more)

    tell(bond, Slow(), now=QUIET)

    assert list(told().values()) == [1]
    assert list(StoryStep.objects.values_list("state", flat=True)) == ["done"]
