"""Compute the weights by which the vector of a message tells how its writer feels: `echovessel.embeddings.feelings` tells more.

They are made with `feelings.yaml` of the evaluation of the voice, whose writers knew none of the rules, and with neutral lines.
"""

import json
import sys
from typing import Any

from chat.evaluation.facts import talks
from echovessel.embeddings import directions, embedding
from echovessel.embeddings.feelings import Felt
from memory.evaluation.files import load_yaml
from memory.evaluation.voice.suite import FOLDER

# From such values on a message moves, and tells of a death. Where each writer is judged by the others, 0.65 and 0.62 of the
# messages move that should (English, Chinese), 0.08 and 0.07 of the calm ones, half of which only look like the others; of the glad ones 13
# and 12 of 590 are bad, of the others 4 and 4 of 1 180 glad.
LEAST = {"moved": 0.3, "glad": 0.0, "death": 0.6}


def compute(lang: str) -> dict[str, list[float]]:
    import numpy as np

    said = [(kind, line) for kind, lines in load_yaml(FOLDER / "feelings.yaml")[lang].items() for line in lines]
    said += [("calm", line) for line in talks.load_neutral_lines(lang)]
    made = embedding.embed([line for _, line in said], of_question=True)
    read = [(kind, vector) for (kind, _), vector in zip(said, made, strict=True) if vector is not None]
    kinds, vectors = np.array([kind for kind, _ in read]), np.array([vector for _, vector in read])
    moves, is_death = kinds != "calm", kinds == Felt.GRIEF
    is_bad = is_death | (kinds == Felt.HEAVY)
    return {
        "moved": build_weights("moved", vectors, moves),
        "glad": build_weights("glad", vectors[moves], kinds[moves] == Felt.GLAD),
        "death": build_weights("death", vectors[is_bad], is_death[is_bad]),
    }


def build_weights(kind: str, vectors: Any, is_meant: Any) -> list[float]:
    direction, added = directions.tell_apart(vectors, is_meant)
    return [round(float(value), 4) for value in (*direction, added - LEAST[kind])]


def write() -> None:
    sys.stdout.write(json.dumps({lang: compute(lang) for lang in ("en", "zh")}) + "\n")
