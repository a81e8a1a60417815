"""Select the nodes that recall scores: near in meaning, or linked to a name or time of the burst.

One raw SQL statement, since it is the heart of every turn. Only the comparison of sketches (the signs of the vectors,
which an index holds side by side) grows with the bond. `docs/evaluation.md` has the measurements.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import cache
from typing import Any, NamedTuple

from echovessel.embeddings import embedding, vectors
from echovessel.periods import Period
from echovessel.postgres import prepared
from echovessel.postgres.rows import build_model
from memory.models import ConceptNode, Entity, lexemes
from memory.recall import term_forms
from personas.models import Bond

NEAREST = 40
# The nearest by sketch, among which the nearest by vector are found.
NEAREST_BY_SKETCH = 400
ANCHORED_MOST = 100
# A long message has more terms than a question.
MAX_QUERY_TERMS = 96
# A term in more nodes than this says little, so its nodes are not read.
MAX_NODES_PER_TERM = 1000
# How many of the newest nodes give a bond's usual cosine and their spread, and how many are too few for it.
BASELINE_NODES = 200
MIN_BASELINE_NODES = 10
# Nodes are counted up to this number, since rarity is its logarithm.
MAX_COUNTED_NODES = 5000
# How many facts are looked at that were true once.
PAST_MOST = 20
PERSON_KINDS = (Entity.Kind.PERSON, Entity.Kind.PET)

# The condition of the partial indexes: what is live, of the types that have this state.
_LIVE = (
    "node.deleted_at IS NULL AND NOT node.stale AND node.state = 'live' AND node.type IN ('event', 'thought', 'fact')"
)
_READABLE = f"node.bond_id = %(bond)s AND {_LIVE} AND node.embedding_model = %(model)s AND node.embedding IS NOT NULL"
_COSINE = "1 - (node.embedding <=> %(direction)s::halfvec)"
_COSINE_IF_READABLE = f"CASE WHEN node.embedding_model = %(model)s THEN {_COSINE} END"
_UNKNOWN = "NULL::float8"
_NEAR = f"""
    SELECT node.id FROM (
        SELECT node.id FROM memory_conceptnode node WHERE {_READABLE}
        ORDER BY node.sketch <~> %(signs)s::"bit" LIMIT %(roughly)s
    ) AS roughly JOIN memory_conceptnode node USING (id) ORDER BY {_COSINE} DESC, node.id DESC LIMIT %(nearest)s
"""
# The nodes that hold each term; terms with the same concept are synonyms.
_HOLDING = f"""
    SELECT concept, term, holding.id FROM unnest(%(concepts)s::text[], %(lexemes)s::text[]) AS asked(concept, term), LATERAL (
        SELECT node.id FROM memory_conceptnode node WHERE node.search @@ term::tsquery AND {_LIVE} LIMIT %(holding)s
    ) AS holding
"""
_SHARING = """
    SELECT id FROM (
        SELECT id, CASE WHEN count(*) OVER (PARTITION BY term) < %(holding)s
            THEN ln(1 + %(holding)s::float8 / count(*) OVER (PARTITION BY term)) ELSE 0.1 END AS weight FROM holding
    ) AS shared GROUP BY id ORDER BY sum(weight) DESC, id DESC LIMIT %(nearest)s
"""
_LINKED = f"""
    SELECT id FROM (
        SELECT node.id, row_number() OVER (PARTITION BY mention.entity_id ORDER BY {{cosine}} DESC NULLS LAST, node.id DESC) AS place
        FROM memory_mention mention JOIN memory_conceptnode node ON node.id = mention.node_id
        WHERE mention.entity_id = ANY(%(entities)s::bigint[]) AND node.bond_id = %(bond)s AND {_LIVE}
    ) AS linked WHERE place <= %(anchored)s
"""
_DATED = f"""
    SELECT id FROM unnest(%(first_days)s::date[], %(last_days)s::date[]) AS period(first, last), LATERAL (
        SELECT node.id FROM memory_conceptnode node WHERE node.bond_id = %(bond)s AND {_LIVE}
            AND coalesce(node.event_time_start, node.event_time_end) <= last
            AND coalesce(node.event_time_end, node.event_time_start) >= first
        ORDER BY {{cosine}} DESC NULLS LAST, node.id DESC LIMIT %(anchored)s
    ) AS dated
