"""The usual baselines of search: nearest vectors, BM25, and the fusion of their ranks."""

import math
from collections import Counter, defaultdict
from collections.abc import Sequence
from typing import Any

from echovessel import text
from memory.recall import scoring

# The constants of reciprocal rank fusion (Cormack et al. 2009) and of BM25.
RANK_OFFSET = 60
SATURATION, LENGTH_SHARE = 1.2, 0.75


class Baseline:
    """Rankings of rows that have a text and a vector."""

    def __init__(self, rows: Sequence[Any], *, content: str) -> None:
        self.rows = rows
        self.held = [Counter(text.extract_terms(getattr(row, content))) for row in rows]
        self.usual_length = sum(held.total() for held in self.held) / len(rows)
        self.holding = Counter(term for held in self.held for term in held)

    def rank_by_all(self, query: str, vector: Sequence[float] | None) -> dict[str, list[int]]:
        dense = self.rank([self.compute_cosine(row, vector) for row in self.rows])
        bm25 = self.rank([self.compute_bm25(held, text.extract_terms(query)) for held in self.held])
        places: defaultdict[int, float] = defaultdict(float)
        for ranking in (dense, bm25):
            for place, pk in enumerate(ranking, start=1):
                places[pk] += 1 / (RANK_OFFSET + place)
        return {"dense": dense, "bm25": bm25, "rrf": sorted(places, key=lambda pk: -places[pk])}

    def rank(self, scores: Sequence[float]) -> list[int]:
        order = sorted(range(len(scores)), key=lambda at: -scores[at])
        return [self.rows[at].pk for at in order]

    def compute_cosine(self, row: Any, vector: Sequence[float] | None) -> float:
        return 0.0 if vector is None or row.embedding is None else scoring.compute_cosine(vector, row.embedding)

    def compute_bm25(self, held: Counter[str], asked: Sequence[str]) -> float:
        length = 1 - LENGTH_SHARE + LENGTH_SHARE * held.total() / self.usual_length
        return sum(
            self.compute_rarity(term) * held[term] * (SATURATION + 1) / (held[term] + SATURATION * length)
            for term in set(asked)
        )

    def compute_rarity(self, term: str) -> float:
        return math.log(1 + (len(self.rows) - self.holding[term] + 0.5) / (self.holding[term] + 0.5))
