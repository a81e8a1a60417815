from datetime import timedelta

import pytest

from echovessel.models import BondEvent
from memory.models import Message, Story, StoryVersion
from memory.story.inclusion.budget import FIRM_TOKENS
from memory.story.versions import points, writing
from memory.story.versions.points import PointRefused
from memory.story.versions.writing import StoryConflict, VersionContent
from tests.support.factories import NOW, BondFactory, ConceptNodeFactory, MessageFactory, SessionFactory
from tests.support.story import build_point, create_scene, create_version

pytestmark = pytest.mark.django_db


@pytest.fixture
def bond():
    return BondFactory()


@pytest.fixture
def scenes(bond):
    session = SessionFactory(bond=bond)
    return [create_scene(bond, MessageFactory(session=session), text=f"Scene {at}.") for at in range(3)]


def current(bond):
    return Story.objects.get(bond=bond).current


def create(bond, content, *, made_by="rules", base=None):
    story = writing.lock(bond)
    version = writing.create_version(bond=bond, content=content, made_by=made_by, base=base, now=NOW)
    writing.make_current(story, version, now=NOW)
    return version


def test_a_version_knows_its_scenes_in_their_order(bond, scenes):
    told = {scene.pk: scene.recap_id for scene in reversed(scenes)}
    point = build_point("The cat jumps.", scenes[1])
    content = VersionContent(
        points=points.load_points(StoryVersion(points=[point])),
        recaps=told | {99_999: 1},
        untold=frozenset({scenes[1].pk, 99_999}),
        excluded_count=2,
    )

    version = create(bond, content)

    version.refresh_from_db()
    assert (version.number, version.from_scene, version.to_scene) == (1, scenes[0].pk, scenes[2].pk)
    assert (version.scene_count, version.excluded_count, version.untold) == (3, 2, [scenes[1].pk])
    assert version.recaps == {str(pk): recap for pk, recap in told.items()}
    assert (version.points, version.token_count) == ([point], 5)
    assert current(bond) == version
    event = BondEvent.objects.get(bond_id=bond.pk, type="memory.story.updated")
    assert event.refs == {"version": 1}


def test_numbers_go_on_from_the_highest_of_the_bond(bond):
    create_version(bond)
    StoryVersion.objects.update(number=41)
    create_version(BondFactory())

    assert create(bond, VersionContent()).number == 42


def test_the_points_are_weighed_as_a_version_becomes_current(bond, scenes):
    lines = [scene.last_message_id for scene in scenes]
    for line, impact, deleted_at in ((lines[0], -8, None), (lines[0], 5, None), (lines[1], 9, NOW)):
        node = ConceptNodeFactory(bond=bond, emotional_impact=impact, deleted_at=deleted_at)
        node.source_messages.add(line, through_defaults={"bond": bond})
    Message.objects.filter(pk=lines[2]).update(kept_at=NOW)
    told = [build_point("The cat jumps.", scene, id=f"p{at}") for at, scene in enumerate(scenes)]

    content = VersionContent(
        points=points.load_points(StoryVersion(points=told)), recaps={scene.pk: scene.recap_id for scene in scenes}
    )
    create(bond, content)

    assert [point["weight"] for point in current(bond).points] == [8, 0, 10]


def test_an_edit_keeps_the_points_of_lines_that_stay(bond, scenes):
    stays = build_point("Mara left the bank.", scenes[0], id="a")
    before = create_version(bond, *scenes, points=[stays, build_point("It rained.", scenes[1], id="b")])

    after = writing.edit_text(
        bond=bond,
        firm_tokens=FIRM_TOKENS,
        content="# What happened\n- Mara left the bank.\n- Ida has the pin code 4711.",
        base=1,
        now=NOW,
    )

    assert (after.number, after.made_by, after.base, current(bond)) == (2, "person", before, after)
    assert after.points[0] == stays
    assert [(one["text"], one["by"], one["scenes"]) for one in after.points[1:]] == [
        ("Ida has the pin code [secret].", "person", [])
    ]
    assert (after.to_scene, after.recaps) == (before.to_scene, before.recaps)


def test_an_edit_that_changes_nothing_makes_no_version(bond, scenes):
    before = create_version(bond, *scenes, points=[build_point("It rained.", scenes[0])])

    assert (
        writing.edit_text(bond=bond, firm_tokens=FIRM_TOKENS, content="it rained.".capitalize(), base=1, now=NOW)
        == before
    )
    assert StoryVersion.objects.count() == 1


def test_a_person_may_write_the_first_version_and_empty_it_again(bond):
    first = writing.edit_text(bond=bond, firm_tokens=FIRM_TOKENS, content="We met in May.", base=None, now=NOW)
    second = writing.edit_text(bond=bond, firm_tokens=FIRM_TOKENS, content=" \n", base=1, now=NOW)

    assert ([one["text"] for one in first.points], second.points, second.number) == (["We met in May."], [], 2)