"""
# What was true once: facts that others replaced or that ended.
_PAST = """
    SELECT node.id FROM memory_conceptnode node
    WHERE node.bond_id = %(bond)s AND node.type = 'fact' AND node.state = 'superseded' AND node.deleted_at IS NULL
        AND node.state_reason IN ('replaced', 'ended')
    ORDER BY {cosine} DESC NULLS LAST, node.valid_until DESC, node.id DESC LIMIT %(past)s
"""
_USUAL = f"""
    SELECT CASE WHEN count(*) >= %(usual_least)s THEN avg(cosine) END,
        CASE WHEN count(*) >= %(usual_least)s THEN stddev_pop(cosine) END FROM (
        SELECT {_COSINE} AS cosine FROM memory_conceptnode node WHERE {_READABLE}
        ORDER BY node.created_at DESC, node.id DESC LIMIT %(usual_of)s
    ) AS newest
"""
# By the index of sketches, which misses nodes without a vector, it is only seen whether that many are there.
_LIVE_NODES = f"SELECT FROM memory_conceptnode node WHERE node.bond_id = %(bond)s AND {_LIVE}"
_COUNTED = f"""
    SELECT CASE
        WHEN EXISTS ({_LIVE_NODES} AND node.embedding IS NOT NULL OFFSET {MAX_COUNTED_NODES} - 1)
        THEN {MAX_COUNTED_NODES} ELSE (SELECT count(*) FROM ({_LIVE_NODES} LIMIT {MAX_COUNTED_NODES}) AS nodes)
    END, (
        SELECT json_object_agg(concept, nodes)::text FROM (
            SELECT concept, count(DISTINCT id) AS nodes FROM holding GROUP BY concept
        ) AS of_concept
    )
"""
_SOURCE_COSINE = """(
    SELECT max(1 - (said.embedding <=> %(direction)s::halfvec))
    FROM memory_nodesource source JOIN memory_message said ON said.id = source.message_id
    WHERE source.node_id = node.id AND said.deleted_at IS NULL AND said.embedding_model = %(model)s
)"""
# The columns that scores and prompts need, in the order of the model's; each one is converted a hundred times a turn.
_FIELDS = (
    "id", "type", "subject", "description", "emotional_impact", "relational_tags", "event_time_start",
    "event_time_end", "confidence", "state", "session_id", "valid_until", "created_at", "grave", "last_confirmed_at",
    "terms",
)  # fmt: skip
_FOUND = f"""
WITH holding AS MATERIALIZED ({_HOLDING}), found AS MATERIALIZED ({{ways}}),
usual(mean, spread) AS MATERIALIZED ({{usual}}), counted(nodes, holding) AS MATERIALIZED ({_COUNTED})
SELECT {", ".join(f"node.{name}" for name in _FIELDS)}, {{cosine}}, {{source_cosine}}, usual.mean, usual.spread, counted.nodes, counted.holding, coalesce((
        SELECT max(said.created_at) FROM memory_nodesource source JOIN memory_message said ON said.id = source.message_id
        WHERE source.node_id = node.id AND said.deleted_at IS NULL AND said.created_at <= node.created_at
    ), node.created_at),
    ARRAY(SELECT entity_id FROM memory_mention WHERE bond_id = %(bond)s AND node_id = node.id AND entity_id = ANY(%(entities)s::bigint[]) ORDER BY entity_id),
    ARRAY(SELECT child_id FROM memory_filling WHERE parent_id = node.id AND NOT orphaned ORDER BY child_id),
    ARRAY(
        SELECT entity.id FROM memory_mention JOIN memory_entity entity ON entity.id = entity_id
        WHERE memory_mention.bond_id = %(bond)s AND node_id = node.id AND entity.kind = ANY(%(someone)s) AND entity.deleted_at IS NULL ORDER BY entity.id
    )
