"""The messages that tell a model, in its next call, what it called and what became of it."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from echovessel.llm.protocol import ChatMessage
from echovessel.llm.tools import ToolCall


def build_call_message(said: str, calls: Sequence[ToolCall]) -> ChatMessage:
    """Build the model's own message for its next call. Templates of servers parse the arguments, so they are valid JSON."""
    return {
        "role": "assistant",
        "content": said,
        "tool_calls": [
            {
                "id": call.id,
                "type": "function",
                "function": {
                    "name": call.name,
                    "arguments": json.dumps(call.parse_arguments() or {}, ensure_ascii=False),
                },
            }
            for call in calls
        ],
    }


def build_answer_message(call: ToolCall, answer: Mapping[str, Any]) -> ChatMessage:
    return {"role": "tool", "content": json.dumps(answer, ensure_ascii=False), "tool_call_id": call.id}
