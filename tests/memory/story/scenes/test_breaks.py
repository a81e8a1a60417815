import random
from datetime import timedelta

import pytest

from echovessel.models import BondEvent
from memory.models import Message, Scene, SceneRecap
from memory.story import leaving_out, lines
from memory.story.recaps import versions
from memory.story.recaps.versions import SceneGone
from memory.story.scenes import breaks, listing
from memory.story.scenes.breaks import BreakRefused
from tests.support.factories import NOW, BondFactory, MessageFactory, SessionFactory
from tests.support.scenes import say_turns
from tests.support.story import build_content, build_point, create_version

pytestmark = pytest.mark.django_db


@pytest.fixture
def bond():
    return BondFactory()


def end(bond, message, *, by="person", now=NOW):
    return breaks.add_break(bond=bond, last_message_id=message.pk, closed_by=by, now=now)


def find_types(bond):
    return list(BondEvent.objects.filter(bond_id=bond.pk).order_by("seq").values_list("type", "refs"))


def test_a_break_comes_with_a_recap_by_rules_and_two_events(bond):
    said = say_turns(bond, 3)

    scene = end(bond, said[3])

    recap = SceneRecap.objects.get()
    assert (scene.recap, recap.n, recap.made_by, scene.title_by) == (recap, 1, "rules", "rules")
    assert recap.source_hash == lines.hash_lines(said[:4]) == versions.load_hash(scene)
    assert find_types(bond) == [
        ("memory.recap.updated", {"scene": scene.pk}),
        ("memory.scene.closed", {"scene": scene.pk}),
    ]


def test_a_break_and_its_recap_are_one_transaction(bond, monkeypatch):
    said = say_turns(bond, 2)
    monkeypatch.setattr(versions, "recap_by_rules", lambda told: 1 / 0)

    with pytest.raises(ZeroDivisionError):
        end(bond, said[1], by="silence")

    assert (Scene.objects.count(), SceneRecap.objects.count(), find_types(bond)) == (0, 0, [])


@pytest.mark.parametrize(
    ("count", "at", "refused"),
    [(4, 1, ""), (3, 1, "at least 2 messages"), (4, 0, "between turns"), (4, 3, "at least 2 messages")],
)
def test_a_person_leaves_two_messages_on_either_side(bond, count, at, refused):
    said = say_turns(bond, 2)[:count]
    Message.objects.exclude(pk__in=[line.pk for line in said]).delete()

    if not refused:
        assert end(bond, said[at]).last_message_id == said[at].pk
        return
    with pytest.raises(BreakRefused, match=refused):
        end(bond, said[at])


def test_a_break_behind_the_newest_message_needs_nothing_behind_it(bond):
    said = say_turns(bond, 1)

    assert end(bond, said[1], by="silence").last_message_id == said[1].pk


def test_a_break_between_turns_that_lie_across_one_another_is_refused(bond):
    session = SessionFactory(bond=bond)
    first = MessageFactory(session=session)
    second = MessageFactory(session=session)
    MessageFactory(session=session, role="persona", turn_id=first.turn_id)
    last = MessageFactory(session=session, role="persona", turn_id=second.turn_id)

    with pytest.raises(BreakRefused, match=f"ends with message {last.pk}"):
        end(bond, second, by="silence")


def test_a_scene_ends_and_moves_where_a_reply_is_left_out(bond):
    said = say_turns(bond, 6)
    for reply in (said[5], said[7]):
        leaving_out.set_left_out(message=reply, left_out=True, now=NOW)
    scene = end(bond, said[4])
    assert scene.last_message_id == said[5].pk

    assert said[6] in breaks.list_ends(scene)
    breaks.move_break(scene=scene, last_message_id=said[6].pk, now=NOW)
    scene.refresh_from_db()
    assert scene.last_message_id == said[7].pk
    with pytest.raises(BreakRefused):
        end(bond, said[6])


def test_a_second_break_behind_the_same_message_is_refused(bond):
    said = say_turns(bond, 4)
    end(bond, said[3])

    with pytest.raises(BreakRefused, match="already"):
        end(bond, said[3])


def test_a_message_of_another_bond_or_off_the_record_ends_no_scene(bond):
    say_turns(bond, 4)
    off = say_turns(bond, 2, session=SessionFactory(bond=bond, channel="api", off_record=True))
    foreign = say_turns(BondFactory(), 4)

    for message in (off[1], foreign[1]):
        with pytest.raises(BreakRefused, match=f"no message {message.pk}"):
            end(bond, message)


def test_a_break_inside_a_closed_scene_divides_it(bond):
    said = say_turns(bond, 6)
    late = end(bond, said[7], by="silence")

    early = end(bond, said[3])

    late.refresh_from_db()
    assert [one.scene for one in listing.list_scenes(bond=bond)] == [early, late, None]
    assert late.recap.source_hash == lines.hash_lines(said[4:8])
    assert late.recap.content["outcomes"][0]["lines"][0] >= said[4].pk


def test_removing_joins_a_scene_to_the_next(bond):
    said = say_turns(bond, 8)
    first, second = end(bond, said[3]), end(bond, said[7])

    breaks.remove_break(scene=first, now=NOW)

    second.refresh_from_db()
    assert list(Scene.objects.all()) == [second]
    assert second.recap.source_hash == lines.hash_lines(said[:8])
    assert [type for type, refs in find_types(bond)[-3:]] == [
        "memory.scene.removed",
        "memory.recap.updated",
        "memory.scene.updated",
    ]
    with pytest.raises(SceneGone, match="not there"):
        breaks.remove_break(scene=first, now=NOW)


