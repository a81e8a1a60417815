from dataclasses import replace
from datetime import date

import pytest
from django.db import connection

from echovessel import text
from echovessel.embeddings import embedding
from echovessel.periods import Period
from memory.recall import candidates
from memory.recall.candidates import BondStatistics, CandidateQuery
from tests.support.factories import NOW, BondFactory, EntityFactory, MessageFactory
from tests.support.recalling import ASKED, node, vector

pytestmark = pytest.mark.django_db


@pytest.fixture
def bond():
    return BondFactory(user__username="mara")


def found(bond, said="", *, vector=None, entity_ids=(), periods=()):
    asked = CandidateQuery(terms=text.extract_terms(said), vector=vector, entity_ids=entity_ids, periods=periods)
    return {candidate.node.pk for candidate in candidates.find(bond=bond, asked=asked)}


def test_nothing_is_looked_for_where_nothing_was_asked(bond, django_assert_num_queries):
    node(bond, "A cat.")

    with django_assert_num_queries(0):
        assert found(bond) == set()


def test_a_rare_term_comes_before_one_that_is_everywhere(bond, monkeypatch):
    monkeypatch.setattr(candidates, "NEAREST", 3)
    rare = node(bond, "A violin.")
    common = [node(bond, "A cat.") for _ in range(6)]

    assert found(bond, "the cat and the violin") == {rare.pk, common[5].pk, common[4].pk}


def test_a_term_that_too_many_hold_is_not_read_to_its_end_and_says_little(bond, monkeypatch):
    monkeypatch.setattr(candidates, "MAX_NODES_PER_TERM", 4)
    cats = [node(bond, "A cat.") for _ in range(9)]
    violins = [node(bond, "A violin.") for _ in range(3)]

    looked_at = found(bond, "the cat and the violin")
    monkeypatch.setattr(candidates, "NEAREST", 3)

    assert len(looked_at & {cat.pk for cat in cats}) == 4
    assert found(bond, "the cat and the violin") == {violin.pk for violin in violins}


def test_the_nearest_are_compared_exactly_among_those_whose_signs_are_near(bond, monkeypatch):
    monkeypatch.setattr(candidates, "NEAREST", 2)
    far, near, nearer = (node(bond, cosine=cosine) for cosine in (0.1, 0.8, 0.9))
    node(bond, cosine=0.95, embedding_model="another")
    node(bond)

    assert found(bond, vector=ASKED) == {near.pk, nearer.pk}
    assert far.pk not in found(bond, vector=ASKED)


@pytest.mark.parametrize(
    ("start", "end", "is_found"),
    [
        (date(2026, 3, 1), date(2026, 3, 9), False),
        (date(2026, 3, 1), date(2026, 3, 10), True),
        (date(2026, 3, 12), date(2026, 3, 20), True),
        (date(2026, 3, 13), date(2026, 3, 20), False),
        (date(2026, 3, 11), None, True),
        (None, date(2026, 3, 11), True),
        (None, None, False),
    ],
    ids=str,
)
def test_a_period_finds_what_overlaps_it(bond, start, end, is_found):
    dated = node(bond, event_time_start=start, event_time_end=end)

    periods = [Period(date(2026, 3, 10), date(2026, 3, 12))]

    assert (dated.pk in found(bond, periods=periods)) is is_found


@pytest.mark.parametrize("gone", [{"stale": True}, {"state": "superseded"}], ids=str)
def test_what_no_longer_holds_is_found_in_no_way(bond, gone):
    old = node(bond, "A cat.", cosine=0.9, event_time_start=date(2026, 3, 11), **gone)
    entity = EntityFactory(bond=bond, nodes=[old])

    periods = [Period(date(2026, 3, 10), date(2026, 3, 12))]

    assert found(bond, "cat", vector=ASKED, entity_ids=[entity.pk], periods=periods) == set()


def test_what_is_usual_is_the_mean_of_the_newest(bond, monkeypatch):
    monkeypatch.setattr(candidates, "MIN_BASELINE_NODES", 2)
    asked = CandidateQuery(terms=[], vector=vector(1.0), entity_ids=[], periods=[])
    node(bond, cosine=0.2)

    [alone] = candidates.find(bond=bond, asked=asked)
    node(bond, cosine=0.4)
    node(bond, embedding_model=embedding.get_model_name())
    both = candidates.find(bond=bond, asked=asked)

    assert alone.statistics == BondStatistics(nodes=1)
    assert [one.statistics.mean for one in both] == [pytest.approx(0.3, abs=0.001)] * 2
    assert [one.statistics.spread for one in both] == [pytest.approx(0.1, abs=0.001)] * 2


def test_for_a_narration_nodes_are_counted_by_the_terms_they_hold(bond):
    node(bond, "My mother has a cat.")
    node(bond, "Mum likes the rain.")
    node(bond, "A dog.", state="superseded")
    node(BondFactory(), "A cat.")
    asked = CandidateQuery(terms=["mum", "cat", "dog"], vector=None, entity_ids=[], periods=[], narrates=True)

    found = candidates.find(bond=bond, asked=asked)

    assert [one.statistics.nodes for one in found] == [2, 2]
    assert [one.statistics.count_holding(term) for one in found[:1] for term in ("mother", "cat", "dog")] == [2, 1, 0]


def test_for_a_narration_the_nearest_source_is_compared(bond):
    sources = [told(bond, cosine) for cosine in (0.3, 0.7)]
    gone = told(bond, 0.9, deleted_at=NOW)
    other = told(bond, 0.9, embedding_model="another")
    node(bond, cosine=0.2, sources=[*sources, gone, other])
    node(bond, cosine=0.1)

    narrated = CandidateQuery(terms=[], vector=ASKED, entity_ids=[], periods=[], narrates=True)
    asked = replace(narrated, narrates=False)

    assert [one.source_cosine for one in sorted_by_cosine(bond, narrated)] == [pytest.approx(0.7, abs=0.001), None]
    assert [one.source_cosine for one in sorted_by_cosine(bond, asked)] == [None, None]


def test_a_memory_is_about_the_people_and_animals_that_are_not_forgotten(bond):
    told_of = node(bond, cosine=0.5)
    ann = EntityFactory(bond=bond, canonical_name="Ann", kind="person", nodes=[told_of])
    EntityFactory(bond=bond, canonical_name="Ben", kind="person", nodes=[told_of], deleted_at=NOW)
    EntityFactory(bond=bond, canonical_name="Leeds", kind="place", nodes=[told_of])
    asked = CandidateQuery(terms=[], vector=ASKED, entity_ids=[], periods=[])

    [found] = candidates.find(bond=bond, asked=asked)

    assert found.about_ids == (ann.pk,)


def told(bond, cosine, **more):
    vectors = {"embedding_model": embedding.get_model_name(), "embedding": vector(cosine)}
    return MessageFactory(session__bond=bond, session__status="closed", **(vectors | more))


def sorted_by_cosine(bond, asked):
    return sorted(candidates.find(bond=bond, asked=asked), key=lambda one: -one.cosine)


def test_the_tables_are_vacuumed_so_often_that_indexes_alone_can_be_read():
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT relname, reloptions FROM pg_class WHERE relname IN ('memory_message', 'memory_conceptnode') ORDER BY relname"
        )
        options = cursor.fetchall()

    often = [
        "autovacuum_vacuum_scale_factor=0.02",
        "autovacuum_vacuum_insert_scale_factor=0.02",
        "autovacuum_analyze_scale_factor=0.02",
    ]
    assert options == [("memory_conceptnode", often), ("memory_message", often)]
