"""The YAML files that suites are told from."""

from pathlib import Path
from typing import Any

import yaml

# The C loader is ten times as fast, where the package has it.
LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


def load_yaml(file: Path) -> Any:
    return yaml.load(file.read_text(encoding="utf-8"), Loader=LOADER)
