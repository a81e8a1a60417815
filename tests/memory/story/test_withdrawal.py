from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django_q.models import OrmQ

from echovessel.models import BondEvent
from memory.entities import merging
from memory.forgetting import dependents, purging, removal, rest_of_chat, sessions, trash
from memory.models import (
    ConceptNode,
    EntityRemark,
    Forgotten,
    LineRecap,
    Message,
    NodeSource,
    Scene,
    SceneRecap,
    Story,
    StoryVersion,
)
from memory.story import leaving_out, lines, withdrawal
from memory.story.scenes import listing
from tests.support import story
from tests.support.dumping import tables_with
from tests.support.factories import (
    NOW,
    BondFactory,
    ConceptNodeFactory,
    EntityFactory,
    FactFactory,
    MessageFactory,
    SessionFactory,
)

pytestmark = pytest.mark.django_db

SECRET = "Zymurgy"


@pytest.fixture
def bond():
    return BondFactory(user__username="mara")


@pytest.fixture
def session(bond):
    return SessionFactory(bond=bond, status="closed")


@pytest.fixture
def said(session):
    """Three scenes: the garden, a secret, the bakery."""
    texts = [
        "I planted forty tulips in the garden.",
        "The garden looks lovely in spring.",
        f"My secret project is called {SECRET}.",
        "We also talked about the weather.",
        "Tomorrow we bake plum cake for the fair.",
        "The fair is on Saturday.",
    ]
    return [MessageFactory(session=session, content=text) for text in texts]


@pytest.fixture
def scenes(bond, said):
    texts = ("Mara planted tulips.", f"Mara named a project {SECRET}.", "Mara bakes plum cake.")
    return [story.create_scene(bond, said[2 * at + 1], text=text) for at, text in enumerate(texts)]


@pytest.fixture
def version(bond, scenes):
    points = [
        story.build_point("Mara planted tulips.", scenes[0], id="garden"),
        story.build_point("Mara has a secret project.", scenes[1], id="project"),
        story.build_point(f"She bakes while {SECRET} waits.", scenes[2], id="later"),
        story.build_point("Mara bakes plum cake.", scenes[2], id="cake", by="person"),
    ]
    return story.create_version(bond, *scenes, points=points)


def ids(version):
    version.refresh_from_db()
    return [point["id"] for point in version.points]


def titles(bond):
    return list(Scene.objects.filter(bond=bond).in_order().values_list("title", flat=True))


def test_a_forgotten_message_goes_from_recaps_and_every_version(bond, said, scenes, version):
    hidden = story.create_version(bond, *scenes, points=version.points, chain="0" * 32)
    deleted = story.create_version(bond, *scenes, points=version.points, deleted_at=NOW)

    removal.forget_message(message=said[2], now=NOW)

    for one in (version, hidden, deleted):
        assert ids(one) == ["garden", "cake"]
        assert one.untold == [scenes[1].pk, scenes[2].pk]
        assert one.recaps == {str(scenes[0].pk): scenes[0].recap_id}
    assert tables_with(SECRET) == ["memory_message"]


def test_acts_at_once_tell_a_scene_anew_once(bond, said, scenes, version):
    facts = [FactFactory(bond=bond, sources=[said[2]]) for _ in range(2)]

    with withdrawal.withdraw_together(now=NOW):
        for fact in facts:
            removal.forget_node(node=fact, now=NOW)

    assert ids(version) == ["garden", "cake"]
    assert BondEvent.objects.filter(bond_id=bond.pk, type="memory.recap.updated").count() == 1


def test_what_is_left_of_its_scene_is_recapped_by_rules_at_once(bond, said, scenes, version):
    removal.forget_message(message=said[2], now=NOW)

    scene = Scene.objects.select_related("recap").get(pk=scenes[1].pk)
    assert scene.recap.made_by == "rules"
    assert [told["lines"] for told in scene.recap.content["outcomes"]] == [[said[3].pk]]
    assert scene.recap.source_hash == lines.hash_lines([said[3]])
    assert SceneRecap.objects.filter(scene=scene).count() == 1
    assert SECRET not in scene.title


