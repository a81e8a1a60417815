"""Directions along which vectors tell a kind of message from others."""

import json
from collections.abc import Sequence
from functools import cache
from typing import Any

from echovessel.embeddings.e5 import CALIBRATION

# How strongly weights are drawn to 0.
BEARING = 3.0


@cache
def load_weights(kind: str) -> dict[str, Any]:
    """Load the weights of directions that tell a kind of message, by language; the last one of each is added."""
    weights: dict[str, Any] = json.loads((CALIBRATION / f"{kind}.json").read_text())
    return weights


def weigh(vector: Sequence[float], weights: Sequence[float]) -> float:
    """Return how far a vector lies along a direction; the last weight is added."""
    *along, added = weights
    return float(sum(map(float.__mul__, along, vector)) + added)


def find_direction(vectors: Any, wanted: Any, weights: Any) -> tuple[Any, float]:
    """Find the direction along which vectors have the wanted values, and what is added: a ridge regression in which each has its weight."""
    import numpy as np

    mean = np.average(vectors, axis=0, weights=weights)
    known = np.c_[vectors - mean, np.ones(len(vectors))]
    weighed = (known * weights[:, None]).T
    solved = np.linalg.solve(weighed @ known + BEARING * np.eye(known.shape[1]), weighed @ wanted)
    return solved[:-1], float(solved[-1] - mean @ solved[:-1])


def tell_apart(vectors: Any, is_meant: Any) -> tuple[Any, float]:
    """Find the direction that tells what is meant from the rest, and what is added; both weigh the same."""
    import numpy as np

    weights = np.where(is_meant, (~is_meant).sum() / is_meant.sum(), 1.0)
    return find_direction(vectors, np.where(is_meant, 1.0, -1.0), weights)
