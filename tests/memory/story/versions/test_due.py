import pytest

from memory.models import Scene, SceneRecap, StoryStep
from memory.story import settings
from memory.story.versions import due
from tests.support.factories import NOW, BondFactory, MessageFactory, SessionFactory
from tests.support.story import build_content, create_scene, create_version

pytestmark = pytest.mark.django_db


@pytest.fixture
def bond():
    return BondFactory()


@pytest.fixture
def session(bond):
    return SessionFactory(bond=bond)


def create_scenes(session, count, *, made_by="model"):
    return [
        create_scene(session.bond, MessageFactory(session=session), text=f"Scene {at}.", made_by=made_by)
        for at in range(count)
    ]


def find(bond, **more):
    story = settings.get_story(bond)
    return due.find_batch(story=story, base=story.current, **more)


def recap_anew(scene, *, text="Told anew.", made_by="model"):
    count = SceneRecap.objects.filter(scene=scene).count()
    columns = {"source_hash": scene.recap.source_hash, "made_by": made_by, "created_at": NOW}
    scene.recap = SceneRecap.objects.create(
        bond=scene.bond, scene=scene, n=count + 1, content=build_content(text), **columns
    )
    scene.save(update_fields=["recap"])


@pytest.mark.parametrize(("exclude_latest", "count"), [(0, 4), (1, 3), (2, 2), (4, 0), (5, 0)])
def test_the_newest_scenes_are_left_out_and_counted(bond, session, exclude_latest, count):
    scenes = create_scenes(session, 4)
    settings.change_settings(bond=bond, changes={"exclude_latest": exclude_latest}, now=NOW)

    batch = find(bond)

    assert (list(batch.scenes) if batch else []) == scenes[:count]
    assert batch is None or (batch.is_anew, batch.excluded_count) == (False, 4 - count)


def test_the_next_scenes_are_those_behind_the_version(bond, session):
    scenes = create_scenes(session, 4)
    version = create_version(bond, *scenes[:2])

    batch = find(bond)

    assert (batch.scenes, batch.base_id, batch.excluded_count) == ((scenes[2],), version.pk, 1)
    assert batch.order.places == {scene.pk: at for at, scene in enumerate(scenes)}


@pytest.mark.parametrize(("most", "count"), [({}, 8), ({"scenes_most": 3}, 3), ({"tokens_most": 1}, 1)])
def test_one_merge_reads_eight_scenes_and_so_many_tokens(bond, session, most, count):
    create_scenes(session, 12)

    assert len(find(bond, **most).scenes) == count


def test_as_many_scenes_are_read_as_have_the_tokens(bond, session):
    scenes = create_scenes(session, 4)
    each = due.count_tokens(Scene.objects.get(pk=scenes[0].pk))

    assert len(find(bond, tokens_most=2 * each).scenes) == 2
    assert len(find(bond, tokens_most=2 * each - 1).scenes) == 1


def test_the_recap_that_follows_a_hasty_one_is_waited_for(bond, session):
    scenes = create_scenes(session, 4)
    SceneRecap.objects.filter(scene=scenes[1]).update(made_by="rules")

    assert find(bond).scenes == (scenes[0],)


@pytest.mark.parametrize(("more", "is_full"), [({}, False), ({"scenes_most": 4}, False), ({"scenes_most": 3}, True)])
def test_a_merge_of_as_many_scenes_as_it_may_have_is_full(bond, session, more, is_full):
    scenes = create_scenes(session, 4)

    batch = find(bond, **more)

    assert (batch.scenes, batch.is_full) == (tuple(scenes[:3]), is_full)


def test_a_merge_of_as_many_tokens_as_it_may_have_is_full(bond, session):
    scenes = create_scenes(session, 4)
    each = due.count_tokens(Scene.objects.get(pk=scenes[0].pk))

    assert find(bond, tokens_most=2 * each).is_full
    assert not find(bond, tokens_most=3 * each).is_full


@pytest.mark.parametrize(
    ("columns", "is_told"),
    [
        ({"state": "failed"}, True),
        ({"state": "failed", "next_try_at": NOW}, False),
        ({"state": "cancelled"}, True),
        ({"state": "cancelled", "error": "superseded"}, False),
        ({"state": "done"}, False),
        ({"state": "failed", "source_hash": "of other lines"}, False),
        ({"state": "failed", "kind": "cards"}, False),
    ],
)
def test_the_rules_recap_is_told_where_the_models_failed_for_good(bond, session, columns, is_told):
    scene, _ = create_scenes(session, 2, made_by="rules")
    known = {"kind": "scene_recap", "target": scene.pk, "source_hash": scene.recap.source_hash, "created_at": NOW}
    StoryStep.objects.create(bond=bond, **known | columns)

    batch = find(bond)

    assert (batch is not None) is is_told


def test_a_scene_with_another_recap_is_told_anew_first(bond, session):
    scenes = create_scenes(session, 6)
    create_version(bond, *scenes[:4])
    recap_anew(scenes[2])

    batch = find(bond)

    assert (batch.scenes, batch.is_anew, batch.is_full) == ((scenes[2],), True, True)
    assert batch.recaps == {scenes[2].pk: scenes[2].recap_id}
    assert batch.excluded_count == 2


@pytest.mark.parametrize("made_by", ["rules", "model"])
def test_a_scene_is_told_anew_once_its_recap_is_there(bond, session, made_by):
    scenes = create_scenes(session, 3)
    create_version(bond, *scenes[:2])
    recap_anew(scenes[0], made_by=made_by)
    settings.change_settings(bond=bond, changes={"exclude_latest": 0}, now=NOW)

    batch = find(bond)

    assert (batch.scenes, batch.is_anew) == (((scenes[0],), True) if made_by == "model" else ((scenes[2],), False))


def test_scenes_that_were_withdrawn_or_divided_are_told_anew(bond, session):
    scenes = create_scenes(session, 4)
    create_version(bond, scenes[0], scenes[2], untold=[scenes[2].pk])

    assert find(bond).scenes == (scenes[1],)
    create_version(bond, *scenes[:3], untold=[scenes[2].pk])
    assert find(bond).scenes == (scenes[2],)


def test_a_scene_that_has_nothing_to_tell_is_passed_over(bond, session):
    scenes = create_scenes(session, 3)
    Scene.objects.filter(pk=scenes[0].pk).update(recap=None)

    assert find(bond) is None

    session.bond.messages.filter(pk=scenes[0].last_message_id).update(left_out=True)
    batch = find(bond)
    assert (batch.recaps, batch.excluded_count) == ({scenes[0].pk: None, scenes[1].pk: scenes[1].recap_id}, 1)
    assert [told.content is None for told in due.load_told_scenes(batch)] == [True, False]


def test_the_hash_changes_with_base_scenes_and_recaps(bond, session):
    scenes = create_scenes(session, 3)
    first = find(bond).source_hash
    recap_anew(scenes[0])
    second = find(bond).source_hash
    create_version(bond)

    hashes = {first, second, find(bond).source_hash}
    assert len(hashes) == 3
    assert {len(one) for one in hashes} == {64}


def test_few_statements_are_made_however_many_scenes_there_are(bond, session, django_assert_max_num_queries):
    create_scenes(session, 12)
    story = settings.get_story(bond)

    with django_assert_max_num_queries(3):
        due.find_batch(story=story, base=None)
