"""Compute the weights by which a message may ask to forget something: `echovessel.embeddings.wishes` tells more.

They are made with the half of the talks and of the neutral lines that is tuned on, with `wishes.yaml` and `lasting.tsv`, and with the lives that do
not judge.
"""

import json
import sys
from collections.abc import Sequence
from pathlib import Path

import memory
from chat.evaluation.facts import lasting_weights, talks
from echovessel.embeddings import directions, embedding
from memory.evaluation.files import load_yaml

LIVES = Path(memory.__file__).parent / "evaluation" / "narrating"

# A lookalike counts as several other lines. From such a value on a line with a word of a wish may ask to forget.
LOOKALIKE_WEIGHT = 5.0
LEAST = {"en": 0.3, "zh": 0.25}


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
    lives = [life for file in sorted(LIVES.glob("*.yaml")) if (life := load_yaml(file))["lang"] == lang]
    lived = {one["said"] for life in lives for one in life["told"]} | {
        one["say"] for life in lives for one in life["messages"]
    }
    others = [
        *own["told"],
        *(step.say for step in steps if not step.forget),
        *asked,
        *talks.load_neutral_lines(lang),
        *lasting_weights.load_lines(lang),
        *sorted(lived),
    ]
    return wishes, own["lookalikes"], others


def embed(lines: Sequence[str]) -> list[list[float]]:
    return [vector for vector in embedding.embed(lines, of_question=True) if vector is not None]


def write() -> None:
    sys.stdout.write(json.dumps({lang: compute(lang) for lang in LEAST}) + "\n")
