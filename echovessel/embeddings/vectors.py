"""Formats vectors for SQL, turns cosines into relevance, and finds what many vectors have in common."""

import math
from collections.abc import Sequence


def as_text(vector: Sequence[float] | None) -> str | None:
    """Format a vector for pgvector, with more digits than a halfvec holds."""
    return None if vector is None else f"[{','.join([f'{value:.5g}' for value in vector])}]"


def compute_signs(vector: Sequence[float] | None) -> str:
    """Return the signs of a vector as bits, like `binary_quantize`."""
    return "".join("1" if value > 0 else "0" for value in vector or ())


def relevance(cosine: float) -> float:
    """`1 - d/2` for unit vectors at distance d: 1 for the same direction, about 0.29 for orthogonal ones."""
    clamped = max(-1.0, min(1.0, cosine))
    return 1 - math.sqrt(2 - 2 * clamped) / 2


def rescale(cosine: float, *, baseline: float) -> float:
    """Rescale a cosine so that the model's unrelated texts (`baseline`) count as orthogonal."""
    return (cosine - baseline) / (1 - baseline)


def compute_main_directions(rows: Sequence[Sequence[float]], *, count: int) -> list[list[float]]:
    """Return the unit vectors of the directions in which vectors lie most, the strongest first: the first singular vectors
    of their matrix, without centring.
    """
    import numpy as np

    matrix = np.asarray(rows, dtype=np.float32)
    # Ascending by the eigenvalue.
    _, directions = np.linalg.eigh(matrix.T @ matrix)
    return [[float(value) for value in directions[:, -place]] for place in range(1, count + 1)]
