"""Compute the weights by which a statement tells something lasting: `echovessel.embeddings.lasting` tells more.

They are made with `lasting.tsv`, some 2 650 lines a language by five writers who knew none of the rules: F what a friend would still know in a month,
also where it changes what was told, N what is of the day, often in the same words. With the talks that are tuned on besides less is found.
"""

import json
import sys

from chat.evaluation.facts import talks
from echovessel.embeddings import directions, embedding
from echovessel.embeddings.e5 import detect_language
from memory.evaluation.tally import LANGUAGES

FILE = talks.FOLDER / "lasting.tsv"
LASTING = "F"


def compute(lang: str) -> list[float]:
    """Compute the weights of a language, and what is added."""
    import numpy as np

    labels = load_lines(lang)
    made = embedding.embed([*labels], of_question=True)
    read = [
        (vector, label == LASTING) for label, vector in zip(labels.values(), made, strict=True) if vector is not None
    ]
    direction, added = directions.tell_apart(*(np.array(column) for column in zip(*read, strict=True)))
    return [round(float(value), 4) for value in (*direction, added)]


def load_lines(lang: str) -> dict[str, str]:
    """Load the labels of a language's lines."""
    lines = (line.split("\t") for line in FILE.read_text(encoding="utf-8").splitlines())
    return {said: label for label, said in lines if detect_language(said) == lang}


def write() -> None:
    sys.stdout.write(json.dumps({lang: compute(lang) for lang in LANGUAGES}) + "\n")
