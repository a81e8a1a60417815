"""Whether a message may ask to forget something, in whatever words, by its vector.

One direction tells wishes from what only sounds like them and from all else that people say: a ridge regression on vectors, for each
language that the bundled models read. `manage.py shell --no-imports -c "from chat.evaluation.facts import wish_weights;
wish_weights.write()" > echovessel/embeddings/calibration/wishes.json` recomputes it. Nothing may be forgotten by it without asking.
"""

from collections.abc import Sequence

from echovessel.embeddings import directions

# Who asks to forget something is brief: the longest wish that is known has 134 characters, in Chinese 47. What is longer tells.
LONGEST = {"en": 240, "zh": 80}
# So much more is asked of a message without a word that wishes have, such as "delete". In a cross-validation on 500 lines a language by writers who
# knew no rule, 0.77 and 0.64 of 230 wishes are heard by words or vector (0.59 and 0.46 when each needed such a word), 0.17 and 0.14 of 150 that only sound
# like wishes (0.15 and 0.15), and 0.003 and 0.005 of 2 320 lines of other talk (English, Chinese).
WORDLESS_FROM = 0.2
# Less is asked where a model calls to forget something, as it has understood as much: in that cross-validation 0.86 of the English and 0.92 of the
# Chinese wishes are heard by their vectors then, 0.29 and 0.32 of the lookalikes, and 0.05 of what else is said.
CALLED_FROM = -0.3


def weigh(vector: Sequence[float], *, lang: str) -> float:
    """Return how much a vector is that of a wish: above 0 it may be one."""
    return directions.weigh(vector, directions.load_weights("wishes")[lang])
