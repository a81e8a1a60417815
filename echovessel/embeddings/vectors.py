"""Vectors as SQL takes them, and the one scale on which they are compared."""

import math
from collections.abc import Sequence


def as_text(vector: Sequence[float] | None) -> str | None:
    """A vector as pgvector reads it, with more digits than a halfvec holds."""
    return None if vector is None else f"[{','.join([f'{value:.5g}' for value in vector])}]"


def compute_signs(vector: Sequence[float] | None) -> str:
    """The signs of a vector, one bit each, as `binary_quantize` finds them."""
    return "".join("1" if value > 0 else "0" for value in vector or ())


def relevance(cosine: float) -> float:
    """`1 - d/2` for unit vectors at distance d: 1 for the same direction, about 0.29 for orthogonal ones."""
    clamped = max(-1.0, min(1.0, cosine))
    return 1 - math.sqrt(2 - 2 * clamped) / 2


def rescale(cosine: float, *, baseline: float) -> float:
    """A cosine in which unrelated texts of the model (`baseline`) count as orthogonal."""
    return (cosine - baseline) / (1 - baseline)
