"""Whether a message may ask to forget something, in whatever words, by its vector.

One direction tells wishes from what only sounds like them and from all else that people say: a ridge regression on vectors, for each
language that the bundled models read. `manage.py shell --no-imports -c "from chat.evaluation.facts import wish_weights;
wish_weights.write()" > echovessel/embeddings/calibration/wishes.json` recomputes it. Nothing may be forgotten by it without asking.
"""

from collections.abc import Sequence

from echovessel.embeddings.directions import load_weights

# Who asks to forget something is brief: the longest wish that is known has 134 characters, in Chinese 47. What is longer tells.
LONGEST = {"en": 240, "zh": 80}
# Less is asked where a model calls to forget something, as it has understood as much: in a cross-validation 0.83 of English and 0.89 of
# Chinese wishes are heard by their vectors then, and 0.04 of what else is said.
CALLED_FROM = -0.3


def weigh(vector: Sequence[float], *, lang: str) -> float:
    """Return how much a vector is that of a wish: above 0 it may be one."""
    *weights, added = load_weights("wishes")[lang]
    return float(sum(map(float.__mul__, weights, vector)) + added)
