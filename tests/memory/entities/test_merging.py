from datetime import timedelta
from typing import Any

import pytest

from echovessel.models import BondEvent
from memory.entities import merging
from memory.entities.merging import MergeError
from memory.models import Doubt, Entity, EntityAlias, EntityMerge, Mention, Separation
from tests.support.factories import NOW, AliasFactory, BondFactory, ConceptNodeFactory, EntityFactory

pytestmark = pytest.mark.django_db
LATER = NOW + timedelta(hours=1)


@pytest.fixture
def bond():
    return BondFactory(user__username="mara")


def person(bond, name, **more):
    return EntityFactory(bond=bond, canonical_name=name, **{"kind": "person"} | more)


def in_doubt(bond, name, target, **more):
    return person(bond, name, merge_status="uncertain", merge_target=target, **more)


def same(kept, merged, *, by="owner", now=LATER):
    return merging.merge_entities(kept=kept, merged=merged, by=by, now=now)


def undo(merge, *, now=LATER):
    return merging.undo(merge=merge, now=now)


def different(a, b, *, by="owner"):
    merging.separate_entities(a=a, b=b, by=by, now=LATER)


def rows() -> dict[str, Any]:
    """Everything of all entities but the record of merges."""
    embedded = {one.pk: one.embedding for one in Entity.objects.all()}
    fields = [field.attname for field in Entity._meta.concrete_fields if field.name != "embedding"]
    return {
        "entities": list(Entity.objects.order_by("id").values(*fields)),
        "embedded": embedded,
        "aliases": list(EntityAlias.objects.order_by("id").values()),
        "mentions": list(Mention.objects.order_by("id").values()),
        "separations": list(Separation.objects.order_by("id").values()),
    }


def names(entity):
    return list(entity.aliases.filter(deleted_at=None).order_by("id").values_list("name", flat=True))


def logged(bond):
    return [
        (entry.type, entry.refs)
        for entry in BondEvent.objects.filter(bond_id=bond.pk).exclude(type__startswith="memory.doubt").order_by("seq")
    ]


def standing(entity):
    entity.refresh_from_db()
    return entity.merge_status, entity.merge_target_id


def refused(act):
    with pytest.raises(MergeError) as refusal:
        act()
    return refusal.value.code, refusal.value.detail


def test_a_merge_moves_names_nodes_and_the_last_mention(bond):
    both, hers, his = ConceptNodeFactory.create_batch(3, bond=bond)
    kept = person(bond, "Yiyang", nodes=[both, hers])
    merged = in_doubt(bond, "Scott", kept, nodes=[both, his], last_mentioned_at=LATER)
    AliasFactory(entity=merged, name="Scotty")

    merge = same(kept, merged, by="clarified")

    kept.refresh_from_db()
    merged.refresh_from_db()
    assert names(kept) == ["Yiyang", "Scott", "Scotty"]
    assert list(kept.nodes.order_by("id")) == [both, hers, his]
    assert (kept.last_mentioned_at, standing(kept)) == (LATER, ("confirmed", None))
    assert merged.merged_into == kept
    assert list(Entity.objects.not_deleted_or_merged()) == [kept]
    assert (merge.decided_by, merge.created_at, merge.undone_at) == ("clarified", LATER, None)
    assert logged(bond) == [("memory.entity.merged", {"entity": kept.pk, "merged": merged.pk})]


@pytest.mark.parametrize(
    ("kept", "merged", "expected"),
    [
        (("Short.", "slow_tick"), ("Rather longer.", "slow_tick"), ("Rather longer.", "slow_tick")),
        (("Rather longer.", "slow_tick"), ("Short.", "slow_tick"), ("Rather longer.", "slow_tick")),
        (("Equal.", "slow_tick"), ("As long", "slow_tick"), ("As long", "slow_tick")),
        (("Even 1.", "slow_tick"), ("Even 2.", "slow_tick"), ("Even 1.", "slow_tick")),
        (("Mine.", "owner"), ("Rather longer.", "slow_tick"), ("Mine.", "owner")),
        (("Rather longer.", "slow_tick"), ("Mine.", "owner"), ("Mine.", "owner")),
        (("Mine.", "owner"), ("Mine too, longer.", "owner"), ("Mine too, longer.", "owner")),
        (("", ""), ("Something.", "slow_tick"), ("Something.", "slow_tick")),
        (("", ""), ("", ""), ("", "")),
    ],
)
def test_the_owners_description_wins_else_the_longer(bond, kept, merged, expected):
    one = person(bond, "Yiyang", description=kept[0], description_by=kept[1])
    other = person(bond, "Scott", description=merged[0], description_by=merged[1])
    before = rows()

    merge = same(one, other)

    one.refresh_from_db()
    assert (one.description, one.description_by) == expected
    undo(merge)
    assert rows() == before


