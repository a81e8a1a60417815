import copy

import pytest

from memory.models import Scene, Story, StoryVersion
from memory.story import settings
from memory.story.inclusion.budget import FIRM_TOKENS
from memory.story.versions import points, writing
from memory.storytelling import rebuilding
from memory.storytelling.work.running import StepChanged, StepDelayed, StepStopped
from tests.memory.storytelling.telling import TellingLLM, merge_all, rebuild, show
from tests.support import worlds
from tests.support.factories import NOW, BondFactory, MessageFactory, SessionFactory
from tests.support.story import build_point, create_scene, create_version

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def twenty_scenes(django_db_setup, django_db_blocker):
    with worlds.shared(made, database=django_db_blocker) as rows:
        yield rows


def made():
    bond = BondFactory()
    session = SessionFactory(bond=bond)
    return bond, [
        create_scene(bond, MessageFactory(session=session), text=f"Event number {at} came.", made_by="model")
        for at in range(20)
    ]


@pytest.fixture
def rows(twenty_scenes):
    return copy.deepcopy(twenty_scenes)


@pytest.fixture
def bond(rows):
    return rows[0]


@pytest.fixture
def scenes(rows):
    return rows[1]


@pytest.fixture
def told(bond, scenes):
    return create_version(bond, *scenes[:19], points=[build_point("All of it.", scenes[0], id="old")])


def load(bond):
    return Story.objects.select_related("current").get(bond=bond)


def test_a_rebuild_goes_link_by_link_and_the_pointer_moves_at_the_end(bond, scenes, told):
    llm = TellingLLM()
    seen = []

    while rebuild(bond, llm=llm, links=1):
        seen.append(
            (load(bond).current, sorted(StoryVersion.objects.exclude(chain=None).values_list("scene_count", flat=True)))
        )

    version = load(bond).current
    assert seen == [(told, [8]), (told, [8, 16]), (told, [8, 16, 19])]
    assert (version.scene_count, version.excluded_count, version.to_scene) == (19, 1, scenes[18].pk)
    assert [text for _, text, *_ in show(version)] == [f"Event number {at} came." for at in range(19)]
    assert (version.number, version.chain, version.base, version.made_by) == (2, None, None, "model")
    assert list(StoryVersion.objects.order_by("number")) == [told, version]
    assert len(llm.calls) == 3


@pytest.mark.parametrize("killed_at", range(3))
def test_a_rebuild_that_is_killed_goes_on_where_it_was(bond, scenes, told, killed_at):
    def kill(_):
        if len(llm.calls) == killed_at + 1 and not killed:
            killed.append(True)
            raise KeyboardInterrupt

    killed = []
    llm = TellingLLM(before_answer=kill)
    with pytest.raises(KeyboardInterrupt):
        rebuild(bond, llm=llm)
    assert load(bond).current == told

    assert rebuild(bond, llm=llm) is False

    version = load(bond).current
    assert [text for _, text, *_ in show(version)] == [f"Event number {at} came." for at in range(19)]
    # The call that was killed is made again, and no other.
    assert len(llm.calls) == 4
    assert StoryVersion.objects.count() == 2


def test_a_rebuild_starts_and_ends_with_what_a_person_wrote(bond, scenes, told):
    writing.edit_text(bond=bond, firm_tokens=FIRM_TOKENS, content="We met in May.\nShe is kind.", base=1, now=NOW)
    rebuild(bond, links=1)
    number = load(bond).current.number
    writing.edit_text(
        bond=bond, firm_tokens=FIRM_TOKENS, content="We met in May.\nThe sea was cold.", base=number, now=NOW
    )

    assert rebuild(bond) is False

    own = [text for _, text, _, by in show(load(bond).current) if by == "person"]
    assert own == ["We met in May.", "The sea was cold."]
    assert StoryVersion.objects.exclude(chain=None).count() == 0


def test_a_link_that_grows_too_long_is_shortened(bond, scenes, told, settings):
    settings.STORY_TOKENS = 100
    llm = TellingLLM()

    rebuild(bond, llm=llm)

    version = load(bond).current
    assert "story_compact" in [call.feature for call in llm.calls]
    assert 0 < points.count_tokens(points.load_points(version)) <= 100
    assert version.scene_count == 19


@pytest.mark.parametrize(
    "disturb",
    [
        lambda bond, scenes: StoryVersion.objects.exclude(chain=None).update(points=[]),
        lambda bond, scenes: Scene.objects.filter(pk=scenes[9].pk).update(recap=None),
        lambda bond, scenes: StoryVersion.objects.exclude(chain=None).delete(),
    ],
    ids=["a link without what was forgotten", "another recap", "a chain that is gone"],
)
def test_a_link_is_not_written_on_what_has_changed(bond, scenes, told, disturb):
    rebuild(bond, links=1)

    with pytest.raises(StepChanged):
        rebuild(bond, llm=TellingLLM(before_answer=lambda _: disturb(bond, scenes)), links=1)

    assert StoryVersion.objects.exclude(chain=None).count() <= 1


def test_a_generation_that_rises_ends_a_rebuild_and_its_links_go(bond, scenes, told):
    rebuild(bond, links=1)

    def switch_off_and_on(_):
        settings.change_settings(bond=bond, changes={"enabled": False}, now=NOW)
        settings.change_settings(bond=bond, changes={"enabled": True}, now=NOW)

    with pytest.raises(StepStopped):
        rebuild(bond, llm=TellingLLM(before_answer=switch_off_and_on), links=1)
    assert list(StoryVersion.objects.all()) == [told]


def test_a_rebuild_waits_while_it_cannot_tell_what_the_current_version_tells(bond, scenes, told):
    scenes[18].recap.made_by = "rules"
    scenes[18].recap.save()

    with pytest.raises(StepDelayed):
        rebuild(bond)

    assert load(bond).current == told
    scenes[18].recap.made_by = "model"
    scenes[18].recap.save()
    assert rebuild(bond) is False
    assert load(bond).current.scene_count == 19


def test_without_anything_to_tell_a_rebuild_changes_nothing():
    bond = BondFactory()
    version = create_version(bond)

    assert rebuild(bond) is False
    assert load(bond).current == version


def test_a_rebuild_is_due_after_sixteen_merges_and_while_it_runs(bond, scenes):
    first = create_version(bond)
    versions = [create_version(bond, *scenes[:19], base=first) for _ in range(15)]
    create_version(bond, base=first, made_by="person")
    assert not rebuilding.is_due(load(bond))

    versions.append(create_version(bond, *scenes[:19], base=first))
    story = load(bond)
    assert rebuilding.is_due(story)
    due_hash = rebuilding.hash_rebuild(story)

    while rebuild(bond, links=1):
        assert rebuilding.is_due(load(bond))
        assert rebuilding.hash_rebuild(load(bond)) == due_hash
    assert not rebuilding.is_due(load(bond))
    assert rebuilding.hash_rebuild(load(bond)) != due_hash


def test_merges_go_on_beside_a_rebuild(bond, scenes, told):
    rebuild(bond, links=1)
    last = MessageFactory(session=bond.sessions.get())
    create_scene(bond, last, text="Event number 20 came.", made_by="model")

    merge_all(bond)
    assert rebuild(bond) is False

    assert load(bond).current.scene_count == 20
