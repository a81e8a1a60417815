"""Whether a message may ask to forget something, in whatever words, by its vector.

One direction tells wishes from what only sounds like them and from all else that people say: a ridge regression on vectors, for each
language that the bundled models read. `python -m chat.evaluation.facts.wish_weights > echovessel/embeddings/calibration/wishes.json`
recomputes it. Nothing may be forgotten by it without asking.
"""

import json
from collections.abc import Sequence
from functools import cache

from echovessel.embeddings.e5 import CALIBRATION

# Who asks to forget something is brief: the longest wish that is known has 134 characters, in Chinese 47. What is longer tells.
LONGEST = {"en": 240, "zh": 80}
# Less is asked of the vector where a word of the message may ask for it.
WORDED_FROM = -0.3
# Still less where a model calls to forget something, as it has understood as much: 0.98 and 0.97 of 60 wishes a language by one who had
# not seen the rules are heard then, by vectors and words (0.93 and 0.88 from -0.3 on), and 0.05 and 0.06 of what else is said.
CALLED_FROM = -0.6


@cache
def load_weights() -> dict[str, list[float]]:
    """Load the weights by language; the last one of each is added."""
    weights: dict[str, list[float]] = json.loads((CALIBRATION / "wishes.json").read_text())
    return weights


def weigh(vector: Sequence[float], *, lang: str) -> float:
    """Return how much a vector is that of a wish: above 0 it may be one."""
    *weights, added = load_weights()[lang]
    return sum(map(float.__mul__, weights, vector)) + added
