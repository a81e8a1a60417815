"""Whether a statement tells something lasting of its writer's life, in whatever words, by its vector.

Most of what people tell of themselves comes in passing: "cant talk long got my lad's parents evening, he's only just gone into year 8". One
direction, a ridge regression on vectors for each language that the bundled models read, tells it from what is of the day.
`manage.py shell --no-imports -c "from chat.evaluation.facts import lasting_weights;
lasting_weights.write()" > echovessel/embeddings/calibration/lasting.json` recomputes it.
"""

from collections.abc import Sequence

from echovessel.embeddings import directions


def weigh(vector: Sequence[float], *, lang: str) -> float:
    """Return how much a vector is that of something lasting: about 1 where it is, about -1 where it is of the day."""
    return directions.weigh(vector, directions.load_weights("lasting")[lang])
