"""The small story that the tests of the suite tell, and how they change it."""

from pathlib import Path
from typing import Any

import yaml

from memory.evaluation.stories.story import Story

SMALL = Path(__file__).parent / "small.yaml"


def raw() -> dict[str, Any]:
    told: dict[str, Any] = yaml.safe_load(SMALL.read_text(encoding="utf-8"))
    return told | {"name": "small"}


def small(**changes: Any) -> Story:
    return Story.model_validate(raw() | changes)
