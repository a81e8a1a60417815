from datetime import date, timedelta

import pytest

from echovessel.embeddings import embedding
from echovessel.models import BondEvent
from memory.models import ConceptNode, Filling, Mention, NodeSource
from memory.nodes import corrections
from memory.nodes.corrections import CorrectionError
from tests.support.factories import (
    NOW,
    BondFactory,
    ConceptNodeFactory,
    EntityFactory,
    FillingFactory,
    MessageFactory,
    SessionFactory,
)

pytestmark = pytest.mark.django_db
LATER = NOW + timedelta(days=3)
NEW_TEXT = "The user's dog jumps on their face at night."


@pytest.fixture
def bond():
    return BondFactory(user__username="mara")


def columns(node):
    node = ConceptNode.objects.get(pk=node.pk)
    return {field.attname: getattr(node, field.attname) for field in ConceptNode._meta.concrete_fields}


def logged():
    return [(entry.type, entry.refs) for entry in BondEvent.objects.order_by("seq")]


@pytest.mark.parametrize(("impact", "tags"), [(5, []), (-2, ["grief"]), (0, ["grief"])])
def test_feelings_go_where_bad_becomes_good(bond, impact, tags):
    lost = ConceptNodeFactory(bond=bond, emotional_impact=-7, emotion_tags=["grief"])

    assert corrections.correct(node=lost, emotional_impact=impact, now=LATER).emotion_tags == tags


def test_a_corrected_event_is_the_persons_and_the_old_one_is_history(bond):
    lines = MessageFactory.create_batch(2, session=SessionFactory(bond=bond))
    old = ConceptNodeFactory(
        bond=bond,
        session=lines[0].session,
        sources=lines,
        answer_key="extraction:1:2:0",
        emotional_impact=-3,
        emotion_tags=["tired"],
        relational_tags=["vulnerability"],
        event_time_start=date(2026, 11, 20),
        event_time_end=date(2026, 11, 21),
        source_quote="my cat",
        mention_count=3,
        conflicts_with=ConceptNodeFactory(bond=bond),
    )
    cat = EntityFactory(bond=bond, canonical_name="cat", nodes=[old])
    before = columns(old)

    new = corrections.correct(node=old, description=f" {NEW_TEXT}\n", now=LATER)

    assert columns(new) == before | {
        "id": new.pk,
        "description": NEW_TEXT,
        "origin": "user",
        "confidence": 1.0,
        "answer_key": None,
        "conflicts_with_id": None,
        "valid_from": LATER,
        "created_at": LATER,
        "terms": ["dog", "face", "jump", "night", "user"],
        "embedding": columns(new)["embedding"],
        "embedding_model": "hash",
        "sketch": columns(new)["sketch"],
        "search": " ".join(f"'{bond.pk}:{term}'" for term in ("dog", "face", "jump", "night", "user")),
    }
    assert columns(old) == before | {"state": "superseded", "superseded_by_id": new.pk, "valid_until": LATER}
    assert [edge.message for edge in NodeSource.objects.filter(node=new).order_by("id")] == lines
    assert [link.entity for link in Mention.objects.filter(node=new)] == [cat]
    assert logged() == [
        ("memory.event.created", {"node": new.pk}),
        ("memory.node.updated", {"node": old.pk, "changed": ["state", "superseded_by"]}),
    ]


def test_people_are_those_who_still_occur(bond):
    line = MessageFactory(session__bond=bond, content="Anna came by.")
    old = ConceptNodeFactory(bond=bond, description="Ben and Anna are sisters.", sources=[line])
    anna, ben = (EntityFactory(bond=bond, canonical_name=name, nodes=[old]) for name in ("Anna", "Ben"))
    mia = EntityFactory(bond=bond, canonical_name="Mia")
    EntityFactory(bond=bond, canonical_name="Charlie")

    new = corrections.correct(node=old, description="Mia and her are sisters.", now=LATER)

    assert list(new.entities.order_by("id")) == [anna, mia]
    assert list(old.entities.order_by("id")) == [anna, ben]