def test_the_vector_of_the_kept_name_stays_and_of_one_that_cannot_be_read_is_made_up_for(bond):
    axis, other = [1.0] + [0.0] * 383, [0.0, 1.0] + [0.0] * 382
    kept = person(bond, "Yiyang", embedding=axis, embedding_model="hash")
    second = person(bond, "Scott", embedding=other, embedding_model="hash")
    unread = person(bond, "黄逸扬", embedding_model="hash")

    same(kept, second)
    same(unread, kept)

    unread.refresh_from_db()
    assert (unread.embedding, unread.embedding_model) == (axis, "hash")


def test_what_was_in_doubt_about_the_merged_one_is_so_about_the_kept_one(bond):
    kept, merged = person(bond, "Yiyang"), person(bond, "Scott")
    third = in_doubt(bond, "Scotty", merged, asked_in=[4])

    same(kept, merged)

    assert standing(third) == ("uncertain", kept.pk)
    [doubt] = Doubt.objects.open()
    assert (doubt.a_entity, doubt.b_entity, doubt.asked_in) == (third, kept, [4])


def test_who_is_merged_into_the_one_in_doubt_ends_the_doubt(bond):
    older = person(bond, "Yiyang")
    newer = in_doubt(bond, "Scott", older)

    same(newer, older)

    assert standing(newer) == ("confirmed", None)
    assert newer.confirmed_at == LATER
    assert logged(bond) == [
        ("memory.entity.confirmed", {"entity": newer.pk}),
        ("memory.entity.merged", {"entity": newer.pk, "merged": older.pk}),
    ]


def test_whom_one_is_not_the_other_is_not_either(bond):
    kept, merged, stranger = person(bond, "Yiyang"), person(bond, "Scott"), person(bond, "Sky")
    different(merged, stranger)

    same(kept, merged)

    assert merging.are_separate(stranger.pk, kept.pk)
    assert not merging.open_uncertain_pair(a=stranger, b=kept, now=NOW)


def test_a_doubt_that_a_merge_decides_is_settled(bond):
    kept, merged = person(bond, "Yiyang"), person(bond, "Scott")
    third = in_doubt(bond, "Scotty", kept, confirmed_at=NOW)
    different(merged, third)

    same(kept, merged)

    assert standing(third) == ("confirmed", None)
    assert ("memory.entity.confirmed", {"entity": third.pk}) not in logged(bond)


def whole_world(bond):
    """Two entities with everything that a merge can touch."""
    nodes = ConceptNodeFactory.create_batch(3, bond=bond)
    strangers = [person(bond, name) for name in ("Sky", "Sea", "Sun")]
    target = person(bond, "Target")
    kept = in_doubt(
        bond, "黄逸扬", target, nodes=nodes[:2], description="A sister.", description_by="slow_tick", asked_in=[1]
    )
    merged = in_doubt(
        bond,
        "Scott",
        kept,
        nodes=nodes[1:],
        last_mentioned_at=LATER,
        description="A sister of the user.",
        description_by="slow_tick",
        embedding=[1.0] + [0.0] * 383,
        embedding_model="hash",
        asked_in=[1, 2],
    )
    AliasFactory(entity=merged, name="Gone", deleted_at=NOW)
    AliasFactory(entity=merged, name="Scotty")
    in_doubt(bond, "Moved", merged)
    settled = in_doubt(bond, "Settled", merged)
    different(kept, settled)
    for stranger in strangers[:2]:
        different(kept, stranger)
    for stranger in strangers[1:]:
        different(stranger, merged)
    return kept, merged


def test_undone_everything_is_where_it_was(bond):
    kept, merged = whole_world(bond)
    confirmed = {one.pk: one.confirmed_at for one in Entity.objects.all()}
    before = rows()

    merge = same(kept, merged)
    assert rows() != before
    back = undo(merge)

    # That it was sure once is known for good, so that it is not told twice.
    for row in before["entities"]:
        if row["canonical_name"] == "Settled":
            assert confirmed[row["id"]] is None
            row["confirmed_at"] = LATER
    assert rows() == before
    assert back == merged
    merge.refresh_from_db()
    assert merge.undone_at == LATER
    assert [entry for entry in logged(bond) if entry[1].get("entity") == merged.pk] == [
        ("memory.entity.restored", {"entity": merged.pk})
    ]


def test_merged_and_undone_again_and_again_it_is_the_same(bond):
    kept, merged = whole_world(bond)
    same(kept, merged)
    first = rows()
    undo(EntityMerge.objects.get())

    same(kept, merged)

    assert rows() == first


