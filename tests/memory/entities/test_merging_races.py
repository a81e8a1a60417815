"""Decisions about entities at the same moment, on connections of their own."""

import pytest

from memory.entities import editing, merging
from memory.entities.editing import NameRefused
from memory.entities.merging import MergeError
from memory.models import Entity, EntityAlias, EntityMerge
from tests.memory.test_races import at_once
from tests.support.factories import NOW, BondFactory, EntityFactory
from tests.support.talks import closed_talk, consolidate, extraction, model

pytestmark = pytest.mark.django_db(transaction=True)


def person(bond, name, **more):
    return EntityFactory(bond=bond, canonical_name=name, kind="person", **more)


def tried(act):
    """What an act comes to: what it gives, or the code with which it is refused."""

    def attempt():
        try:
            return act()
        except (MergeError, NameRefused) as refusal:
            return refusal.code

    return attempt


def test_two_that_are_merged_both_ways_at_once_are_merged_once():
    bond = BondFactory(user__username="mara")
    a, b = person(bond, "Yiyang"), person(bond, "Scott")

    def same(kept, merged):
        return tried(lambda: merging.merge_entities(kept=kept, merged=merged, by="owner", now=NOW))

    given = at_once(same(a, b), same(b, a), same(a, b), same(b, a))

    merge = EntityMerge.objects.get()
    assert sorted(given, key=str) == sorted([merge, *["not_found"] * 3], key=str)
    assert {alias.entity for alias in EntityAlias.objects.all()} == {merge.kept}


def test_a_merge_is_undone_once():
    bond = BondFactory(user__username="mara")
    merged = person(bond, "Scott")
    merge = merging.merge_entities(kept=person(bond, "Yiyang"), merged=merged, by="owner", now=NOW)

    given = at_once(*[tried(lambda: merging.undo(merge=EntityMerge.objects.get(pk=merge.pk), now=NOW))] * 3)

    assert sorted(given, key=str) == sorted([merged, "conflict", "conflict"], key=str)


def test_what_a_session_states_and_a_person_decides_at_once_is_decided_once():
    bond = BondFactory(user__username="mara")
    kept = person(bond, "Yiyang")
    merged = person(bond, "Scott", merge_status="uncertain", merge_target=kept)
    stated = extraction(possible_same=[{"a": "Scott", "b": "Yiyang", "stated_in": 1}])
    session = closed_talk("Scott is what everyone calls Yiyang.", "Hm.", "Yes.", bond=bond)

    by_hand = tried(lambda: merging.merge_entities(kept=kept, merged=merged, by="owner", now=NOW))
    at_once(lambda: consolidate(session, model(stated)), by_hand)

    session.refresh_from_db()
    assert session.status == "closed"
    assert (EntityMerge.objects.get().kept, list(Entity.objects.not_deleted_or_merged())) == (kept, [kept])


def test_a_name_that_two_give_at_once_is_one_entitys():
    bond = BondFactory(user__username="mara")

    def meet():
        return editing.create(bond=bond, wanted={"canonical_name": "Yiyang", "kind": "person"}, now=NOW)

    given = at_once(*[tried(meet)] * 3)

    assert sorted(given, key=str) == sorted([Entity.objects.get(), "name_taken", "name_taken"], key=str)
