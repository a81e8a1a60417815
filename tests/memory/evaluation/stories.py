"""The small story that the tests of the suite tell, and how they change it."""

from pathlib import Path
from typing import Any

import yaml

from memory.evaluation.story import Story

SMALL = Path(__file__).parent / "small.yaml"


def small(**changes: Any) -> Story:
    told = yaml.safe_load(SMALL.read_text(encoding="utf-8"))
    return Story.model_validate(told | {"name": "small"} | changes)


def raw() -> dict[str, Any]:
    return yaml.safe_load(SMALL.read_text(encoding="utf-8")) | {"name": "small"}