def test_what_came_after_a_merge_stays_when_it_is_undone(bond):
    kept, merged = person(bond, "Yiyang", description="A."), person(bond, "Scott", description="A brother.")
    third = in_doubt(bond, "Sky", merged)
    merge = same(kept, merged)
    AliasFactory(entity=kept, name="Yi")
    node = ConceptNodeFactory(bond=bond)
    Mention.objects.create(bond=bond, entity=kept, node=node)
    Entity.objects.filter(pk=kept.pk).update(
        canonical_name="Scott", description="Written since.", description_by="owner", last_mentioned_at=LATER
    )
    different(kept, third)

    undo(merge)

    kept.refresh_from_db()
    merged.refresh_from_db()
    assert (names(kept), names(merged)) == (["Yiyang", "Scott", "Yi"], [])
    assert list(kept.nodes.all()) == [node]
    assert (kept.description, kept.description_by, kept.last_mentioned_at) == ("Written since.", "owner", LATER)
    assert (merged.description, merged.description_by) == ("", "")
    assert standing(third) == ("confirmed", None)


def test_a_merge_is_undone_from_the_last_one_back(bond):
    a, b, c, d = (person(bond, name) for name in ("Ann", "Bea", "Cleo", "Dora"))
    before = rows()
    first, second, third = same(b, a), same(b, c), same(d, b)
    later = "conflict", "A later merge is based on this one. Undo that one first."

    assert [refused(lambda merge=merge: undo(merge)) for merge in (first, second)] == [later] * 2
    undo(third)
    assert refused(lambda: undo(first)) == later
    undo(second)
    undo(first)

    assert rows() == before
    assert refused(lambda: undo(first)) == ("conflict", "This merge is already undone.")


def test_a_merge_of_somebody_forgotten_stays(bond):
    kept, merged = person(bond, "Yiyang"), person(bond, "Scott")
    merge = same(kept, merged)
    Entity.objects.filter(pk=kept.pk).update(deleted_at=NOW)

    assert refused(lambda: undo(merge)) == ("conflict", "What was merged has been forgotten since.")


def test_only_two_that_are_there_are_merged_or_parted(bond):
    kept, merged, gone = person(bond, "Yiyang"), person(bond, "Scott"), person(bond, "Sky", deleted_at=NOW)
    stranger = person(BondFactory(), "Yiyang")
    missing = "not_found", "One of the two no longer exists."

    assert refused(lambda: same(kept, kept)) == ("conflict", "These are already merged.")
    assert refused(lambda: different(kept, kept)) == ("conflict", "These are already merged.")
    assert refused(lambda: same(kept, gone)) == missing
    assert refused(lambda: same(stranger, kept)) == missing
    same(kept, merged)
    assert refused(lambda: same(kept, merged)) == missing
    assert refused(lambda: different(merged, kept)) == missing


def test_different_ends_the_doubt_for_good(bond):
    older = person(bond, "Yiyang")
    newer = in_doubt(bond, "Scott", older)

    different(older, newer, by="clarified")
    different(newer, older)

    assert (standing(older), standing(newer)) == (("confirmed", None), ("confirmed", None))
    [row] = Separation.objects.all()
    assert (row.a, row.b, row.decided_by, row.created_at) == (older, newer, "clarified", LATER)
    assert logged(bond) == [("memory.entity.confirmed", {"entity": newer.pk})]
    assert not merging.open_uncertain_pair(a=older, b=newer, now=NOW)
    assert standing(newer) == ("confirmed", None)


def test_who_was_sure_once_is_not_told_again(bond):
    older, newer = person(bond, "Yiyang"), person(bond, "Scott")

    assert merging.open_uncertain_pair(a=newer, b=older, now=NOW)
    different(newer, older)

    assert logged(bond) == []


def test_the_newer_of_two_is_in_doubt_about_the_older(bond):
    newer = person(bond, "Scott", created_at=LATER)
    older = person(bond, "Yiyang")

    assert [
        merging.open_uncertain_pair(a=newer, b=older, now=NOW),
        merging.open_uncertain_pair(a=older, b=newer, now=NOW),
    ] == [
        True,
        True,
    ]

    assert (standing(older), standing(newer)) == (("confirmed", None), ("uncertain", older.pk))
    [doubt] = Doubt.objects.open()
    assert (doubt.kind, doubt.severity, doubt.a_entity, doubt.b_entity) == ("ambiguous", 0.8, newer, older)


def test_no_doubt_is_opened_between_two_kinds_or_beside_another(bond):
    older, pet = person(bond, "Yiyang"), person(bond, "Nimbus", kind="pet")
    newer = in_doubt(bond, "Scott", older)
    other = person(bond, "Anna")
    newest = person(bond, "Zoe", created_at=LATER)

    assert not merging.open_uncertain_pair(a=pet, b=newest, now=NOW)
    assert not merging.open_uncertain_pair(a=older, b=older, now=NOW)
    assert not merging.open_uncertain_pair(
        a=newer, b=EntityFactory(bond=bond, kind="person", created_at=NOW - timedelta(days=1)), now=NOW
    )
    assert merging.open_uncertain_pair(a=newer, b=other, now=NOW)
    assert (standing(newer), standing(other)) == (("uncertain", older.pk), ("uncertain", newer.pk))