@pytest.mark.parametrize("base", [None, 2])
def test_an_edit_of_another_version_than_the_current_one_is_a_conflict(bond, base):
    create_version(bond)

    with pytest.raises(StoryConflict) as refused:
        writing.edit_text(bond=bond, firm_tokens=FIRM_TOKENS, content="It rained.", base=base, now=NOW)

    assert refused.value.code == "conflict"
    assert StoryVersion.objects.count() == 1


def test_what_a_person_wrote_fits_into_the_story_or_is_refused(bond, settings):
    settings.STORY_TOKENS = 100
    # 4 characters a token: "- " and the line's end are three of each line.
    fits = [f"{at} " + "x" * 195 for at in range(2)]

    version = writing.edit_text(bond=bond, firm_tokens=FIRM_TOKENS, content="\n".join(fits), base=None, now=NOW)
    assert version.token_count == 100
    with pytest.raises(PointRefused, match="What you wrote has 102 tokens; a story has 100 at most") as refused:
        writing.edit_text(bond=bond, firm_tokens=FIRM_TOKENS, content="\n".join([*fits, "yes"]), base=1, now=NOW)
    assert refused.value.code == "too_long"


def test_a_person_writes_as_many_lines_as_a_part_has(bond):
    lines = [f"Open matter {at}" for at in range(11)]

    assert writing.edit_text(
        bond=bond, firm_tokens=FIRM_TOKENS, content="\n".join(["# Still open", *lines[:10]]), base=None, now=NOW
    )
    with pytest.raises(PointRefused, match="Below “Still open” you wrote 11 lines; there are 10 at most"):
        writing.edit_text(
            bond=bond, firm_tokens=FIRM_TOKENS, content="\n".join(["# Still open", *lines]), base=1, now=NOW
        )


def test_a_chosen_version_comes_back_as_a_copy_and_later_scenes_are_left_out(bond, scenes):
    old = create_version(bond, scenes[0], points=[build_point("It rained.", scenes[0])], made_by="model")
    newer = create_version(bond, *scenes)

    copy = writing.choose_version(version=old, now=NOW + timedelta(hours=1))

    assert (copy.number, copy.points, copy.recaps, copy.to_scene) == (3, old.points, old.recaps, scenes[0].pk)
    assert (copy.made_by, copy.base, current(bond)) == ("model", old, copy)
    assert StoryVersion.objects.filter(pk=newer.pk).exists()
    assert writing.choose_version(version=copy, now=NOW) == copy


def test_a_deleted_version_is_not_chosen_until_it_is_restored(bond):
    old = create_version(bond)
    create_version(bond)
    writing.delete_version(version=old, now=NOW)

    with pytest.raises(StoryConflict, match="Restore it first"):
        writing.choose_version(version=old, now=NOW)
    assert writing.restore_version(version=old, now=NOW).deleted_at is None
    assert current(bond).number == 2


def test_deleting_the_current_version_makes_the_newest_left_current(bond):
    first, second, third = [create_version(bond) for _ in range(3)]
    create_version(bond, chain="0b0dd3d5-9d5e-4ad1-8d10-6b0b8d0c0e01")
    Story.objects.update(current=third)

    assert writing.delete_version(version=third, now=NOW) == second
    assert writing.delete_version(version=second, now=NOW) == first
    assert writing.delete_version(version=first, now=NOW) is None
    assert current(bond) is None
    assert writing.restore_version(version=second, now=NOW) == current(bond)


def test_twenty_versions_stay_beside_the_current_one_pinned_and_a_persons(bond):
    pinned, own, *others = [create_version(bond) for _ in range(23)]
    StoryVersion.objects.filter(pk=own.pk).update(made_by="person")
    writing.pin_version(version=pinned, pinned=True, now=NOW)

    latest = create(bond, VersionContent())
    # 20 beside the current one, of 21.
    assert list(StoryVersion.objects.order_by("number")) == [pinned, own, *others[1:], latest]

    writing.pin_version(version=pinned, pinned=False, now=NOW)
    assert list(StoryVersion.objects.order_by("number")) == [own, *others[1:], latest]


def test_exactly_twenty_versions_beside_the_current_one_stay(bond):
    kept = [create_version(bond) for _ in range(20)]

    latest = create(bond, VersionContent())

    assert list(StoryVersion.objects.order_by("number")) == [*kept, latest]


def test_deleted_versions_are_erased_at_night(bond):
    first, second = create_version(bond), create_version(bond)
    writing.delete_version(version=first, now=NOW)

    assert writing.erase_deleted_versions() == 1
    assert list(StoryVersion.objects.all()) == [second]
    with pytest.raises(StoryConflict, match="is gone"):
        writing.restore_version(version=first, now=NOW)
