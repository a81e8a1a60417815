"""Decide which memories bear on a question or another short burst.

The floor decides, by the cosine and the share of the burst's terms that a memory holds. What is above it counts by its
fit, too: how far its cosine is from the bond's mean, in their spread, the rarity of shared terms in the bond, the best
memory of its session, and whose life is asked about. A fit that says that surely this is meant takes the floor's place. The numbers were chosen on the development file of `locomo`, with `stories` and `languages` beside it.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from echovessel.embeddings import embedding
from memory.entities import kinship_terms
from memory.models import ConceptNode
from memory.recall import narration, query_intent, scoring
from memory.recall.candidates import Candidate, CandidateQuery
from memory.recall.query_intent import QueryIntent
from memory.recall.scoring import TermBag

# How near a memory must be for its entities to count as described.
MIN_DESCRIBED_SHARE = 0.5
# Only weighty memories of a described entity are recalled: another one may be meant.
MIN_WEIGHTY_IMPACT = 6
TERMS_WEIGHT = 0.75
SESSION_SHARE = 0.5
SUBJECT_BONUS = 1.4
# From this best fit on the burst surely means something, and what has this share of it is above the floor.
SURE_FIT = 9.0
MIN_SHARE_OF_BEST = 0.5


@dataclass(frozen=True)
class MatchedCandidates:
    """Candidates with their relevance to what the burst asks for, and the plain one, to its words and meaning alone.

    `fits` are from 0 to 1, the best one's; 0 for what does not bear on the burst.
    """

    candidates: Sequence[Candidate]
    relevances: Sequence[float]
    plain: Sequence[float]
    fits: Sequence[float]


def match(
    found: list[Candidate], asked: CandidateQuery, *, query: str, of_user: bool | None, bag: TermBag
) -> MatchedCandidates:
    """Match a burst that does not narrate; an entity that is not named may be described.

    `of_user` tells whose life it asks about, `bag` holds its terms without the names of the two who talk.
    """
    held = build_bags(found)
    answers = build_evidence(found, held, asked)
    intent = query_intent.detect_intent(query, names_someone=bool(asked.entity_ids))
    relevances = scoring.compute_relevances(answers, asks=intent)
    is_open = intent is QueryIntent.OPEN
    plain = relevances if is_open else scoring.compute_relevances(answers, asks=QueryIntent.OPEN)
    is_account = query_intent.asks_for_account(query)
    meant = [is_account and kinship_terms.name_relative(bag.terms & one.terms) for one in held]
    fits = compare_fits(relevances, compute_fits(found, held, bag, of_user=of_user), meant, intent=intent)
    if asked.entity_ids:
        return MatchedCandidates(found, relevances, plain, fits)
    anchors = find_meant_anchors(found, plain)
    anchored = [candidate._replace(entity_ids=ids) for candidate, ids in zip(found, anchors, strict=True)]
    return MatchedCandidates(anchored, relevances, plain, fits)


def compare_fits(
    relevances: Sequence[float], fits: Sequence[float], meant: Sequence[bool], *, intent: QueryIntent
) -> list[float]:
    """Compare the fits with the best one; what is below the floor has none, unless it is meant, or something surely is."""
    best = max(fits, default=0.0)
    if best <= 0:
        return [0.0] * len(fits)
    is_sure = best >= SURE_FIT and intent is not QueryIntent.ADVICE
    return [
        max(0.0, fit / best)
        if is_meant or relevance >= scoring.RELEVANCE_FLOOR or (is_sure and fit >= MIN_SHARE_OF_BEST * best)
        else 0.0
        for relevance, fit, is_meant in zip(relevances, fits, meant, strict=True)
    ]


def compute_fits(
    found: Sequence[Candidate], held: Sequence[TermBag], bag: TermBag, *, of_user: bool | None
) -> list[float]:
    """Compute the fit of each memory, which holds these terms: meaning, terms, the best of its session, and whose life it is about."""
    alone = [
        narration.compute_nearness(candidate)
        + TERMS_WEIGHT * narration.weigh_shared_terms(bag.terms & one.terms, statistics=candidate.statistics)
        for candidate, one in zip(found, held, strict=True)
    ]
    best: dict[int, float] = {}
    for candidate, fit in zip(found, alone, strict=True):
        if candidate.node.session_id is not None:
            best[candidate.node.session_id] = max(best.get(candidate.node.session_id, 0.0), fit)
    return [
        fit
        + SESSION_SHARE * best.get(candidate.node.session_id or 0, fit)
        + score_subject(candidate.node, of_user=of_user)
        for candidate, fit in zip(found, alone, strict=True)
    ]


def score_subject(node: ConceptNode, *, of_user: bool | None) -> float:
    if of_user is None or node.subject == ConceptNode.Subject.SHARED:
        return 0.0
    is_of_user = node.subject == ConceptNode.Subject.USER
    return SUBJECT_BONUS if is_of_user == of_user else -SUBJECT_BONUS


def build_bags(found: Sequence[Candidate]) -> list[TermBag]:
    return [scoring.build_term_bag(candidate.node.terms) for candidate in found]


def build_evidence(
    found: Sequence[Candidate], held: Sequence[TermBag], asked: CandidateQuery
) -> list[scoring.MatchEvidence]:
    """Compare each candidate with the burst, by vector and by terms."""
    bag, baseline = scoring.build_term_bag(asked.terms), embedding.get_cosine_baseline()
    return [
        scoring.MatchEvidence(
            near=None
            if candidate.cosine is None
            else scoring.rescale_cosine(candidate.cosine, baseline=baseline, usual=candidate.statistics.mean),
            shared=scoring.compute_overlap(bag, terms),
            lexical=scoring.compute_lexical_relevance(bag, terms),
        )
        for candidate, terms in zip(found, held, strict=True)
    ]


def find_meant_anchors(found: Sequence[Candidate], relevances: Sequence[float]) -> list[tuple[int, ...]]:
    """Find the entities that anchor each candidate where none was named but one described ("my friend with the
    crosswords").

    Anchored are the memories that match the description, and weighty ones of the same entities.
    """
    nearest = max(zip(relevances, found, strict=True), key=lambda pair: pair[0], default=None)
    if nearest is None or nearest[0] < MIN_DESCRIBED_SHARE or len(nearest[1].about_ids) != 1:
        return [()] * len(found)
    [meant] = nearest[1].about_ids
    return [
        (meant,) if candidate is nearest[1] or weighs_with(meant, candidate) else candidate.entity_ids
        for candidate in found
    ]


def weighs_with(entity_id: int, candidate: Candidate) -> bool:
    return entity_id in candidate.about_ids and abs(candidate.node.emotional_impact) >= MIN_WEIGHTY_IMPACT
