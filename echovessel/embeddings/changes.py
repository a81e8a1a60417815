"""Whether a message may tell that something noted holds no longer, in whatever words, by its vector and by what it has to do with a fact.

One direction tells changes and ends from all else that people say: a ridge regression on the vectors of Chinese messages, of which
English ones tell too little; what goes with it is a logistic regression. `manage.py shell --no-imports -c "from chat.evaluation.facts import change_weights;
change_weights.write()" > echovessel/embeddings/calibration/changes.json` recomputes both.
"""

from collections.abc import Sequence

from echovessel.embeddings import directions

# The longest change that is known has 33 characters. The vector of what is much longer is of several things.
LONGEST = {"zh": 80}


def weigh(vector: Sequence[float], about: Sequence[float], *, lang: str) -> float:
    """Weigh that a message with this vector ends or changes a fact, given what it has to do with it; above 0 it does."""
    weights: dict[str, list[float]] = directions.load_weights("changes")[lang]
    return directions.weigh(vector, weights["message"]) + sum(map(float.__mul__, weights["about"], about))