def test_other_scenes_keep_their_recaps(bond, said, scenes, version):
    removal.forget_message(message=said[2], now=NOW)

    kept = Scene.objects.filter(pk__in=[scenes[0].pk, scenes[2].pk]).in_order().values_list("recap", flat=True)
    assert list(kept) == [scenes[0].recap_id, scenes[2].recap_id]


def test_a_scene_without_messages_goes(bond, said, scenes, version):
    for message in said[2:4]:
        removal.forget_message(message=message, now=NOW)

    assert list(Scene.objects.filter(bond=bond).in_order()) == [scenes[0], scenes[2]]
    version.refresh_from_db()
    assert scenes[1].pk not in version.untold


def test_the_last_scene_of_the_story_moves_it_back_when_it_goes(bond, said, scenes, version):
    for message in said[4:]:
        removal.forget_message(message=message, now=NOW)

    version.refresh_from_db()
    assert version.to_scene == scenes[1].pk


@pytest.mark.parametrize(("text", "goes"), [(f"{SECRET} again.", False), ("Something else.", True)])
def test_a_point_of_another_scene_stays_where_another_message_tells_its_words(bond, session, text, goes):
    first = MessageFactory(session=session, content=f"It is {SECRET}.")
    second = MessageFactory(session=session, content=text)
    third = MessageFactory(session=session, content="Good night.")
    told = [story.create_scene(bond, one, text="A talk.") for one in (first, second, third)]
    version = story.create_version(
        bond, *told, points=[story.build_point(f"They speak of {SECRET}.", told[2], id="point")]
    )

    removal.forget_message(message=first, now=NOW)

    assert ids(version) == ([] if goes else ["point"])


def test_a_forgotten_memory_takes_what_its_messages_told(bond, said, scenes, version):
    node = ConceptNodeFactory(bond=bond, description=f"Mara works on {SECRET}.")
    NodeSource.objects.create(bond=bond, node=node, message=said[2])

    removal.forget_node(node=node, now=NOW)

    assert ids(version) == ["garden", "cake"]
    assert [one.pk for one in lines.load_told(bond)] == [one.pk for one in said if one != said[2]]
    assert SECRET not in " ".join(titles(bond))


def test_recaps_of_messages_that_saw_it_go(bond, said):
    for at in (2, 3, 4):
        LineRecap.objects.create(
            bond=bond,
            message=said[at],
            text="x",
            sources=[one.pk for one in said[max(0, at - 3) : at + 1]],
            source_hash="0",
            made_by="model",
            created_at=NOW,
        )

    removal.forget_message(message=said[1], now=NOW)

    assert list(LineRecap.objects.values_list("message", flat=True)) == []


def test_a_forgotten_chat_takes_its_scenes(bond, session, said, scenes, version):
    sessions.forget(session=session, has_memories_go=True, now=NOW)

    assert not Scene.objects.filter(bond=bond).exists()
    assert ids(version) == []
    version.refresh_from_db()
    assert (version.to_scene, version.untold) == (None, [])


def test_a_forgotten_person_goes_from_recaps(bond, said, scenes):
    ann = EntityFactory(bond=bond, canonical_name="Ann")
    recap = SceneRecap.objects.get(scene=scenes[0])
    named = [{"name": name, "kind": "person", "aliases": [], "remarks": []} for name in ("Ann", "Tom")]
    recap.content["entities"] = named
    recap.save()
    EntityRemark.objects.create(
        bond=bond, entity=ann, scene=scenes[0], text="Ann gardens.", line=said[0].pk, created_at=NOW
    )

    removal.forget_entity(entity=ann, now=NOW)

    recap.refresh_from_db()
    assert [one["name"] for one in recap.content["entities"]] == ["Tom"]
    assert not EntityRemark.objects.exists()


