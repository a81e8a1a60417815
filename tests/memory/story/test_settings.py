from uuid import uuid4

import pytest

from echovessel.models import BondEvent
from memory.models import Story, StoryVersion
from memory.story import settings, withdrawal
from memory.story.scenes import listing
from memory.story.settings import SettingRefused
from memory.story.versions import weights
from tests.support.factories import NOW, BondFactory, MessageFactory
from tests.support.story import build_point, create_scene, create_version

pytestmark = pytest.mark.django_db


def test_a_story_is_created_when_it_is_first_asked_for():
    bond = BondFactory()

    story = settings.get_story(bond)

    assert settings.get_story(bond) == story
    assert (story.enabled, story.keep_scenes, story.exclude_latest, story.recap_limit) == (True, 2, 1, 10)


def test_a_version_of_another_bond_is_neither_read_nor_written():
    # As a hand in the database would leave it.
    mara, charlie = MessageFactory(), MessageFactory()
    scene = create_scene(mara.bond, mara)
    foreign = create_version(charlie.bond, scene, points=[build_point("Charlie's.", scene, weight=7)])
    Story.objects.create(bond=mara.bond, current=foreign)

    weights.weigh_anew(mara.bond)

    foreign.refresh_from_db()
    assert foreign.points[0]["weight"] == 7
    assert [one.state for one in listing.list_scenes(bond=mara.bond)] == ["recapped"]
    assert withdrawal.preview(mara.bond, lines=[mara.pk]).points == 0


def test_changed_settings_are_stored_and_announced():
    bond = BondFactory()

    settings.change_settings(bond=bond, changes={"keep_scenes": 10, "exclude_latest": 5, "recap_user": False}, now=NOW)

    story = Story.objects.get(bond=bond)
    assert (story.keep_scenes, story.exclude_latest, story.recap_user, story.generation) == (10, 5, False, 0)
    event = BondEvent.objects.get(bond_id=bond.pk)
    assert (event.type, event.refs) == (
        "memory.story.updated",
        {"settings": ["exclude_latest", "keep_scenes", "recap_user"]},
    )


def test_a_limit_of_more_than_the_whole_window_is_refused():
    bond = BondFactory()

    with pytest.raises(SettingRefused, match=r"^recap_limit is at most 100 where recap_limit_kind is percent\.$"):
        settings.change_settings(bond=bond, changes={"recap_limit": 101}, now=NOW)

    assert not Story.objects.filter(bond=bond).exists()


def test_a_limit_of_tokens_may_be_over_a_hundred():
    story = settings.change_settings(
        bond=BondFactory(), changes={"recap_limit": 500, "recap_limit_kind": "absolute"}, now=NOW
    )

    assert (story.recap_limit, story.recap_limit_kind) == (500, "absolute")


def test_switching_the_story_off_voids_running_work():
    bond = BondFactory()
    kept = create_version(bond)
    create_version(bond, chain=uuid4())
    Story.objects.update(current=kept)

    settings.change_settings(bond=bond, changes={"enabled": False}, now=NOW)
    settings.change_settings(bond=bond, changes={"enabled": False}, now=NOW)
    settings.change_settings(bond=bond, changes={"enabled": True}, now=NOW)

    story = Story.objects.get(bond=bond)
    assert (story.generation, story.enabled, story.current) == (1, True, kept)
    assert list(StoryVersion.objects.all()) == [kept]
