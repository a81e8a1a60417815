import math
from datetime import timedelta

import pytest

from echovessel.embeddings import vectors
from memory.recall import scoring
from memory.recall.query_intent import QueryIntent
from tests.support.factories import NOW


@pytest.mark.parametrize(
    ("cosine", "relevance"),
    [(1.0, 1.0), (1.000001, 1.0), (0.0, 1 - math.sqrt(2) / 2), (-1.0, 0.0), (-1.1, 0.0), (0.28, 0.4)],
)
def test_relevance_is_one_minus_half_the_distance(cosine, relevance):
    assert vectors.relevance(cosine) == pytest.approx(relevance)


@pytest.mark.parametrize(
    ("cosine", "baseline", "relevance"),
    [(0.86, 0.86, 0.2929), (1.0, 0.86, 1.0), (0.93, 0.86, 0.5), (0.0, 0.86, 0.0), (0.28, 0.0, 0.4)],
)
def test_cosines_are_rescaled_by_what_the_model_gives_unrelated_texts(cosine, baseline, relevance):
    assert vectors.relevance(scoring.rescale_cosine(cosine, baseline=baseline)) == pytest.approx(relevance, abs=1e-4)


@pytest.mark.parametrize(
    ("asked", "held", "relevance"),
    [
        ([], ["cat"], 0.2929),
        (["cat"], [], 0.2929),
        (["cat"], ["dog"], 0.2929),
        (["cat"], ["cat"], 1.0),
        (["cat", "dog"], ["dog", "cat", "dog"], 1.0),
        (["小", "黑", "小黑"], ["小"], 0.4315),
    ],
)
def test_shared_terms_give_relevance_on_the_same_scale(asked, held, relevance):
    assert lexical_relevance(asked, held) == pytest.approx(relevance, abs=1e-4)


def test_more_of_the_question_counts_more_than_more_of_the_memory():
    most_of_the_question = lexical_relevance(["cat", "night"], ["cat", "night", "jump", "face"])
    most_of_the_memory = lexical_relevance(["cat", "night", "jump", "face"], ["cat", "night"])

    assert most_of_the_question > most_of_the_memory > vectors.relevance(0)


def lexical_relevance(asked, held):
    return scoring.compute_lexical_relevance(scoring.build_term_bag(asked), scoring.build_term_bag(held))


def test_a_single_character_says_half_of_what_a_word_says():
    assert scoring.weigh_terms(["小", "小黑", "cat", "x"]) == 3.5


@pytest.mark.parametrize(
    ("age", "recency"),
    [(timedelta(0), 1.0), (timedelta(days=14), 0.5), (timedelta(days=28), 0.25), (timedelta(days=-3), 1.0)],
)
def test_recency_halves_in_fourteen_days(age, recency):
    assert scoring.compute_recency(NOW - age, NOW) == pytest.approx(recency)


@pytest.mark.parametrize(
    ("terms", "score"),
    [
        ({}, 0),
        ({"recency": 1}, 0.5),
        ({"relevance": 1}, 3),
        ({"impact": 1}, 2),
        ({"relational": 0.5}, 1),
        ({"anchor": 1}, 1.5),
        ({"graph": 0.5}, 0.5),
        ({"recency": 1, "relevance": 1, "impact": 1, "relational": 0.5, "anchor": 1, "graph": 0.5}, 8.5),
    ],
    ids=str,
)
def test_each_term_has_its_weight(terms, score):
    none = {"recency": 0, "relevance": 0, "impact": 0, "relational": 0, "anchor": 0, "graph": 0}

    assert scoring.ScoreTerms(**(none | terms)).score(relational_weight=2) == score


def test_cosine_of_unit_vectors():
    assert scoring.compute_cosine([0.6, 0.8], [0.8, 0.6]) == pytest.approx(0.96)


def evidence(*nears, shared=0.0):
    lexical = vectors.relevance(0.0)
    return [scoring.MatchEvidence(near=near, shared=shared, lexical=lexical) for near in nears]


def rounded(found):
    return [round(value, 3) for value in found]


def of(cosine):
    return round(vectors.relevance(cosine), 3)


def test_shared_terms_help_a_vector():
    assert rounded(scoring.compute_relevances(evidence(0.3, shared=0.5), asks=QueryIntent.OPEN)) == [of(0.4)]


def test_without_a_vector_terms_alone_count():
    alone = scoring.MatchEvidence(near=None, shared=1.0, lexical=0.7)

    assert scoring.compute_relevances([alone], asks=QueryIntent.MEMORY) == [0.7]


@pytest.mark.parametrize(
    ("nears", "shared", "found"),
    [
        ((0.25, 0.21, 0.19), 0.0, [of(0.55), of(0.51), of(0.19)]),
        ((0.16, 0.0), 0.0, [of(0.46), of(0.0)]),
        ((0.15, 0.0), 0.0, [of(0.15), of(0.0)]),
        ((0.17, 0.0), 0.05, [of(0.18), of(0.01)]),
    ],
    ids=["the nearest and what is as near", "the bound", "under it", "a higher bound where a word is shared"],
)
def test_who_asks_about_their_life_means_what_is_nearest(nears, shared, found):
    assert rounded(scoring.compute_relevances(evidence(*nears, shared=shared), asks=QueryIntent.MEMORY)) == found


def test_who_asks_for_advice_finds_less():
    assert rounded(scoring.compute_relevances(evidence(0.4), asks=QueryIntent.ADVICE)) == [of(0.3)]