FROM found JOIN memory_conceptnode node USING (id), usual, counted
"""


@dataclass(frozen=True)
class CandidateQuery:
    """The query for nodes: terms, a vector (None where unusable), named entities and times.

    With `narrates` sources are compared with the vector.
    """

    terms: Sequence[str]
    vector: Sequence[float] | None
    entity_ids: Sequence[int]
    periods: Sequence[Period]
    narrates: bool = False
    # Whether it asks for what was so once.
    asks_past: bool = False


@dataclass(frozen=True)
class BondStatistics:
    """Mean and spread of the cosines of a bond's newest nodes to the query, None for too few of them; how many nodes
    there are, at most `MAX_COUNTED_NODES`, and how many hold each term.
    """

    mean: float | None = None
    spread: float | None = None
    nodes: int = 0
    holding: Mapping[str, int] = field(default_factory=dict)

    def count_holding(self, term: str) -> int:
        return self.holding.get(term, 0)


class Candidate(NamedTuple):
    """A node; its cosine to the query if both vectors are usable; its anchors; the ids of its evidence."""

    node: ConceptNode
    cosine: float | None
    # The largest cosine of its source messages to a query that narrates.
    source_cosine: float | None
    statistics: BondStatistics
    # The time of its last source message from before it was written, as `ConceptNodeQuerySet.with_told_at`.
    told_at: datetime
    entity_ids: tuple[int, ...]
    periods: tuple[Period, ...]
    cites: tuple[int, ...]
    # The people and animals it mentions.
    about_ids: tuple[int, ...]


def find(*, bond: Bond, asked: CandidateQuery) -> list[Candidate]:
    """Find live events, facts and thoughts near in meaning, sharing terms, or linked to a named entity or time."""
    sought = {_NEAR: asked.vector, _SHARING: asked.terms, _LINKED: asked.entity_ids, _DATED: asked.periods}
    ways = [way for way, by in sought.items() if by is not None and len(by)]
    if not ways:
        return []
    if asked.asks_past:
        ways.append(_PAST)
    is_readable = asked.vector is not None
    statement = build_statement(tuple(ways), is_readable=is_readable, has_sources=asked.narrates and is_readable)
    rows = prepared.fetch_all(statement, build_parameters(bond, asked))
    statistics = build_statistics(rows)
    return [build_candidate(row, asked.periods, statistics) for row in rows]


@cache
def build_statement(ways: tuple[str, ...], *, is_readable: bool, has_sources: bool) -> str:
    """Build the statement that finds nodes in these ways: once, as its columns are the same for every bond."""
    cosine = _COSINE_IF_READABLE if is_readable else _UNKNOWN
    return _FOUND.format(
        # Deduplicate before cosines are computed.
        ways=" UNION ".join(f"({way.format(cosine=cosine)})" for way in ways),
        usual=_USUAL if is_readable else f"SELECT {_UNKNOWN}, {_UNKNOWN}",
        cosine=cosine,
        source_cosine=_SOURCE_COSINE if has_sources else _UNKNOWN,
    )


def build_parameters(bond: Bond, asked: CandidateQuery) -> dict[str, Any]:
    terms = pick_rarest(term_forms.expand_terms(asked.terms))
    return {
        "bond": bond.pk,
        "nearest": NEAREST,
        "roughly": NEAREST_BY_SKETCH,
        "holding": MAX_NODES_PER_TERM,
        "usual_of": BASELINE_NODES,
        "usual_least": MIN_BASELINE_NODES,
        "anchored": ANCHORED_MOST,
        "past": PAST_MOST,
        "model": embedding.get_model_name(),
        "direction": vectors.as_text(asked.vector),
        "signs": vectors.compute_signs(asked.vector),
        "concepts": [term_forms.normalize_term(term) for term in terms],
        "lexemes": [lexemes.format_lexeme(bond.pk, term) for term in terms],
        "entities": list(asked.entity_ids),
        "first_days": [period.start for period in asked.periods],
        "last_days": [period.end for period in asked.periods],
        "someone": list(PERSON_KINDS),
    }


def build_statistics(rows: Sequence[Sequence[Any]]) -> BondStatistics:
    """Build what each row repeats."""
    if not rows:
        return BondStatistics()
    *_, mean, spread, nodes, holding, _, _, _, _ = rows[0]
    return BondStatistics(mean, spread, nodes, json.loads(holding) if holding else {})


def build_candidate(row: Sequence[Any], periods: Sequence[Period], statistics: BondStatistics) -> Candidate:
    *values, cosine, source_cosine, _, _, _, _, told_at, named, evidence, someone = row
    node = build_model(ConceptNode, _FIELDS, values)
    return Candidate(
        node=node,
        cosine=cosine,
        source_cosine=source_cosine,
        statistics=statistics,
        told_at=told_at,
        entity_ids=tuple(named),
        periods=tuple(period for period in periods if overlaps(node, period)),
        cites=tuple(evidence),
        about_ids=tuple(someone),
    )


def overlaps(node: ConceptNode, period: Period) -> bool:
    first, last = node.event_time_start or node.event_time_end, node.event_time_end or node.event_time_start
    return first is not None and last is not None and first <= period.end and last >= period.start


def pick_rarest(terms: set[str]) -> list[str]:
    """Pick the longest terms of a long text, which are the rarest."""
    return sorted(terms, key=lambda term: (-len(term), term))[:MAX_QUERY_TERMS]
