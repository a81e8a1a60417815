"""A model that takes no time, so that only our own time is measured."""

import time
from collections.abc import AsyncGenerator, Sequence

from pydantic import BaseModel

from echovessel.llm.inputs import AnswerInputs, ReplyInputs
from echovessel.llm.protocol import Answer, ChatMessage, Origin, Piece, Usage
from echovessel.llm.tools import Tool

_EVENT = '{"description": "They moved to the harbour.", "emotional_impact": 3, "source_lines": [1]}'
_ANSWERS = {
    "extraction": f'{{"events": [{_EVENT}], "session_summary": "The harbour.", "mentioned_entities": []}}',
    "reflection": '{"thoughts": []}',
}


class QuietModel:
    """Records when it is asked, says one word, and extracts one event from every session."""

    offline = False
    takes_tools = False

    def __init__(self) -> None:
        self.asked_at = 0.0

    def model_of(self, feature: str) -> str:
        return "none"

    async def stream(
        self,
        messages: Sequence[ChatMessage],
        *,
        origin: Origin,
        inputs: ReplyInputs | None = None,
        tools: Sequence[Tool] = (),
    ) -> AsyncGenerator[Piece, None]:
        self.asked_at = time.perf_counter()
        yield "Fine."
        yield Usage()

    def answer(
        self,
        messages: Sequence[ChatMessage],
        *,
        feature: str,
        schema: type[BaseModel],
        origin: Origin,
        inputs: AnswerInputs | None = None,
        seconds: float | None = None,
    ) -> Answer:
        return Answer(text=_ANSWERS[feature], usage=Usage())