def test_running_work_is_void_after_forgetting_and_after_a_restore(bond, said, scenes, version):
    removal.forget_message(message=said[2], now=NOW)
    assert Story.objects.get(bond=bond).generation == 1

    trash.restore(act=Forgotten.objects.get(), now=NOW)

    assert Story.objects.get(bond=bond).generation == 2
    assert [entry.task["func"] for entry in OrmQ.objects.all()].count("memory.tasks.tell") >= 1
    # Its text does not return: the recap is of other messages now, and made anew.
    recap = SceneRecap.objects.get(scene=scenes[1])
    assert recap.source_hash != lines.hash_lines([said[2], said[3]])
    assert ids(version) == ["garden", "cake"]


def test_the_pages_are_told(bond, said, scenes, version):
    removal.forget_message(message=said[2], now=NOW)

    types = set(BondEvent.objects.filter(bond_id=bond.pk).values_list("type", flat=True))
    assert {"memory.story.updated", "memory.recap.updated"} <= types


def test_the_preview_counts_recaps_and_points(bond, said, scenes, version):
    node = ConceptNodeFactory(bond=bond, type="event", description=f"Mara works on {SECRET}.")
    NodeSource.objects.create(bond=bond, node=node, message=said[2])
    event = ConceptNode.objects.for_serializer().get(pk=node.pk)

    found = dependents.find(bond=bond, event=event)

    assert (found.recaps, found.points) == (1, 2)


def test_the_preview_of_a_chat_and_of_an_edit_count_them_too(bond, session, said, scenes, version):
    assert sessions.preview_forgetting(session).story == withdrawal.StoryParts(3, 4)
    assert rest_of_chat.find(said[4]).story == withdrawal.StoryParts(1, 2)


def test_another_bond_is_left_alone(said, scenes, version):
    other = SessionFactory(bond=BondFactory(), status="closed")
    message = MessageFactory(session=other, content=f"{SECRET} too.")
    scene = story.create_scene(other.bond, message, text=f"{SECRET} too.")
    theirs = story.create_version(other.bond, scene, points=[story.build_point(f"{SECRET}.", scene, id="theirs")])

    removal.forget_message(message=said[2], now=NOW)

    assert ids(theirs) == ["theirs"]
    assert Scene.objects.get(pk=scene.pk).recap_id == scene.recap_id


def test_no_byte_is_left_after_erasing(bond, said, scenes, version):
    removal.forget_message(message=said[2], now=NOW)
    purging.purge(now=NOW + timedelta(days=30))

    assert tables_with(SECRET) == []
    assert not Message.objects.filter(pk=said[2].pk).exists()
    assert StoryVersion.objects.filter(pk=version.pk).exists()


def test_a_bond_without_a_story_costs_little_more(bond, said):
    with CaptureQueriesContext(connection) as queries:
        withdrawal.withdraw_lines(bond, lines=[said[0].pk], now=NOW)

    assert len(queries) <= 5


def test_remarks_go_with_a_merge_and_come_back(bond, said, scenes):
    ann, anna = (EntityFactory(bond=bond, canonical_name=name) for name in ("Ann", "Anna"))
    remark = EntityRemark.objects.create(
        bond=bond, entity=anna, scene=scenes[0], text="Anna gardens.", line=said[0].pk, created_at=NOW
    )

    merge = merging.merge_entities(kept=ann, merged=anna, by="owner", now=NOW)
    remark.refresh_from_db()
    assert remark.entity == ann

    merging.undo(merge=merge, now=NOW)
    remark.refresh_from_db()
    assert remark.entity == anna


def test_a_message_left_out_goes_from_recaps_and_the_story_and_comes_back_by_telling_anew(bond, said, scenes, version):
    leaving_out.set_left_out(message=said[2], left_out=True, now=NOW)

    assert ids(version) == ["garden", "cake"]
    assert tables_with(SECRET) == ["memory_message"]

    leaving_out.set_left_out(message=said[2], left_out=False, now=NOW)

    assert ids(version) == ["garden", "cake"]
    assert any(one.outdated for one in listing.list_scenes(bond=bond))
