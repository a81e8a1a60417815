from functools import partial

import pytest

from memory.entities import merging
from memory.forgetting import removal
from memory.models import Entity, EntityRemark, SceneRecap, Story
from memory.storytelling import cards
from memory.storytelling.work.due import FinderContext
from memory.storytelling.work.finding import find_cards
from tests.support import story
from tests.support.factories import NOW, BondFactory, EntityFactory, MessageFactory, SessionFactory
from tests.support.facts import save
from tests.support.fakes import FakeLLM
from tests.support.story import run_step

pytestmark = pytest.mark.django_db


@pytest.fixture
def bond():
    return BondFactory(user__username="mara")


@pytest.fixture
def session(bond):
    return SessionFactory(bond=bond, status="closed")


def tell(session, text, *named, now=NOW):
    """A scene of one message whose recap names people and things: each a name, and remarks as (label, text)."""
    message = MessageFactory(session=session, content=text)
    scene = story.create_scene(session.bond, message, text=text, now=now)
    scene.recap.content["entities"] = [
        {
            "name": name,
            "kind": "person",
            "aliases": [],
            "remarks": [{"label": label, "text": said, "line": message.pk} for label, said in remarks],
        }
        for name, *remarks in named
    ]
    scene.recap.save()
    return scene


def write(scene):
    act = partial(cards.write_cards, bond=scene.bond, target=scene.pk)
    run_step(act, bond=scene.bond, llm=FakeLLM(), kind="cards", target=scene.pk)


def find_due(bond):
    story_row, _ = Story.objects.get_or_create(bond=bond)
    return [work.target for work in find_cards(FinderContext(bond=bond, story=story_row, has_model=False, now=NOW))]


def live(bond):
    remarks = EntityRemark.objects.for_bond(bond).live().order_by("id")
    return [(one.entity.canonical_name, one.label, one.text) for one in remarks.select_related("entity")]


def test_a_recap_is_written_on_cards_once(bond, session):
    scene = tell(session, "Anna sails.", ("Anna", ("hobby", "Anna sails.")))
    assert find_due(bond) == [scene.pk]

    write(scene)
    write(scene)

    assert live(bond) == [("Anna", "hobby", "Anna sails.")]
    assert find_due(bond) == []


def test_a_new_name_is_linked_to_the_facts_that_name_it(bond, session):
    written = save(bond, "Anna is the user's sister.")
    save(bond, "The user sails.")

    write(tell(session, "Anna sails.", ("Anna", ("hobby", "Anna sails."))))

    assert list(Entity.objects.get().nodes.all()) == [written.node]


def test_a_known_name_means_the_known_entity(bond, session):
    anna = EntityFactory(bond=bond, canonical_name="Anna", kind="person")

    write(tell(session, "anna sails.", ("anna", ("hobby", "Anna sails."))))

    assert EntityRemark.objects.get().entity == anna
    assert Entity.objects.filter(bond=bond).count() == 1


@pytest.mark.parametrize("name", ["the dog", "mara", "Monday", "Nobody There"])
def test_a_name_that_names_nobody_gets_no_card(bond, session, name):
    write(tell(session, "the dog and mara met on Monday.", (name, ("", "Something."))))

    assert not Entity.objects.filter(bond=bond).exists()


def test_a_forgotten_name_does_not_come_back(bond, session):
    scene = tell(session, "Anna sails.", ("Anna", ("hobby", "Anna sails.")))
    removal.forget_entity(entity=EntityFactory(bond=bond, canonical_name="Anna", kind="person"), now=NOW)

    write(scene)

    assert live(bond) == []


def test_a_later_scene_replaces_what_is_under_the_same_label(bond, session):
    first = tell(session, "Anna works at the bank.", ("Anna", ("work", "At the bank."), ("hobby", "Sails.")))
    second = tell(session, "Anna teaches now.", ("Anna", ("Work", "Teaches.")))

    for scene in (first, second):
        write(scene)

    assert live(bond) == [("Anna", "hobby", "Sails."), ("Anna", "Work", "Teaches.")]


def test_an_earlier_scene_told_later_does_not_replace_a_later_one(bond, session):
    first = tell(session, "Anna works at the bank.", ("Anna", ("work", "At the bank.")))
    second = tell(session, "Anna teaches now.", ("Anna", ("work", "Teaches.")))

    for scene in (second, first):
        write(scene)

    assert live(bond) == [("Anna", "work", "Teaches.")]


def test_the_same_text_is_told_once(bond, session):
    for said in ("Anna sails.", "Anna sails again."):
        write(tell(session, said, ("Anna", ("", "Anna sails."))))

    assert live(bond) == [("Anna", "", "Anna sails.")]


def test_another_recap_of_the_scene_takes_the_place_of_its_remarks(bond, session):
    scene = tell(session, "Anna sails.", ("Anna", ("hobby", "Sails.")))
    write(scene)
    SceneRecap.objects.filter(scene=scene).update(
        carded_at=None, content=story.build_content("Anna sails.", line=scene.last_message_id)
    )

    write(scene)

    assert live(bond) == []


@pytest.mark.parametrize(("count", "left"), [(12, 12), (13, 12)])
def test_a_card_of_an_owner_keeps_its_twelve_newest_remarks(bond, session, count, left):
    EntityFactory(bond=bond, canonical_name="Anna", kind="person", description="Mine.", description_by="owner")

    for number in range(count):
        write(tell(session, f"Anna said {number}.", ("Anna", ("", f"Said {number}."))))

    assert [text for _, _, text in live(bond)] == [f"Said {number}." for number in range(count - left, count)]


def test_remarks_follow_a_merge(bond, session):
    write(tell(session, "Anna and Nan sail.", ("Anna", ("", "Sails.")), ("Nan", ("", "Rows."))))
    anna, nan = Entity.objects.filter(bond=bond).order_by("id")

    merging.merge_entities(kept=anna, merged=nan, by="owner", now=NOW)

    assert [(one.entity_id, one.text) for one in EntityRemark.objects.order_by("id")] == [
        (anna.pk, "Sails."),
        (anna.pk, "Rows."),
    ]


def test_another_name_beside_a_known_one_that_no_line_has_is_no_other_person(bond, session):
    EntityFactory(bond=bond, canonical_name="张桂芳", kind="person")
    scene = tell(session, "桂芳女士嘴硬说没事。", ("桂芳女士",))
    scene.recap.content["entities"][0]["aliases"] = ["张桂芳"]
    scene.recap.save()

    write(scene)

    assert [*Entity.objects.get().aliases.order_by("id").values_list("name", flat=True)] == ["张桂芳", "桂芳女士"]
