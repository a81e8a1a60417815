"""Decide by the vectors of names whether a name means a known entity."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from pgvector.django import CosineDistance

from echovessel import text
from echovessel.embeddings import embedding, vectors
from echovessel.languages import detection
from memory.entities import kinship_terms
from memory.models import Entity
from personas.models import Bond

SAME_FROM = 0.85
UNCERTAIN_FROM = 0.65
# Tolerance for float arithmetic at a bound.
TOLERANCE = 1e-9
LOOKED_AT = 10


@dataclass(frozen=True)
class NameMatch:
    """The known entity most like a name; the same one, or possibly the same."""

    entity: Entity
    is_same: bool


def embed_names(names: Sequence[Sequence[str]]) -> list[list[float] | None]:
    """For each entity embed the first name that the model can read. Raises EmbeddingError."""
    made = iter(embedding.embed([name for of_one in names for name in of_one]))
    vectors = [[next(made) for _ in of_one] for of_one in names]
    return [next((vector for vector in of_one if vector is not None), None) for of_one in vectors]


def find_match(*, bond: Bond, name: str, kind: str, vector: Sequence[float] | None) -> NameMatch | None:
    """Find an entity of the same kind that a new name is like, or None without a usable vector."""
    if vector is None:
        return None
    readable = (
        Entity.objects.for_bond(bond)
        .not_deleted_or_merged()
        .filter(kind=kind, embedding_model=embedding.get_model_name())
    )
    distance = CosineDistance("embedding", list(vector))
    by_distance: Any = readable.filter(embedding__isnull=False).annotate(distance=distance).order_by("distance", "id")
    different = _differ if kind in (Entity.Kind.PLACE, Entity.Kind.ORG) else contradict
    near = (one for one in by_distance[:LOOKED_AT] if not different(name, one.canonical_name))
    nearest = next((one for one in near if not _share_nothing(name, one.canonical_name)), None)
    if nearest is None:
        return None
    relevance = vectors.relevance(vectors.rescale(1 - nearest.distance, baseline=embedding.get_cosine_baseline()))
    if relevance < UNCERTAIN_FROM - TOLERANCE:
        return None
    is_near = relevance >= SAME_FROM - TOLERANCE
    return NameMatch(entity=nearest, is_same=is_near and extract_marks(name) == extract_marks(nearest.canonical_name))


def contradict(a: str, b: str) -> bool:
    """Whether two names mention different relatives or numbers."""
    return any(
        bool(of_a and of_b) and of_a != of_b
        for of_a, of_b in (
            (extract_numbers(a), extract_numbers(b)),
            (set(kinship_terms.find_kin(text.fold(a))), set(kinship_terms.find_kin(text.fold(b)))),
        )
    )


def _differ(a: str, b: str) -> bool:
    """Whether two names are of different places: in Chinese also where they share no character, since vectors of 四川 and 成都 are alike."""
    return contradict(a, b) or (text.has_cjk(a) and text.has_cjk(b) and {*a}.isdisjoint(b))


def _share_nothing(a: str, b: str) -> bool:
    """Whether two names of another script have no two letters in common: there the vectors of all names are alike."""
    pairs_of_a, pairs_of_b = ({*pairwise(text.fold(name))} for name in (a, b))
    return detection.is_foreign(a) and detection.is_foreign(b) and pairs_of_a.isdisjoint(pairs_of_b)


def extract_numbers(name: str) -> list[str]:
    return re.findall(r"\d+", text.fold(name))


def extract_marks(name: str) -> list[str]:
    """Extract what equal names must share: numbers, and characters the model may not know."""
    return sorted(extract_numbers(name) + text.CJK_CHARACTER.findall(text.fold(name)))