def test_moving_keeps_the_scene_and_retells_both(bond):
    said = say_turns(bond, 8)
    first, second = end(bond, said[3]), end(bond, said[9])

    moved = breaks.move_break(scene=first, last_message_id=said[5].pk, now=NOW)

    second.refresh_from_db()
    assert (moved.pk, moved.last_message_id) == (first.pk, said[5].pk)
    assert moved.recap.source_hash == lines.hash_lines(said[:6])
    assert second.recap.source_hash == lines.hash_lines(said[6:10])
    for message in (said[9], said[11]):
        with pytest.raises(BreakRefused, match=f"between 0 and {said[9].pk}"):
            breaks.move_break(scene=first, last_message_id=message.pk, now=NOW)


def test_a_persons_recap_stays_outdated_when_its_scene_changes(bond):
    said = say_turns(bond, 8)
    first, second = end(bond, said[3]), end(bond, said[7])
    own = build_content("My own words.", line=said[5].pk)
    kept = SceneRecap.objects.create(
        bond=bond, scene=second, n=2, content=own, source_hash="x", made_by="person", created_at=NOW
    )
    Scene.objects.filter(pk=second.pk).update(recap=kept)

    breaks.remove_break(scene=first, now=NOW)

    listed = listing.list_scenes(bond=bond)[0]
    assert (listed.recap, listed.outdated) == (kept, True)


def test_a_message_forgotten_later_leaves_its_break(bond):
    said = say_turns(bond, 4)
    scene = end(bond, said[3])
    Message.objects.filter(pk=said[3].pk).update(deleted_at=NOW)

    listed = listing.list_scenes(bond=bond)

    assert [(one.scene, one.last_message, one.line_count, one.outdated) for one in listed] == [
        (scene, said[2].pk, 3, True),
        (None, said[7].pk, 4, False),
    ]


@pytest.mark.parametrize("seed", range(4))
def test_every_message_is_in_one_scene_whatever_is_added_moved_and_removed(bond, seed):
    chance = random.Random(seed)
    web, api = SessionFactory(bond=bond), SessionFactory(bond=bond, channel="api")
    said = [line for _ in range(12) for line in say_turns(bond, 1, session=chance.choice([web, api]))]

    for _ in range(30):
        scenes = list(Scene.objects.order_by("pk"))
        act = chance.choice(["add", "add", "move", "remove"])
        message = chance.choice(said)
        try:
            if act == "add":
                end(bond, message, by=chance.choice(["person", "silence"]))
            elif scenes and act == "move":
                breaks.move_break(scene=chance.choice(scenes), last_message_id=message.pk, now=NOW)
            elif scenes:
                breaks.remove_break(scene=chance.choice(scenes), now=NOW)
        except (BreakRefused, SceneGone):
            continue

        listed = listing.list_scenes(bond=bond)
        told = [line.pk for one in Scene.objects.in_order() for line in lines.load_scene(one)]
        assert told == [line.pk for line in said if line.pk <= max(told, default=0)]
        assert sum(one.line_count for one in listed) == len(said)
        assert [one.scene for one in listed if one.outdated] == []
        for one in listed[:-1]:
            assert one.recap.content["outcomes"][0]["lines"][0] >= one.first_message


def test_a_removed_scene_leaves_the_versions_of_the_story(bond):
    said = say_turns(bond, 8)
    first, second = end(bond, said[3]), end(bond, said[7])
    points = [
        build_point("One.", first, id="a"),
        build_point("Both.", first, second, id="b"),
        build_point("Two.", second, id="c"),
    ]
    version = create_version(bond, first, second, points=points)

    breaks.remove_break(scene=first, now=NOW)

    version.refresh_from_db()
    assert [(point["id"], point["scenes"]) for point in version.points] == [
        ("a", [second.pk]),
        ("b", [second.pk]),
        ("c", [second.pk]),
    ]
    assert (version.from_scene, version.to_scene, version.scene_count) == (second.pk, second.pk, 1)

    breaks.remove_break(scene=second, now=NOW)

    version.refresh_from_db()
    assert (version.points, version.to_scene, version.recaps) == ([], None, {})


def test_the_last_scene_of_the_story_that_is_removed_moves_its_end_back(bond):
    said = say_turns(bond, 8)
    first, second = end(bond, said[3]), end(bond, said[7])
    points = [build_point("Both.", first, second, id="b"), build_point("Two.", second, id="c")]
    version = create_version(bond, first, second, points=points)

    breaks.remove_break(scene=second, now=NOW)

    version.refresh_from_db()
    assert [(point["id"], point["scenes"]) for point in version.points] == [("b", [first.pk])]
    assert (version.from_scene, version.to_scene) == (first.pk, first.pk)


def test_a_scene_cut_out_of_the_story_is_untold_there(bond):
    said = say_turns(bond, 8)
    first = end(bond, said[7])
    version = create_version(bond, first, points=[build_point("One.", first)])

    early = end(bond, said[3], now=NOW + timedelta(minutes=1))

    version.refresh_from_db()
    assert version.untold == [early.pk]
