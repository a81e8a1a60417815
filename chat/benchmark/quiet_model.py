"""A model that takes no time, so that only our own time is measured."""

import time
from collections.abc import Iterable
from typing import Any

from echovessel.llm.inputs import AnswerInputs, ReplyInputs
from echovessel.llm.protocol import Piece
from memory.evaluation.scripted_model import ScriptedModel

_EVENT = {"description": "They moved to the harbour.", "emotional_impact": 3, "source_lines": [1]}
_ANSWERS: dict[str, dict[str, Any]] = {
    "extraction": {"events": [_EVENT], "session_summary": "The harbour.", "mentioned_entities": []},
    "reflection": {"thoughts": []},
}


class QuietModel(ScriptedModel):
    """Records when it is asked, says one word, and extracts one event from every session."""

    def __init__(self) -> None:
        self.asked_at = 0.0

    def build_reply(self, inputs: ReplyInputs | None, *, may_call: bool, answer: str) -> Iterable[Piece]:
        self.asked_at = time.perf_counter()
        return ["Fine."]

    def build_answer(self, feature: str, inputs: AnswerInputs | None, *, prompt: str) -> dict[str, Any]:
        return _ANSWERS[feature]
