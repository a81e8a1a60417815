from datetime import timedelta

import pytest

from echovessel.llm.errors import ModelUnavailableError
from echovessel.llm.offline.voice import OfflineVoice
from memory.models import Message, Scene, SceneRecap, StoryStep
from memory.story.scenes import breaks
from memory.story.settings import get_story
from memory.storytelling.work import finding, story_worker
from memory.storytelling.work.due import FinderContext
from tests.support.factories import NOW, BondFactory
from tests.support.fakes import FakeLLM
from tests.support.scenes import say_lines, say_turn, say_turns

pytestmark = pytest.mark.django_db
LATER = NOW + timedelta(hours=2)


@pytest.fixture(autouse=True)
def switched_on(settings):
    settings.STORY_ENABLED = True


@pytest.fixture
def bond():
    return BondFactory()


def look(find, bond, *, has_model=True, failed=frozenset()):
    context = FinderContext(bond=bond, story=get_story(bond), has_model=has_model, now=LATER, failed_for_good=failed)
    return list(find(context))


def end(bond):
    return breaks.add_break(bond=bond, last_message_id=say_turns(bond, 2)[3].pk, closed_by="silence", now=NOW)


@pytest.mark.parametrize(
    ("columns", "has_model", "is_due"),
    [
        ({"made_by": "rules"}, True, True),
        ({"made_by": "rules"}, False, True),
        ({"made_by": "rules", "model": "offline"}, True, False),
        ({"made_by": "rules", "model": "offline"}, False, False),
        ({"made_by": "model"}, True, False),
        ({"made_by": "model", "source_hash": "0"}, True, True),
        ({"made_by": "person", "source_hash": "0"}, True, False),
        ({"made_by": "import"}, True, False),
    ],
)
def test_a_recap_is_due_where_it_is_hasty_or_outdated(bond, columns, has_model, is_due):
    scene = end(bond)
    SceneRecap.objects.update(**columns)

    found = look(finding.find_recaps, bond, has_model=has_model)

    assert [(work.kind, work.target) for work in found] == ([("scene_recap", scene.pk)] if is_due else [])


def test_a_scene_of_which_all_is_forgotten_is_not_recapped(bond):
    end(bond)
    Message.objects.update(deleted_at=NOW)

    assert look(finding.find_recaps, bond) == []


@pytest.mark.parametrize(("count", "is_due"), [(24, False), (25, True), (201, True)])
def test_a_look_is_due_after_eight_new_borders(bond, count, is_due):
    say_lines(bond, count)

    assert [work.kind for work in look(finding.find_detecting, bond)] == (["detect"] if is_due else [])


@pytest.mark.parametrize(("count", "needs_model"), [(25, True), (201, False)])
def test_rules_divide_a_long_scene_once_the_model_has_failed_for_good(bond, count, needs_model):
    say_lines(bond, count)
    (work,) = look(finding.find_detecting, bond)

    (again,) = look(finding.find_detecting, bond, failed=frozenset([work.key]))

    assert (again.needs_model, again.source_hash == work.source_hash) == (needs_model, needs_model)


def test_the_lane_ends_recaps_and_merges_scenes_without_a_model(bond):
    for at in range(3):
        for _ in range(6):
            say_turn(bond, f"My grandmother told me {at} stories.", now=NOW + at * timedelta(hours=1))

    story_worker.tell(bond_id=bond.pk, llm=OfflineVoice(), clock=lambda: NOW + timedelta(hours=5))

    assert [(one.closed_by, one.recap.model) for one in Scene.objects.in_order()] == [("silence", "offline")] * 3
    assert get_story(bond).current.scene_count == 2
    assert not StoryStep.objects.exclude(state="done").exists()


def test_a_model_that_is_away_leaves_the_scene_with_the_rules_recap(bond):
    end(bond)
    away = ModelUnavailableError("The model server is away.", transient=False)

    story_worker.tell(bond_id=bond.pk, llm=FakeLLM(answers={"scene_recap": away}), clock=lambda: LATER)

    step = StoryStep.objects.get()
    assert (step.kind, step.state, step.error) == ("scene_recap", "failed", "model_unavailable")
    assert Scene.objects.get().recap.made_by == "rules"


def test_an_answer_without_outcomes_is_seen_as_failed_and_tried_again(bond):
    end(bond)
    clock = [LATER]
    good = {"title": "T", "outcomes": [{"text": "The cat jumps.", "lines": [1]}]}
    bad = {"title": "T", "outcomes": []}
    llm = FakeLLM(answers={"scene_recap": [bad, bad, good]})

    story_worker.tell(bond_id=bond.pk, llm=llm, clock=lambda: clock[0])
    failed = StoryStep.objects.get()
    clock[0] += timedelta(hours=1)
    story_worker.tell(bond_id=bond.pk, llm=llm, clock=lambda: clock[0])

    assert (failed.state, failed.error) == ("failed", "model_bad_answer")
    assert "No outcome is left" in failed.detail
    assert Scene.objects.get().recap.made_by == "model"
