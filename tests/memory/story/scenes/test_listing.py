from datetime import timedelta

import pytest

from memory.models import Message, Tombstone
from memory.story import lines
from memory.story.scenes import listing
from memory.story.scenes.listing import State
from tests.support.factories import NOW, BondFactory, SessionFactory
from tests.support.scenes import say_turn, say_turns
from tests.support.story import create_scene, create_version

pytestmark = pytest.mark.django_db


@pytest.fixture
def bond():
    return BondFactory()


def test_nothing_said_is_no_scene(bond):
    assert listing.list_scenes(bond=bond) == []


def test_scenes_are_listed_oldest_first_with_what_their_messages_are(bond):
    first = say_turns(bond, 2)
    later = NOW + timedelta(hours=2)
    second = say_turn(bond, "我的猫叫小黑。", now=later)
    scene = create_scene(bond, first[3])

    closed, open_one = listing.list_scenes(bond=bond)

    assert (closed.scene, closed.number, closed.state, closed.recap) == (scene, 1, State.RECAPPED, scene.recap)
    assert (closed.first_message, closed.last_message, closed.line_count) == (first[0].pk, first[3].pk, 4)
    assert closed.token_count == sum(line.token_count for line in first)
    assert (closed.started_at, closed.ended_at, closed.outdated) == (NOW, NOW, False)
    assert (open_one.scene, open_one.number, open_one.state, open_one.recap) == (None, 2, State.OPEN, None)
    assert (open_one.first_message, open_one.last_message) == (second[0].pk, second[1].pk)
    assert (open_one.started_at, open_one.outdated) == (later, False)


def test_what_is_not_told_is_in_no_scene(bond):
    said = say_turns(bond, 5)
    scene = create_scene(bond, said[-1])
    Message.objects.filter(pk=said[0].pk).update(left_out=True)
    Message.objects.filter(pk=said[1].pk).update(deleted_at=NOW)
    Message.objects.filter(pk=said[2].pk).update(chosen=False)
    Tombstone.objects.create(
        bond=bond,
        of="node",
        object_id=1,
        mark="x",
        lines=[said[3].pk],
        hidden=[said[5].pk],
        last_message_id=said[9].pk,
        created_at=NOW,
    )
    say_turns(bond, 1, session=SessionFactory(bond=bond, channel="api", off_record=True))

    [listed] = listing.list_scenes(bond=bond)

    assert (listed.first_message, listed.last_message, listed.line_count) == (said[4].pk, said[9].pk, 5)
    # A recap of what is told must not seem outdated for ever.
    assert listed.source_hash == lines.hash_lines(lines.load_scene(scene))


def test_a_scene_reaches_across_messages_off_the_record_and_tells_none_of_them(bond):
    said = say_turns(bond, 2)
    say_turns(bond, 2, session=SessionFactory(bond=bond, channel="api", off_record=True))
    after = say_turns(bond, 1)
    scene = create_scene(bond, after[-1])

    [listed] = listing.list_scenes(bond=bond)

    assert (listed.first_message, listed.last_message, listed.line_count) == (said[0].pk, after[-1].pk, 6)
    assert [line.pk for line in lines.load_scene(scene)] == [line.pk for line in (*said, *after)]


def test_a_scene_whose_text_has_changed_is_outdated(bond):
    said = say_turns(bond, 2)
    create_scene(bond, said[1])
    Message.objects.filter(pk=said[0].pk).update(content="Something else 🐈 说")

    assert [one.outdated for one in listing.list_scenes(bond=bond)] == [True, False]


def test_scenes_in_the_current_version_are_merged_unless_they_are_untold(bond):
    said = say_turns(bond, 3)
    scenes = [create_scene(bond, said[at]) for at in (1, 3, 5)]
    create_version(bond, *scenes[:2], untold=[scenes[1].pk])

    assert [one.state for one in listing.list_scenes(bond=bond)] == [State.MERGED, State.RECAPPED, State.RECAPPED]


def test_another_bonds_messages_and_scenes_are_not_listed(bond):
    other = BondFactory()
    create_scene(other, say_turns(other, 1)[1])

    assert listing.list_scenes(bond=bond) == []


@pytest.mark.parametrize("count", [1, 3])
def test_few_statements_list_all_scenes(bond, count, django_assert_num_queries):
    for _ in range(count):
        create_scene(bond, say_turns(bond, 1)[1])

    with django_assert_num_queries(4):
        assert len(listing.list_scenes(bond=bond)) == count
