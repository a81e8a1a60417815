from datetime import date

import pytest

from tests.support.factories import NOW, BondFactory, EntityFactory, FillingFactory
from tests.support.recalling import ASKED, node, search

pytestmark = pytest.mark.django_db


@pytest.fixture
def bond():
    return BondFactory(user__username="mara")


def thought(bond, *evidence, cosine=0.9, **more):
    """A thought that cites these nodes."""
    made = node(bond, type="thought", cosine=cosine, **more)
    for child in evidence:
        FillingFactory(parent=made, child=child)
    return made


def graph(recalled):
    return {item.node.pk: item.terms.graph for item in recalled.items}


def test_a_thought_and_its_evidence_count_for_each_other(bond):
    event, other = node(bond, cosine=0.9), node(bond, cosine=0.9)
    cites = thought(bond, event)

    recalled = search(bond, vector=ASKED)

    assert graph(recalled) == {event.pk: 0.25, cites.pk: 0.25, other.pk: 0.0}
    scores = {item.node.pk: item.score for item in recalled.items}
    assert scores[event.pk] - scores[other.pk] == pytest.approx(0.25)


@pytest.mark.parametrize(("edges", "expected"), [(1, 0.25), (2, 0.5), (3, 0.5)])
def test_edges_add_up_to_a_half(bond, edges, expected):
    events = [node(bond, cosine=0.9) for _ in range(edges)]
    cites = thought(bond, *events)

    assert graph(search(bond, vector=ASKED)) == {cites.pk: expected} | {event.pk: 0.25 for event in events}


def test_an_event_that_many_thoughts_cite_counts_as_each_of_them(bond):
    event = node(bond, cosine=0.9)
    citing = [thought(bond, event) for _ in range(3)]

    assert graph(search(bond, vector=ASKED)) == {event.pk: 0.5} | {each.pk: 0.25 for each in citing}


@pytest.mark.parametrize(("cosine", "expected"), [(0.2801, 0.25), (0.2799, 0.0)], ids=["just over", "just under"])
def test_the_other_must_be_above_the_floor(bond, cosine, expected):
    event = node(bond, cosine=cosine)
    cites = thought(bond, event)

    recalled = search(bond, vector=ASKED)

    assert graph(recalled)[cites.pk] == expected
    assert {item.node.pk: item.reason for item in recalled.items}[event.pk] == (None if expected else "floor")


def test_what_a_name_or_a_time_anchors_is_above_the_floor(bond):
    by_name, by_time = node(bond, cosine=-0.9), node(bond, cosine=-0.9, event_time_start=date(2024, 3, 9))
    EntityFactory(bond=bond, nodes=[by_name])
    cites = thought(bond, by_name, by_time)

    assert graph(search(bond, "小黑 in 2024", vector=ASKED))[cites.pk] == 0.5


def test_an_edge_brings_nothing_over_the_floor(bond):
    far = node(bond, cosine=-0.9)
    cites = thought(bond, far)

    recalled = search(bond, vector=ASKED)

    assert [(item.node, item.reason) for item in recalled.items] == [(cites, None), (far, "floor")]


def test_an_orphaned_edge_and_evidence_that_no_longer_holds_count_nothing(bond):
    orphaned, superseded = node(bond, cosine=0.9), node(bond, cosine=0.9, state="superseded")
    forgotten = node(bond, cosine=0.9, deleted_at=NOW)
    cites = thought(bond, superseded, forgotten)
    FillingFactory(parent=cites, child=orphaned, orphaned=True)

    assert graph(search(bond, vector=ASKED)) == {orphaned.pk: 0.0, cites.pk: 0.0}


def test_edges_can_decide_what_is_kept(bond):
    event, other = node(bond, cosine=0.9), node(bond, cosine=0.9)
    thought(bond, event, cosine=0.95)

    assert event in [item.node for item in search(bond, vector=ASKED, k=2).kept]
    assert other not in [item.node for item in search(bond, vector=ASKED, k=2).kept]


def test_scores_say_every_term(bond):
    event = node(bond, cosine=0.9, emotional_impact=-5, relational_tags=["unresolved"])
    EntityFactory(bond=bond, nodes=[event])
    thought(bond, event)

    found = {item.node.pk: item for item in search(bond, "小黑", vector=ASKED).items}[event.pk]
    terms = found.terms

    assert terms.anchor == 1.0
    assert found.score == pytest.approx(0.5 * 1 + 3 * terms.relevance + 2 * 0.5 + 0.5 + 1.5 + 0.25 + 2.5 * terms.fit)
