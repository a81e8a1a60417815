"""What messages that narrate have in common by the bundled English model.

Whatever somebody tells of their day, by all-MiniLM-L6-v2 it lies a little in one direction, and what was told in the same manner lies
there, too. Without the mean of such messages the rest tells which memories are meant (subtracting the mean makes fewer texts near to
everything: Suzuki et al. 2013). For the vectors of `e5` that is done already.

`python -m echovessel.embeddings.narrations > echovessel/embeddings/calibration/narrations.json` recomputes the mean from `calibration/narrations.yaml`.
"""

import json
import sys
from collections.abc import Sequence
from functools import cache

import yaml

from echovessel.embeddings.e5 import CALIBRATION
from echovessel.embeddings.models import OnnxEncoder


@cache
def load_mean() -> list[float]:
    mean: list[float] = json.loads((CALIBRATION / "narrations.json").read_text())
    return mean


def compute_mean(encoder: OnnxEncoder, lines: Sequence[str]) -> list[float]:
    mean = sum(encoder.encode_batch([line])[0] for line in lines) / len(lines)
    return [round(float(value), 5) for value in mean]


def load_lines() -> list[str]:
    lines: list[str] = yaml.safe_load((CALIBRATION / "narrations.yaml").read_text(encoding="utf-8"))
    return lines


def main() -> None:
    sys.stdout.write(json.dumps(compute_mean(OnnxEncoder(), load_lines())) + "\n")


if __name__ == "__main__":
    main()
