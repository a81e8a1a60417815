"""Whether a message may tell that something noted holds no longer, in whatever words, by its vector and by what it has to do with a fact.

One direction tells changes and ends from all else that people say: a ridge regression on the vectors of Chinese messages, of which
English ones tell too little; what goes with it is a logistic regression. `manage.py shell --no-imports -c "from chat.evaluation.facts import change_weights;
change_weights.write()" > echovessel/embeddings/calibration/changes.json` recomputes both.
"""

import json
from collections.abc import Sequence
from functools import cache

from echovessel.embeddings.e5 import CALIBRATION

# The longest change that is known has 33 characters. The vector of what is much longer is of several things.
LONGEST = {"zh": 80}


@cache
def load_weights() -> dict[str, dict[str, list[float]]]:
    """Load the weights by language: of the vector, the last one of which is added, and of what a message has to do with a fact."""
    weights: dict[str, dict[str, list[float]]] = json.loads((CALIBRATION / "changes.json").read_text())
    return weights


def weigh(vector: Sequence[float], about: Sequence[float], *, lang: str) -> float:
    """Weigh that a message with this vector ends or changes a fact, given what it has to do with it; above 0 it does."""
    weights = load_weights()[lang]
    *of_vector, added = weights["message"]
    return sum(map(float.__mul__, of_vector, vector)) + added + sum(map(float.__mul__, weights["about"], about))
