"""Tools that a model may call while it replies, and its calls."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from echovessel.llm import answers
from echovessel.llm.errors import BadAnswerError


@dataclass(frozen=True)
class Tool:
    name: str
    description: str
    # A JSON schema.
    parameters: Mapping[str, Any]

    def build_param(self) -> dict[str, Any]:
        told = {"name": self.name, "description": self.description, "parameters": self.parameters}
        return {"type": "function", "function": told}


@dataclass(frozen=True)
class ToolCall:
    id: str
    name: str
    # JSON as the model wrote it, also if it cannot be read.
    arguments: str

    def parse_arguments(self) -> dict[str, Any] | None:
        """Return the arguments, or None if they are no JSON object. Some servers encode them twice."""
        if not self.arguments.strip():
            return {}
        parsed: Any = self.arguments
        for _ in range(2):
            try:
                parsed = answers.decode(parsed)
            except BadAnswerError:
                return None
            if not isinstance(parsed, str):
                break
        return parsed if isinstance(parsed, dict) else None