def test_its_vector_is_that_of_the_new_text(bond):
    new = corrections.correct(node=ConceptNodeFactory(bond=bond), description=NEW_TEXT, now=LATER)

    twin = ConceptNodeFactory(bond=bond, embedding=embedding.embed([NEW_TEXT])[0])
    assert columns(new)["embedding"] == columns(twin)["embedding"]


def test_an_impact_alone_is_corrected(bond):
    old = ConceptNodeFactory(bond=bond, emotional_impact=3)

    new = corrections.correct(node=old, emotional_impact=-9, now=LATER)

    assert (new.description, new.emotional_impact, new.origin) == (old.description, -9, "user")
    assert ConceptNode.objects.for_bond(bond).current().get() == new


@pytest.mark.parametrize(
    "said", [{}, {"description": "The same.", "emotional_impact": 2}, {"description": "The same. "}]
)
def test_a_correction_that_changes_nothing_is_none(said, bond):
    node = ConceptNodeFactory(bond=bond, description="The same.", emotional_impact=2)

    assert corrections.correct(node=node, now=LATER, **said) == node
    assert (ConceptNode.objects.count(), node.state, logged()) == (1, "live", [])


def test_what_rested_on_it_alone_is_stale_at_any_depth(bond):
    old, other = ConceptNodeFactory(bond=bond), ConceptNodeFactory(bond=bond)
    alone = ConceptNodeFactory(bond=bond, type="thought", evidence=[old])
    deeper = ConceptNodeFactory(bond=bond, type="expectation", evidence=[alone])
    held = ConceptNodeFactory(bond=bond, type="thought", evidence=[old, other])

    corrections.correct(node=old, description=NEW_TEXT, now=LATER)

    stale = dict(ConceptNode.objects.values_list("pk", "stale"))
    assert [stale[node.pk] for node in (alone, deeper, held)] == [True, True, False]


@pytest.mark.parametrize(
    ("kind", "state"),
    [("thought", "live"), ("expectation", "pending"), ("expectation", "missed"), ("intention", "open")],
)
def test_thoughts_and_their_like_keep_their_evidence_and_state(kind, state, bond):
    event, gone = ConceptNodeFactory(bond=bond), ConceptNodeFactory(bond=bond, deleted_at=NOW)
    old = ConceptNodeFactory(bond=bond, type=kind, state=state, stale=True, evidence=[event])
    FillingFactory(parent=old, child=gone, orphaned=True)

    new = corrections.correct(node=old, description="They give in to the dog.", now=LATER)

    assert (new.type, new.state, new.stale) == (kind, state, False)
    assert list(Filling.objects.filter(parent=new).order_by("id").values_list("child", "orphaned")) == [
        (event.pk, False),
        (gone.pk, True),
    ]
    assert logged()[0] == ("memory.thought.created", {"node": new.pk})


def test_a_description_written_from_it_is_emptied_and_an_owners_stays(bond):
    old = ConceptNodeFactory(bond=bond)
    written = EntityFactory(bond=bond, nodes=[old], description="A cat.", description_by="slow_tick")
    owned = EntityFactory(
        bond=bond, canonical_name="Anna", nodes=[old], description="A friend.", description_by="owner"
    )

    corrections.correct(node=old, description=NEW_TEXT, now=LATER)

    for entity in (written, owned):
        entity.refresh_from_db()
    assert (written.description, written.description_by) == ("", "")
    assert (owned.description, owned.description_by) == ("A friend.", "owner")


def test_secrets_are_kept_out(bond):
    node = ConceptNodeFactory(bond=bond)

    new = corrections.correct(node=node, description="My card is 4111 1111 1111 1111.", now=LATER)

    assert new.description == "My card is [secret]."


