import pytest
from django.db import connection
from django.db.migrations.loader import MigrationLoader

from memory.doubts import reopening, settling
from memory.entities import lookup, merging
from memory.facts.drafts import FactError
from memory.forgetting import removal, trash
from memory.models import Doubt, Entity, EntityMerge, Forgotten, Separation
from tests.support.doubts import ambiguous
from tests.support.factories import NOW, BondFactory, EntityFactory
from tests.support.facts import writer

pytestmark = pytest.mark.django_db
OPENS, DROPS = ("memory", "0033_pairs_in_doubt"), ("memory", "0034_pairs_count_no_questions")


@pytest.fixture
def bond():
    return BondFactory(user__username="mara")


def standing(doubt):
    doubt.refresh_from_db()
    return doubt.state, doubt.outcome


@pytest.mark.parametrize(
    ("by", "author"), [(writer(by="person"), "owner"), (writer(by="close"), "clarified")], ids=["page", "talk"]
)
def test_the_same_are_merged_and_undone_they_are_in_doubt_again(bond, by, author):
    doubt = ambiguous(bond)

    assert settling.settle(doubt=doubt, outcome="same", writer=by) is None
    settled, [merge] = standing(doubt), EntityMerge.objects.all()
    reopening.reopen(doubt=doubt, now=NOW)

    assert settled == ("settled", "same")
    assert (merge.kept, merge.merged, merge.decided_by) == (doubt.b_entity, doubt.a_entity, author)
    assert standing(doubt) == ("open", "")
    assert list(lookup.filter_uncertain(bond)) == [doubt.a_entity]


def test_a_pair_is_in_doubt_as_the_two_are_alike(bond):
    assert ambiguous(bond).reason == "alike"


def test_the_different_are_separate_and_undone_they_are_in_doubt_again(bond):
    doubt = ambiguous(bond)

    settling.settle(doubt=doubt, outcome="different", writer=writer(by="person"))
    settled, apart = standing(doubt), Separation.objects.count()
    reopening.reopen(doubt=doubt, now=NOW)

    assert (settled, apart) == (("settled", "different"), 1)
    assert (standing(doubt), Separation.objects.count()) == (("open", ""), 0)
    assert list(lookup.filter_uncertain(bond)) == [doubt.a_entity]


@pytest.mark.parametrize("outcome", ["this", "that", "both", "neither", "gone"])
def test_a_pair_has_no_other_outcome(bond, outcome):
    doubt = ambiguous(bond)

    with pytest.raises(FactError) as refused:
        settling.settle(doubt=doubt, outcome=outcome, writer=writer(by="person"))

    assert (refused.value.code, standing(doubt)) == ("invalid", ("open", ""))


def test_a_merge_by_hand_settles_and_its_undo_opens_again(bond):
    doubt = ambiguous(bond)

    merge = merging.merge_entities(kept=doubt.a_entity, merged=doubt.b_entity, by="owner", now=NOW)
    settled = standing(doubt)
    merging.undo(merge=merge, now=NOW)

    assert (settled, standing(doubt)) == (("settled", "same"), ("open", ""))


def test_a_doubt_follows_its_pair_to_whom_the_other_was_merged_into(bond):
    doubt = ambiguous(bond)
    anna = EntityFactory(bond=bond, canonical_name="Anna", kind="person")

    merge = merging.merge_entities(kept=anna, merged=doubt.b_entity, by="owner", now=NOW)
    doubt.refresh_from_db()
    moved = doubt.b_entity
    merging.undo(merge=merge, now=NOW)

    assert (moved, standing(doubt)) == (anna, ("open", ""))
    assert doubt.b_entity.canonical_name == "Yiyang"


@pytest.mark.parametrize("side", ["a_entity", "b_entity"])
def test_forgetting_one_of_the_two_settles_and_restoring_opens_again(bond, side):
    doubt = ambiguous(bond)

    removal.forget_entity(entity=getattr(doubt, side), now=NOW)
    settled = standing(doubt)
    trash.restore(act=Forgotten.objects.select_related("bond__user").get(), now=NOW)

    assert (settled, standing(doubt)) == (("settled", "gone"), ("open", ""))


def test_what_was_let_go_stays_so_while_the_pair_is_uncertain(bond):
    doubt = ambiguous(bond)
    settling.let_be(doubt=doubt)

    ambiguous(bond, this="Ann", that="Anna")

    assert (standing(doubt), Doubt.objects.count()) == (("let_go", ""), 2)


@pytest.fixture
def migrations():
    """The migrations that open doubts and drop the counts of entities, each with the state before it."""
    loader = MigrationLoader(connection, replace_migrations=False)
    return [(loader.get_migration(*one), loader.project_state(one, at_end=False)) for one in (OPENS, DROPS)]


def forwards(migration, before):
    with connection.schema_editor() as editor:
        migration.apply(before.clone(), editor)


def backwards(migration, before):
    with connection.schema_editor() as editor:
        # PostgreSQL alters no table of which rows are still to be checked.
        editor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        migration.unapply(before.clone(), editor)


def test_old_pairs_become_doubts_with_their_counts(migrations):
    opens, drops = migrations
    backwards(*drops)
    old = opens[1].apps
    entities = old.get_model("memory", "Entity")
    bond = old.get_model("personas", "Bond").objects.get(pk=BondFactory().pk)
    about = {"bond": bond, "kind": "person", "created_at": NOW, "last_mentioned_at": NOW}
    target = entities.objects.create(**about, canonical_name="Yiyang")
    gone = entities.objects.create(**about, canonical_name="Gone", deleted_at=NOW)
    pairs = [
        entities.objects.create(
            **about, canonical_name=f"Scott {asked}", merge_status="uncertain", merge_target=to, asked_in=asked
        )
        for to, asked in ((target, []), (target, [4, 5]), (target, [4, 5, 6]), (gone, [4]))
    ]

    forwards(*opens)
    forwards(*drops)

    found = Doubt.objects.order_by("a_entity")
    assert [(one.a_entity_id, one.b_entity_id, one.asked_in, one.state) for one in found] == [
        (pairs[0].pk, target.pk, [], "open"),
        (pairs[1].pk, target.pk, [4, 5], "open"),
        (pairs[2].pk, target.pk, [4, 5, 6], "let_go"),
    ]
    assert {(one.kind, one.severity, one.opened_at) for one in found} == {("ambiguous", 0.8, NOW)}
    assert not hasattr(Entity.objects.first(), "asked_in")

    backwards(*drops)
    backwards(*opens)

    assert [entities.objects.get(pk=one.pk).asked_in for one in pairs[:3]] == [[], [4, 5], [4, 5, 6]]
