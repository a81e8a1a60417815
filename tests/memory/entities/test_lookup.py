import pytest

from memory.entities import lookup
from tests.support.factories import NOW, AliasFactory, BondFactory, EntityFactory

pytestmark = pytest.mark.django_db


@pytest.fixture
def bond():
    return BondFactory(user__username="mara")


def test_entities_are_found_by_any_of_their_names(bond):
    cat = EntityFactory(bond=bond)
    sister = EntityFactory(bond=bond, canonical_name="Yiyang", kind="person")
    AliasFactory(entity=sister, name="Scott")
    AliasFactory(entity=sister, name="黄逸扬")
    EntityFactory(bond=bond, canonical_name="Ann", deleted_at=NOW)
    EntityFactory(canonical_name="Scott")

    def named(said):
        return lookup.find_named(bond=bond, said=said)

    assert named("SCOTT fed 小黑") == [(cat, "小黑"), (sister, "Scott")]
    assert named("黄逸扬 and Yiyang") == [(sister, "Yiyang")]
    assert named("Scotty and Ann") == []


def test_a_forgotten_name_names_nobody(bond):
    cat = EntityFactory(bond=bond)
    AliasFactory(entity=cat, name="Nimbus", deleted_at=NOW)

    assert lookup.find_named(bond=bond, said="Nimbus") == []


def pair(bond, **more):
    target = EntityFactory(bond=bond, canonical_name="Yiyang", kind="person")
    return target, EntityFactory(
        bond=bond, canonical_name="Scott", kind="person", merge_status="uncertain", merge_target=target, **more
    )


def test_an_uncertain_pair_is_found_by_either_of_the_two(bond):
    target, maybe = pair(bond)
    other = EntityFactory(bond=bond)

    found = [
        lookup.find_uncertain_pair(bond=bond, among=among, session_id=1)
        for among in ([], [other.pk], [target.pk], [maybe.pk])
    ]

    assert found == [None, None, maybe, maybe]
    assert found[2].merge_target == target


def test_the_pair_that_was_asked_about_comes_first(bond):
    _, first = pair(bond)
    target = EntityFactory(bond=bond, canonical_name="Tom", kind="person")
    asked = EntityFactory(
        bond=bond, canonical_name="Tommy", kind="person", merge_status="uncertain", merge_target=target, asked_in=[7]
    )

    found = [
        lookup.find_uncertain_pair(bond=bond, among=among, session_id=session_id)
        for among, session_id in (([first.pk], 7), ([], 7), ([first.pk, asked.pk], 8), ([], 8))
    ]

    assert found == [asked, asked, first, None]


def test_a_pair_with_somebody_forgotten_is_no_pair(bond):
    target, maybe = pair(bond)
    target.deleted_at = NOW
    target.save()

    assert lookup.find_uncertain_pair(bond=bond, among=[maybe.pk], session_id=1) is None
