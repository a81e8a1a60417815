"""Whether a name means somebody who is known: by the vectors of names, where these can tell."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from pgvector.django import CosineDistance

from echovessel import embedding
from memory import scoring, text
from memory.models import Entity
from personas.models import Bond

SAME_FROM = 0.85
UNCERTAIN_FROM = 0.65
# A bound is reached also where the arithmetic of floats falls a hair short of it.
TOLERANCE = 1e-9


@dataclass(frozen=True)
class Likeness:
    """The known entity that a name is most like, and whether it is the same or only may be."""

    entity: Entity
    is_same: bool


def vectors_of(names: Sequence[Sequence[str]]) -> list[list[float] | None]:
    """For each entity's names the vector of the first that the model can read. Raises EmbeddingError."""
    made = iter(embedding.embed([name for of_one in names for name in of_one]))
    vectors = [[next(made) for _ in of_one] for of_one in names]
    return [next((vector for vector in of_one if vector is not None), None) for of_one in vectors]


def likeness(*, bond: Bond, name: str, kind: str, vector: Sequence[float] | None) -> Likeness | None:
    """Whom of the same kind a new name is like. Nothing is concluded where there is no usable vector."""
    if vector is None:
        return None
    readable = Entity.objects.of(bond).live().filter(kind=kind, embedding_model=embedding.model_name())
    distance = CosineDistance("embedding", list(vector))
    nearest: Any = (
        readable.filter(embedding__isnull=False).annotate(distance=distance).order_by("distance", "id").first()
    )
    if nearest is None:
        return None
    relevance = scoring.vector_relevance(1 - nearest.distance, baseline=embedding.cosine_baseline())
    if relevance < UNCERTAIN_FROM - TOLERANCE:
        return None
    is_near = relevance >= SAME_FROM - TOLERANCE
    return Likeness(entity=nearest, is_same=is_near and marks(name) == marks(nearest.canonical_name))


def marks(name: str) -> list[str]:
    """What tells names apart however near their vectors are: numbers, and characters that the model may not know."""
    folded = text.fold(name)
    return sorted(re.findall(r"\d+", folded) + text.CJK_CHARACTER.findall(folded))
