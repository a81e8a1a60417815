"""What a message tells of how its writer feels, in whatever words, by its vector.

Most people tell what happened and name no feeling: "mum didn't know who I was today". Three directions, ridge regressions on vectors for
each language that the bundled models read, tell what moves people from all else that they say, the glad of it from the bad, and
deaths from the rest of the bad. That something moves is easier told than whether it is good.
`manage.py shell --no-imports -c "from chat.evaluation import feeling_weights;
feeling_weights.write()" > echovessel/embeddings/calibration/feelings.json` recomputes them.
"""

from collections.abc import Sequence
from enum import StrEnum

from echovessel.embeddings import directions


class Felt(StrEnum):
    # Somebody has died.
    GRIEF = "grief"
    # Whatever else is sad, frightening, shameful or hard.
    HEAVY = "heavy"
    GLAD = "glad"
    # More probably bad, more probably good, or either: too unsure for condolence or congratulation.
    RATHER_BAD = "rather bad"
    RATHER_GOOD = "rather good"
    MOVED = "moved"


# The vector of a longer message is of several things.
LONGEST = {"en": 240, "zh": 80}
# Below the first value what moves is surely bad, above the other one surely good; and the same for probably.
SURE = (-0.6, 0.7)
# Of messages in both languages by a writer of whom no weight is made, 61 of 70 between the first values are bad (4 good), and 19 of 22
# between the second good (2 bad).
PROBABLE = (-0.3, 0.4)


def read(vector: Sequence[float], *, lang: str) -> Felt | None:
    """Return what a message tells of its writer's feelings; None where it moves nobody."""
    moves, is_glad, is_death = (
        directions.weigh(vector, weights) for weights in directions.load_weights("feelings")[lang].values()
    )
    if moves <= 0:
        return None
    if SURE[0] <= is_glad <= SURE[1]:
        return Felt.RATHER_BAD if is_glad < PROBABLE[0] else Felt.RATHER_GOOD if is_glad > PROBABLE[1] else Felt.MOVED
    return Felt.GLAD if is_glad > 0 else Felt.GRIEF if is_death > 0 else Felt.HEAVY
