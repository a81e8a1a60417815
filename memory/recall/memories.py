"""Recall memories for a burst. Recall only reads: it makes no memory stronger."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from typing import NamedTuple

from django.conf import settings

from echovessel import periods, text
from echovessel.embeddings import embedding
from echovessel.llm.offline.text import cue_matching
from echovessel.periods import Period
from memory.entities import lookup
from memory.models import ConceptNode, Entity
from memory.recall import candidates, line_scoring, narration, query_intent, question, scoring
from memory.recall.candidates import Candidate, CandidateQuery
from memory.recall.question import MatchedCandidates
from personas.models import Bond

# How many periods of a long text count, and how many characters at each end are searched for them.
PERIODS_MOST = 10
PERIODS_READ = 1000
# How far ahead one looks for what is coming up.
AHEAD = timedelta(days=90)
# A search that is looked over again keeps more, and what is a little less near.
WIDE_FACTOR = 3
WIDE_FLOOR = 0.30


class ScoredNode(NamedTuple):
    """A candidate with every term of its score; `reason` says why it was cut."""

    node: ConceptNode
    told_at: datetime
    terms: scoring.ScoreTerms
    score: float
    # How near it is, whatever the burst asks for.
    plain_relevance: float = 0.0
    # The named entities and periods it belongs to.
    entity_ids: tuple[int, ...] = ()
    periods: tuple[Period, ...] = ()
    # The ids of its evidence.
    cites: tuple[int, ...] = ()
    kept: bool = True
    reason: str | None = None

    @property
    def anchored_by(self) -> tuple[int | str, ...]:
        """Return ids of entities, and periods as `2026-03-01/2026-03-31`."""
        return (*self.entity_ids, *map(str, self.periods))

    @property
    def is_above_floor(self) -> bool:
        return self.is_above(scoring.RELEVANCE_FLOOR)

    def is_above(self, floor: float) -> bool:
        return bool(self.anchored_by) or self.terms.relevance >= floor or self.terms.fit > 0


@dataclass(frozen=True)
class RecallResult:
    """The result of a recall: items best first, then the cut ones; the named entities; and whether the messages to quote
    are those in which the kept ones were told.
    """

    items: tuple[ScoredNode, ...]
    named: tuple[Entity, ...]
    quotes_sources: bool = False

    @property
    def kept(self) -> list[ScoredNode]:
        return [item for item in self.items if item.kept]


def search(
    *,
    bond: Bond,
    query: str,
    vector: Sequence[float] | None,
    now: datetime,
    k: int | None = None,
    named: tuple[Entity, ...] | None = None,
) -> RecallResult:
    """Recall memories for a burst; `vector` (None where unusable) was made outside any transaction.

    It keeps at most `k` (RETRIEVE_K). `named` are the entities that it names, where they are known already.
    """
    if named is None:
        named = tuple(entity for entity, _ in lookup.find_named(bond=bond, said=query))
    today = bond.user.get_day(now)
    greets = query_intent.is_small_talk(query)
    bag = build_query_bag(bond=bond, query=query)
    narrates = narration.is_narration(bag)
    centred = embedding.centre_narration(vector, text=query) if narrates and vector is not None else None
    asked = CandidateQuery(
        terms=[] if greets else text.extract_terms(query),
        vector=None if greets else centred or vector,
        entity_ids=[entity.pk for entity in named],
        periods=find_periods(query, today=today),
        narrates=narrates,
        asks_past=query_intent.asks_of_past(query),
    )
    found = candidates.find(bond=bond, asked=asked)
    if narrates:
        matched = match_narration(found, bag, is_centred=centred is not None)
    else:
        traits = line_scoring.parse_query(cut_to_ends(query), user=bond.user.shown_name, persona=bond.persona.name)
        matched = question.match(found, asked, query=query, of_user=traits.of_user, bag=bag)
    ranked = sorted(score_candidates(matched, now=now), key=build_sort_key)
    items = cut(ranked, most=settings.RETRIEVE_K if k is None else k)
    is_account = query_intent.asks_for_account(query) and any(item.kept for item in items)
    return RecallResult(items=items, named=named, quotes_sources=narrates or is_account)


def find_periods(query: str, *, today: date) -> list[Period]:
    """Find the periods that a burst asks about: of what is coming up the next months."""
    named = periods.find_periods(cut_to_ends(query), today=today)[:PERIODS_MOST]
    if query_intent.asks_what_happened(cut_to_ends(query), today=today):
        named = [period for period in named if period.start <= today] or named
    asks_ahead = not named and cue_matching.has_cue("ASKS_AHEAD", cut_to_ends(query))
    return [Period(today, today + AHEAD)] if asks_ahead else named


def widen(found: RecallResult, *, k: int | None = None) -> RecallResult:
    """Choose again among the same candidates, without asking the database: at most three times `k` (RETRIEVE_K), above a
    lower floor.
    """
    anew = [item._replace(kept=True, reason=None) for item in sorted(found.items, key=build_sort_key)]
    most = WIDE_FACTOR * (settings.RETRIEVE_K if k is None else k)
    return replace(found, items=cut(anew, most=most, floor=WIDE_FLOOR))


def quotes_sources(*, bond: Bond, query: str) -> bool:
    """Whether a burst narrates or wants an account, so that its quotes may come from the recalled memories."""
    return narration.is_narration(build_query_bag(bond=bond, query=query)) or query_intent.asks_for_account(query)


def build_query_bag(*, bond: Bond, query: str) -> scoring.TermBag:
    said = remove_speaker_names(bond, query)
    return scoring.build_term_bag(set(text.extract_terms(said)) - extract_speaker_names(bond))


def extract_speaker_names(bond: Bond) -> set[str]:
    """Extract the terms of the two names, which are in every memory."""
    return {term for name in (bond.user.shown_name, bond.persona.name) for term in text.extract_terms(name)}


def remove_speaker_names(bond: Bond, query: str) -> str:
    """Remove the Chinese names of the two who talk, whose last character would make a pair with the next word."""
    for name in (bond.user.shown_name, bond.persona.name):
        if text.has_cjk(name) and len(name) > 1:
            query = query.replace(name, " ")
    return query


def match_narration(found: Sequence[Candidate], bag: scoring.TermBag, *, is_centred: bool) -> MatchedCandidates:
    """Match a burst that narrates; a name or a time in passing anchors nothing below the floor."""
    scale = narration.CENTRED if is_centred else narration.PLAIN
    relevances = narration.compute_relevances(found, bag, scale=scale)
    anchored = [
        candidate if relevance >= scoring.RELEVANCE_FLOOR else candidate._replace(entity_ids=(), periods=())
        for candidate, relevance in zip(found, relevances, strict=True)
    ]
    return MatchedCandidates(anchored, relevances, plain=relevances, fits=[0.0] * len(found))


def cut_to_ends(query: str) -> str:
    return text.cut_to_ends(query, PERIODS_READ)


def score_candidates(matched: MatchedCandidates, *, now: datetime) -> list[ScoredNode]:
    """Score every candidate; evidence edges to candidates above the floor add to the score."""
    rows = list(zip(matched.candidates, matched.relevances, matched.plain, matched.fits, strict=True))
    edges = count_links(
        matched.candidates,
        above={
            candidate.node.pk
            for candidate, relevance, _, fit in rows
            if candidate.entity_ids or candidate.periods or relevance >= scoring.RELEVANCE_FLOOR or fit > 0
        },
    )
    return [
        score_node(candidate, relevance=relevance, plain=plain, fit=fit, edges=edges[candidate.node.pk], now=now)
        for candidate, relevance, plain, fit in rows
    ]


def count_links(found: Sequence[Candidate], *, above: set[int]) -> Counter[int]:
    """Count each candidate's evidence edges to others above the floor."""
    edges: Counter[int] = Counter()
    for candidate in found:
        if candidate.cites:
            edges[candidate.node.pk] += len(above.intersection(candidate.cites))
            if candidate.node.pk in above:
                edges.update(candidate.cites)
    return edges


