"""Estimates the tokens of a call."""

import json
from collections.abc import Sequence

from echovessel import tokens
from echovessel.llm.protocol import ChatMessage, Usage
from echovessel.llm.tools import Tool, ToolCall


def estimate_usage(
    messages: Sequence[ChatMessage], said: str, *, tools: Sequence[Tool] = (), calls: Sequence[ToolCall] = ()
) -> Usage:
    """Estimate tokens for servers that do not count them, and for calls that ended early."""
    offered = sum(tokens.estimate(json.dumps(tool.build_param())) for tool in tools)
    called = sum(tokens.estimate(call.arguments) for call in calls)
    return Usage(
        offered + sum(tokens.estimate(message["content"]) for message in messages), called + tokens.estimate(said)
    )
