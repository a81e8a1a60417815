"""The arithmetic of recall: one scale of relevance, and the score of a node.

The weights descend from Park et al. 2023 ("Generative Agents", recency 0.5, relevance 3, importance 2); relational,
anchor and graph terms are added.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from echovessel import text
from echovessel.embeddings.vectors import relevance, rescale
from memory.recall import term_forms
from memory.recall.query_intent import QueryIntent

RECENCY_WEIGHT = 0.5
RELEVANCE_WEIGHT = 3.0
IMPACT_WEIGHT = 2.0
ANCHOR_WEIGHT = 1.5
FIT_WEIGHT = 2.5
RECENCY_HALF_LIFE_DAYS = 14
RELATIONAL_TERM = 0.5
RELEVANCE_FLOOR = 0.4
# The mean cosine of a person's memories to their questions, measured with all-MiniLM-L6-v2.
USUAL_COSINE = 0.1
# The largest deduction, so that a person with one subject still finds it.
USUAL_MOST = 0.1
# Added to the cosine where a memory holds all of the question's terms.
SHARED_TERMS_BONUS = 0.2
# Whoever asks about their own life means something that they told. From this cosine on the nearest memory is taken to be it, and
# what is as near; from the lower one where no memory shares a word, as where question and memory are in two languages.
MEANT_MIN_NEARNESS = 0.2
MEANT_MIN_NEARNESS_WITHOUT_WORDS = 0.16
MEANT_WITHIN = 0.05
MEANT_BONUS = 0.3
# Advice is in no memory, however many words it shares.
ADVICE_PENALTY = 0.1
GRAPH_EDGE = 0.25
GRAPH_MOST = 0.5
# A single CJK character weighs less than a word or a pair of characters.
SINGLE_CHARACTER_WEIGHT = 0.5


@dataclass(frozen=True)
class ScoreTerms:
    """The terms of a node's score, before their weights."""

    recency: float
    relevance: float
    impact: float
    relational: float
    anchor: float
    graph: float
    # How well it fits a question, compared with the best (`memory.recall.question`).
    fit: float = 0.0

    def score(self, *, relational_weight: float) -> float:
        return (
            RECENCY_WEIGHT * self.recency
            + RELEVANCE_WEIGHT * self.relevance
            + IMPACT_WEIGHT * self.impact
            + relational_weight * self.relational
            + ANCHOR_WEIGHT * self.anchor
            + self.graph
            + FIT_WEIGHT * self.fit
        )


def compute_graph_term(edges: int) -> float:
    """Compute the term for evidence edges to other candidates above the floor."""
    return min(GRAPH_MOST, GRAPH_EDGE * edges)


def rescale_cosine(cosine: float, *, baseline: float, usual: float | None = None) -> float:
    """Rescale a cosine so that unrelated texts of the model (`baseline`) count as orthogonal.

    Some questions are a little near to everything ("How old is the lady on the next plot?"). Where the mean cosine to a
    bond's memories (`usual`) is higher than normal, more is deducted.
    """
    rescaled = rescale(cosine, baseline=baseline)
    if usual is not None:
        rescaled -= min(USUAL_MOST, max(0.0, rescale(usual, baseline=baseline) - USUAL_COSINE))
    return rescaled


class TermBag(NamedTuple):
    """The terms of a text, each once and with forms and synonyms joined, and their total weight."""

    terms: frozenset[str]
    weight: float


def build_term_bag(terms: Iterable[str]) -> TermBag:
    once = frozenset(map(term_forms.normalize_term, terms))
    return TermBag(once, weigh_terms(once))


def compute_lexical_relevance(query: TermBag, document: TermBag) -> float:
    """Compute relevance from shared terms, on the same scale, for texts without usable vectors.

    The share of the query that the document holds counts most; a long document counts a little less.
    """
    shared = query.terms & document.terms
    if not shared:
        return relevance(0.0)
    weighs = weigh_terms(shared)
    return relevance((weighs / query.weight) ** 0.75 * (weighs / document.weight) ** 0.25)


def compute_overlap(query: TermBag, document: TermBag) -> float:
    """Return the share of the query's terms that the document holds, by weight."""
    return weigh_terms(query.terms & document.terms) / query.weight if query.weight else 0.0


class MatchEvidence(NamedTuple):
    """The match of a memory with the burst: its cosine, where both vectors are usable, and its shared terms."""

    near: float | None
    shared: float
    lexical: float


def compute_relevances(evidence: Sequence[MatchEvidence], *, asks: QueryIntent) -> list[float]:
    """Compute the relevance of each memory from vector and terms, compared with the best of them."""
    near = [None if one.near is None else one.near + SHARED_TERMS_BONUS * one.shared for one in evidence]
    nearest = max((value for value in near if value is not None), default=0.0)
    least = MEANT_MIN_NEARNESS if any(one.shared for one in evidence) else MEANT_MIN_NEARNESS_WITHOUT_WORDS
    return [
        combine_relevance(value, one.lexical)
        if value is None
        else compare_with_nearest(value, one.lexical, nearest=nearest, least=least, asks=asks)
        for value, one in zip(near, evidence, strict=True)
    ]


def compare_with_nearest(near: float, lexical: float, *, nearest: float, least: float, asks: QueryIntent) -> float:
    """Return the relevance of a memory compared with the nearest; from `least` on it may be the one that is meant."""
    if asks is QueryIntent.ADVICE:
        return combine_relevance(near - ADVICE_PENALTY, (lexical + relevance(0.0)) / 2)
    if asks is QueryIntent.MEMORY and near >= max(least, nearest - MEANT_WITHIN):
        return combine_relevance(near + MEANT_BONUS, lexical)
    return combine_relevance(near, lexical)


def combine_relevance(near: float | None, lexical: float) -> float:
    """Combine the vectors' relevance, where usable, with the terms'; else return the terms'."""
    if near is None:
        return lexical
    by_vector = relevance(near)
    return max(by_vector, (by_vector + lexical) / 2)


def weigh_terms(terms: Iterable[str]) -> float:
    return sum([SINGLE_CHARACTER_WEIGHT if len(term) == 1 and text.has_cjk(term) else 1.0 for term in terms])


def compute_recency(created_at: datetime, now: datetime) -> float:
    days = max(0.0, (now - created_at).total_seconds() / 86_400)
    return float(2 ** (-days / RECENCY_HALF_LIFE_DAYS))


def compute_cosine(a: Sequence[float], b: Sequence[float]) -> float:
    """Compute the cosine of two unit vectors."""
    return sum(x * y for x, y in zip(a, b, strict=True))
