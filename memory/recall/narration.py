"""Decide which memories bear on a message that narrates.

A long message asks for nothing, and it is a little near to many memories. So a memory is compared with the other
memories of the bond: how far its cosine is from their mean, in units of their spread. Added are the rarity of the words
that it shares, and whom the message names, by name or as a relative. Nothing is recalled unless one memory, or several
that are nearly as like, by their likeness and strength are surely meant.
The numbers were chosen on the lives for development of the evaluation `narrating`.
"""

import math
from collections.abc import Sequence
from typing import NamedTuple

from echovessel import text
from memory.entities import kinship_terms
from memory.recall import scoring
from memory.recall.candidates import BondStatistics, Candidate
from memory.recall.scoring import TermBag

# From this weight of its terms on a message narrates: about 40 words, or 50 Chinese characters.
MIN_WEIGHT = 16.0
# The spread of cosines in a bond with too few memories to tell.
USUAL_SPREAD = 0.08
MIN_SPREAD = 0.02
# The user's own words say more than the sentence that was extracted from them.
SOURCE_SHARE = 2 / 3
TERMS_WEIGHT = 0.3
# What each point of a memory's impact adds to its likeness, up to so many of the ten.
IMPACT_WEIGHT = 0.6
STRONG_IMPACT = 5
NAMED_BONUS = 1.75
# How near to the best one's likeness and strength another must be to count with it.
SOFTNESS = 0.5
# The likeness that each memory needs.
MIN_LIKENESS = 1.0
# The share of the best one's likeness and strength that each one needs.
MIN_SHARE_OF_BEST = 0.48
# How relevance rises with the likeness; it is the floor at the least.
STEEPNESS = 0.4


class VectorScale(NamedTuple):
    """What depends on the vectors: the mean cosine in a bond with too few memories to tell, and the likeness and strength
    that the best memories need.
    """

    usual_cosine: float
    min_best_fit: float


PLAIN = VectorScale(usual_cosine=0.1, min_best_fit=7.2)
# Without what narrations have in common, those that bear on nothing lie further from everything.
CENTRED = VectorScale(usual_cosine=-0.03, min_best_fit=6.9)


def is_narration(bag: TermBag) -> bool:
    return bag.weight >= MIN_WEIGHT


def compute_relevances(found: Sequence[Candidate], bag: TermBag, *, scale: VectorScale = PLAIN) -> list[float]:
    """Compute the relevance of each memory to a message with these terms; all are below the floor if none is surely meant."""
    if not found:
        return []
    held = (scoring.build_term_bag(candidate.node.terms) for candidate in found)
    likenesses = [
        compute_likeness(candidate, shared=bag.terms & one.terms, usual_cosine=scale.usual_cosine)
        for candidate, one in zip(found, held, strict=True)
    ]
    weights = [
        likeness + IMPACT_WEIGHT * min(STRONG_IMPACT, abs(candidate.node.emotional_impact))
        for likeness, candidate in zip(likenesses, found, strict=True)
    ]
    best = max(weights)
    least = MIN_LIKENESS if join_weights(weights) >= scale.min_best_fit else scale.min_best_fit
    return [
        convert_to_relevance(likeness - least) if weight >= MIN_SHARE_OF_BEST * best else 0.0
        for likeness, weight in zip(likenesses, weights, strict=True)
    ]


def join_weights(weights: Sequence[float]) -> float:
    """Join weights to a little more than the best one, the more of them are nearly as high (a soft maximum)."""
    best = max(weights)
    return best + SOFTNESS * math.log(sum(math.exp((weight - best) / SOFTNESS) for weight in weights))


def compute_likeness(candidate: Candidate, *, shared: frozenset[str], usual_cosine: float) -> float:
    """Compute the likeness in spreads of the bond's cosines."""
    return (
        compute_nearness(candidate, usual_cosine=usual_cosine)
        + TERMS_WEIGHT * weigh_shared_terms(shared, statistics=candidate.statistics)
        + (NAMED_BONUS if candidate.entity_ids or kinship_terms.name_relative(shared) else 0.0)
    )


def compute_nearness(candidate: Candidate, *, usual_cosine: float = PLAIN.usual_cosine) -> float:
    """Return by how many spreads a memory and the message it was told in are nearer than the bond's memories usually are."""
    if candidate.cosine is None:
        return 0.0
    told = candidate.cosine if candidate.source_cosine is None else candidate.source_cosine
    cosine = SOURCE_SHARE * told + (1 - SOURCE_SHARE) * candidate.cosine
    statistics = candidate.statistics
    if statistics.mean is None or statistics.spread is None:
        return (cosine - usual_cosine) / USUAL_SPREAD
    return (cosine - statistics.mean) / max(MIN_SPREAD, statistics.spread)


def weigh_shared_terms(shared: frozenset[str], *, statistics: BondStatistics) -> float:
    """Weigh terms by their rarity in the bond; of CJK terms that overlap each character counts once."""
    counted: set[str] = set()
    total = 0.0
    for term in sorted(shared, key=lambda term: (-len(term), statistics.count_holding(term), term)):
        weight = scoring.weigh_terms([term]) * compute_rarity(statistics.count_holding(term), of=statistics.nodes)
        if text.has_cjk(term):
            weight *= len(set(term) - counted) / len(term)
            counted.update(term)
        total += weight
    return total


def compute_rarity(holding: int, *, of: int) -> float:
    """Compute BM25's rarity of a term that so many texts hold, or memories of a bond."""
    return math.log(1 + (max(of - holding, 0) + 0.5) / (holding + 0.5))


def convert_to_relevance(surplus: float) -> float:
    """Convert a likeness above the least one to the scale of relevance."""
    at_floor = 1 / scoring.RELEVANCE_FLOOR - 1
    return 1 / (1 + at_floor * math.exp(-STEEPNESS * surplus))