@pytest.mark.parametrize("change", [{"state": "superseded"}, {"deleted_at": NOW}])
def test_what_was_replaced_or_forgotten_meanwhile_is_not_corrected(change, bond):
    node = ConceptNodeFactory(bond=bond)
    ConceptNode.objects.update(**change)

    with pytest.raises(CorrectionError) as refused:
        corrections.correct(node=node, description=NEW_TEXT, now=LATER)

    assert (refused.value.code, ConceptNode.objects.count(), logged()) == ("conflict", 1, [])


def test_a_clock_that_was_set_back_does_not_end_the_old_one_before_it_began(bond):
    old = ConceptNodeFactory(bond=bond)

    corrections.correct(node=old, description=NEW_TEXT, now=NOW - timedelta(hours=1))

    old.refresh_from_db()
    assert (old.state, old.valid_until) == ("superseded", NOW)


def test_a_replaced_memory_stands_again_in_the_place_of_the_newest(bond):
    first = ConceptNodeFactory(bond=bond)
    before = columns(first)
    second = corrections.correct(node=first, description=NEW_TEXT, now=LATER)
    third = corrections.correct(node=second, description="A parrot.", now=LATER)
    told = len(logged())

    corrections.restore(node=first, now=LATER + timedelta(days=1))

    assert columns(first) == before
    third.refresh_from_db()
    assert (third.state, third.superseded_by, third.valid_until) == ("superseded", first, LATER + timedelta(days=1))
    assert logged()[told:] == [
        ("memory.node.updated", {"node": node.pk, "changed": ["state", "superseded_by"]}) for node in (first, third)
    ]

    corrections.restore(node=second, now=LATER + timedelta(days=2))

    assert {node.pk: node.superseded_by_id for node in ConceptNode.objects.all()} == {
        first.pk: second.pk,
        second.pk: None,
        third.pk: first.pk,
    }
    assert ConceptNode.objects.for_bond(bond).current().get() == second


def test_what_rests_on_a_restored_memory_holds_again(bond):
    old = ConceptNodeFactory(bond=bond)
    thought = ConceptNodeFactory(bond=bond, type="thought", evidence=[old])
    new = corrections.correct(node=old, description=NEW_TEXT, now=LATER)
    upon_new = ConceptNodeFactory(bond=bond, type="thought", evidence=[new])

    corrections.restore(node=old, now=LATER)

    stale = dict(ConceptNode.objects.values_list("pk", "stale"))
    assert (stale[thought.pk], stale[upon_new.pk]) == (False, True)


def test_a_restored_thought_without_evidence_that_holds_is_stale(bond):
    event = ConceptNodeFactory(bond=bond)
    old = ConceptNodeFactory(bond=bond, type="thought", evidence=[event])
    corrections.correct(node=old, description="They give in to the dog.", now=LATER)
    corrections.correct(node=event, description=NEW_TEXT, now=LATER)

    assert corrections.restore(node=old, now=LATER).stale is True


def test_a_restored_promise_is_as_open_as_the_one_it_replaces(bond):
    old = ConceptNodeFactory(bond=bond, type="intention")
    new = corrections.correct(node=old, description="Ask about the exam.", now=LATER)
    ConceptNode.objects.filter(pk=new.pk).update(state="kept")

    assert corrections.restore(node=old, now=LATER).state == "kept"


def test_a_memory_whose_newer_one_was_forgotten_stands_again_as_at_first(bond):
    old = ConceptNodeFactory(bond=bond, type="expectation")
    new = corrections.correct(node=old, description="They will move.", now=LATER)
    ConceptNode.objects.filter(pk=new.pk).update(deleted_at=LATER)

    restored = corrections.restore(node=old, now=LATER)

    new.refresh_from_db()
    assert (restored.state, new.state) == ("pending", "pending")


@pytest.mark.parametrize("change", [{"state": "live"}, {"state": "superseded", "deleted_at": NOW}])
def test_what_was_not_replaced_is_not_restored(change, bond):
    node = ConceptNodeFactory(bond=bond)
    ConceptNode.objects.update(**change)

    with pytest.raises(CorrectionError) as refused:
        corrections.restore(node=node, now=LATER)

    assert (refused.value.code, logged()) == ("conflict", [])
