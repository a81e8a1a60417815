"""Compute the weights by which a message may ask to forget something: `echovessel.embeddings.wishes` tells more.

They are made with the half of the talks and of the neutral lines that is tuned on, and with `wishes.yaml`.
"""

import json
import os
import sys
from collections.abc import Sequence

import django

from chat.evaluation.facts import talks
from echovessel.embeddings import directions, embedding
from memory.evaluation.files import load_yaml

# A lookalike counts as several other lines. From such a value on a line may ask to forget: in a cross-validation 0.42 and 0.66 of the
# wishes, 0.08 of 170 lookalikes a language, and 0.003 and 0.007 of some 3 200 other lines (English, Chinese).
LOOKALIKE_WEIGHT = 5.0
LEAST = {"en": 0.6, "zh": 0.4}


def compute(lang: str) -> list[float]:
    """Compute the weights of a language, and what is added so that 0 is the least value of a wish."""
    import numpy as np

    wishes, lookalikes, others = map(embed, load_lines(lang))
    vectors = np.array([*wishes, *lookalikes, *others])
    rest = [LOOKALIKE_WEIGHT] * len(lookalikes) + [1.0] * len(others)
    weights = np.array([sum(rest) / len(wishes)] * len(wishes) + rest)
    wanted = np.array([1.0] * len(wishes) + [-1.0] * len(rest))
    direction, added = directions.find_direction(vectors, wanted, weights)
    return [round(float(value), 4) for value in (*direction, added - LEAST[lang])]


def load_lines(lang: str) -> tuple[list[str], list[str], list[str]]:
    own = load_yaml(talks.FOLDER / "wishes.yaml")[lang]
    told = [one for one in talks.load_all() if one.lang == lang and not one.half]
    steps = [step for one in told for step in one.steps if step.say]
    asked = [asked for one in told for probe in one.probes for asked in probe.ask]
    wishes = [*own["wishes"], *(step.say for step in steps if step.forget)]
    others = [*own["told"], *(step.say for step in steps if not step.forget), *asked, *talks.load_neutral_lines(lang)]
    return wishes, own["lookalikes"], others


def embed(lines: Sequence[str]) -> list[list[float]]:
    return [vector for vector in embedding.embed(lines, of_question=True) if vector is not None]


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "echovessel.settings")
    django.setup()
    sys.stdout.write(json.dumps({lang: compute(lang) for lang in LEAST}) + "\n")


if __name__ == "__main__":
    main()
