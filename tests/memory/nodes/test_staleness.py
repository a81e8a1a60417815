from datetime import timedelta

import pytest

from echovessel.models import BondEvent
from memory.models import Entity
from memory.nodes import staleness
from tests.support.factories import NOW, BondFactory, ConceptNodeFactory, EntityFactory, FillingFactory

pytestmark = pytest.mark.django_db

LATER = NOW + timedelta(days=1)


@pytest.fixture
def bond():
    return BondFactory(user__username="mara")


def superseded(node, by=None):
    node.supersede(by=by or ConceptNodeFactory(bond=node.bond), now=LATER)
    return node


def refresh(*nodes):
    staleness.refresh(bond=nodes[0].bond, nodes=[node.pk for node in nodes], now=LATER)


def told():
    """All that is said but of doubts, which a stale thought opens too."""
    others = BondEvent.objects.exclude(type__startswith="memory.doubt.").order_by("seq")
    return [(entry.type, entry.refs) for entry in others]


def is_stale(node):
    node.refresh_from_db()
    return node.stale


@pytest.mark.parametrize(
    ("kind", "state"), [("thought", "live"), ("intention", "open"), ("expectation", "pending")], ids=str
)
def test_what_rests_on_superseded_evidence_alone_is_stale(bond, kind, state):
    old, other = ConceptNodeFactory.create_batch(2, bond=bond)
    alone = ConceptNodeFactory(bond=bond, type=kind, state=state, evidence=[old])
    on_both = ConceptNodeFactory(bond=bond, type=kind, state=state, evidence=[old, other])
    elsewhere = ConceptNodeFactory(bond=bond, type=kind, state=state, evidence=[other])
    on_nothing = ConceptNodeFactory(bond=bond, type=kind, state=state)

    refresh(superseded(old))

    assert [is_stale(node) for node in (alone, on_both, elsewhere, on_nothing)] == [True, False, False, False]
    assert told() == [("memory.node.updated", {"node": alone.pk, "changed": ["stale"]})]


def test_it_is_stale_once_the_last_of_its_evidence_is_superseded(bond):
    first, second = ConceptNodeFactory.create_batch(2, bond=bond)
    thought = ConceptNodeFactory(bond=bond, type="thought", evidence=[first, second])

    refresh(superseded(first))
    assert is_stale(thought) is False

    refresh(superseded(second))
    assert is_stale(thought) is True


def test_refreshing_twice_says_it_once(bond):
    old = ConceptNodeFactory(bond=bond)
    ConceptNodeFactory(bond=bond, type="thought", evidence=[old])

    refresh(superseded(old))
    refresh(old)

    assert len(told()) == 1


def test_what_rests_on_something_stale_alone_is_stale_too_and_comes_back_with_it(bond):
    old = ConceptNodeFactory(bond=bond)
    thought = ConceptNodeFactory(bond=bond, type="thought", evidence=[old])
    deeper = ConceptNodeFactory(bond=bond, type="expectation", evidence=[thought])

    refresh(superseded(old))
    assert [is_stale(thought), is_stale(deeper)] == [True, True]

    old.state, old.superseded_by, old.valid_until = "live", None, None
    old.save()
    refresh(old)
    assert [is_stale(thought), is_stale(deeper)] == [False, False]
    assert [refs["node"] for _, refs in told()] == [thought.pk, deeper.pk] * 2


def test_evidence_that_was_forgotten_neither_holds_nor_lets_go(bond):
    old, forgotten = ConceptNodeFactory.create_batch(2, bond=bond)
    kept = ConceptNodeFactory(bond=bond, type="thought")
    FillingFactory(parent=kept, child=forgotten, orphaned=True)
    mixed = ConceptNodeFactory(bond=bond, type="thought", evidence=[old])
    FillingFactory(parent=mixed, child=forgotten, orphaned=True)
    forgotten.deleted_at = LATER
    forgotten.save()

    refresh(superseded(old), forgotten)

    assert [is_stale(kept), is_stale(mixed)] == [False, True]


@pytest.mark.parametrize("more", [{"state": "superseded"}, {"deleted_at": NOW}], ids=["superseded", "forgotten"])
def test_a_thought_that_is_gone_anyway_is_left_alone(bond, more):
    old = ConceptNodeFactory(bond=bond)
    thought = ConceptNodeFactory(bond=bond, type="thought", evidence=[old], **more)

    refresh(superseded(old))

    assert is_stale(thought) is False


def test_a_stale_thought_comes_back_when_it_is_cited_anew(bond):
    stale = ConceptNodeFactory(bond=bond, type="thought", stale=True)
    live = ConceptNodeFactory(bond=bond, type="thought")
    gone = ConceptNodeFactory(bond=bond, type="thought", stale=True, deleted_at=NOW)
    strangers = ConceptNodeFactory(bond__user__username="charlie", type="thought", stale=True)

    staleness.revive_cited(bond=bond, nodes=[stale.pk, live.pk, gone.pk, strangers.pk], now=LATER)

    assert [is_stale(node) for node in (stale, live, gone, strangers)] == [False, False, True, True]
    assert told() == [("memory.node.updated", {"node": stale.pk, "changed": ["stale"]})]


def test_a_description_written_from_what_is_superseded_is_emptied_but_an_owners_stays(bond):
    old, other = ConceptNodeFactory.create_batch(2, bond=bond)
    written = EntityFactory(bond=bond, canonical_name="Northwind", nodes=[old, other])
    by_owner = EntityFactory(bond=bond, canonical_name="Anna", nodes=[old])
    elsewhere = EntityFactory(bond=bond, canonical_name="Nimbus", nodes=[other])
    for entity, author in ((written, "slow_tick"), (by_owner, "owner"), (elsewhere, "slow_tick")):
        entity.description, entity.description_by = "The user works there.", author
        entity.save()

    refresh(superseded(old))

    assert list(Entity.objects.order_by("id").values_list("description", "description_by")) == [
        ("", ""),
        ("The user works there.", "owner"),
        ("The user works there.", "slow_tick"),
    ]
    assert told() == [("memory.entity.description_updated", {"entity": written.pk})]