def score_node(
    candidate: Candidate, *, relevance: float, plain: float, fit: float, edges: int, now: datetime
) -> ScoredNode:
    node = candidate.node
    terms = scoring.ScoreTerms(
        recency=scoring.compute_recency(node.created_at, now),
        relevance=relevance,
        impact=abs(node.emotional_impact) / 10,
        relational=scoring.RELATIONAL_TERM if node.relational_tags else 0.0,
        anchor=1.0 if candidate.entity_ids or candidate.periods else 0.0,
        graph=scoring.compute_graph_term(edges),
        fit=fit,
    )
    score = terms.score(relational_weight=settings.RELATIONAL_BONUS_WEIGHT)
    return ScoredNode(
        node=node,
        told_at=candidate.told_at,
        terms=terms,
        score=score,
        plain_relevance=plain,
        entity_ids=candidate.entity_ids,
        periods=candidate.periods,
        cites=candidate.cites,
    )


def build_sort_key(item: ScoredNode) -> tuple[float, int, int]:
    """Sort by score, then by the strength of the impact, then newest first."""
    return -item.score, -abs(item.node.emotional_impact), -item.node.pk


def compute_relevance(*, cosine: float | None, lexical: float) -> float:
    """Combine the cosine, where both vectors are usable, with shared terms; else use the terms alone."""
    near = None if cosine is None else scoring.rescale_cosine(cosine, baseline=embedding.get_cosine_baseline())
    return scoring.combine_relevance(near, lexical)


def cut(ranked: Sequence[ScoredNode], *, most: int, floor: float = scoring.RELEVANCE_FLOOR) -> tuple[ScoredNode, ...]:
    """Keep the best `most`, none under the floor unless anchored, and of what says the same the best; give the rest their reasons."""
    kept: list[ScoredNode] = []
    dropped: list[ScoredNode] = []
    said: set[str] = set()
    for item in ranked:
        if not item.is_above(floor):
            dropped.append(item._replace(kept=False, reason="floor"))
        elif len(kept) >= most:
            dropped.append(item._replace(kept=False, reason="beyond_k"))
        elif (content := text.fold(item.node.description)) in said:
            dropped.append(item._replace(kept=False, reason="repeats"))
        else:
            kept.append(item)
            said.add(content)
    return (*kept, *dropped)
