"""Tests a model server before it is used: one call of each kind."""

import time
from collections.abc import Iterator
from contextlib import aclosing
from dataclasses import dataclass, replace
from typing import Literal

from asgiref.sync import async_to_sync
from pydantic import BaseModel, ValidationError

from echovessel.llm import answers
from echovessel.llm.connection import OPENAI, Connection
from echovessel.llm.errors import BadAnswerError, LLMError, ModelTimeoutError, ModelUnavailableError
from echovessel.llm.ledger import RecordingLLM
from echovessel.llm.protocol import LLM, ChatMessage, Origin
from echovessel.llm.tools import Tool, ToolCall
from echovessel.postgres.threads import release_connection

# The limit of each call; the first one may load a large model from disk.
SECONDS = 60.0
CONNECT_SECONDS = 5.0
SAID_MOST = 200
MODES = ("schema", "object", "text")
FEATURE = "test"
GREETING: list[ChatMessage] = [{"role": "user", "content": "Say hello in one short sentence."}]
QUESTION: list[ChatMessage] = [{"role": "user", "content": 'Answer with this JSON and nothing else: {"alive": true}'}]
TOOL = Tool(
    name="tell_weather",
    description="Tells the weather of a city.",
    parameters={"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]},
)
TOOL_QUESTION: list[ChatMessage] = [{"role": "user", "content": "Look up the weather in Leeds with your tool."}]
# After one of these, or without an answer, other calls would fail too.
_HOPELESS = ("401", "403", "429")


class Alive(BaseModel):
    alive: bool


@dataclass(frozen=True, kw_only=True)
class TrialCall:
    """One call: a reply, a reply with a tool, or JSON asked for in one answer mode."""

    kind: Literal["reply", "tools", "json"]
    model: str
    mode: str = ""
    said: str = ""
    seconds: float
    error: LLMError | None = None


def run(asked: Connection, *, origin: Origin, seconds: float = SECONDS) -> Iterator[TrialCall]:
    """Ask the main model for a reply and to call a tool, then the other two for JSON.

    JSON is asked for in the configured mode and, if that fails, in the others. It stops early if the server cannot be
    reached or refuses access.
    """
    reply = _try_reply(asked, origin, seconds)
    yield reply
    if reply.error is None and asked.tools != "off":
        yield _try_tools(asked, origin, seconds)
    tried: TrialCall = reply
    for model in dict.fromkeys((asked.model("medium"), asked.model("small"))):
        for mode in (asked.json_mode, *(mode for mode in MODES if mode != asked.json_mode)):
            if tried.error is not None and _is_hopeless(tried.error):
                return
            tried = _try_json(replace(asked, small=model, json_mode=mode), origin, seconds)
            yield tried
            if tried.error is None or tried.error.answered.startswith("404"):
                break


def _is_hopeless(error: LLMError) -> bool:
    if isinstance(error, ModelUnavailableError):
        return not error.answered or error.answered.startswith(_HOPELESS)
    return isinstance(error, ModelTimeoutError)


def _try_reply(asked: Connection, origin: Origin, seconds: float) -> TrialCall:
    voice, began, said = _create_llm(asked, seconds), time.monotonic(), ""
    error = None
    try:
        said = async_to_sync(_read_greeting)(voice, origin)
    except LLMError as raised:
        error = raised
    return TrialCall(
        kind="reply", model=voice.model_of("reply"), said=said, seconds=time.monotonic() - began, error=error
    )


async def _read_greeting(voice: LLM, origin: Origin) -> str:
    said = ""
    async with aclosing(voice.stream(GREETING, origin=origin)) as parts:
        async for part in parts:
            said += part if isinstance(part, str) else ""
            if len(said) >= SAID_MOST:
                break
    return said.strip()


def _try_tools(asked: Connection, origin: Origin, seconds: float) -> TrialCall:
    voice, began = _create_llm(asked, seconds), time.monotonic()
    error: LLMError | None = None
    try:
        if not async_to_sync(_calls_tool)(voice, origin):
            error = BadAnswerError("The model called no tool.")
    except LLMError as raised:
        error = raised
    return TrialCall(kind="tools", model=voice.model_of("reply"), seconds=time.monotonic() - began, error=error)


async def _calls_tool(voice: LLM, origin: Origin) -> bool:
    calls = []
    async with aclosing(voice.stream(TOOL_QUESTION, origin=origin, tools=[TOOL])) as parts:
        async for part in parts:
            calls += [part] if isinstance(part, ToolCall) else []
    return any(call.name == TOOL.name and call.parse_arguments() is not None for call in calls)


def _try_json(asked: Connection, origin: Origin, seconds: float) -> TrialCall:
    voice, began, error = _create_llm(asked, seconds), time.monotonic(), None
    try:
        answer = voice.answer(QUESTION, feature=FEATURE, schema=Alive, origin=origin)
        Alive.model_validate(answers.unwrap(answers.parse(answer.text), Alive))
    except LLMError as raised:
        error = raised
    except ValidationError:
        error = BadAnswerError("The JSON of the model is not what was asked for.")
    took = time.monotonic() - began
    return TrialCall(kind="json", model=voice.model_of(FEATURE), mode=asked.json_mode, seconds=took, error=error)


def _create_llm(asked: Connection, seconds: float) -> LLM:
    from echovessel.llm.server import OpenAIServer

    server = OpenAIServer(asked)
    server.connect_limit = min(CONNECT_SECONDS, seconds)
    server.first_token_limit = server.turn_limit = server.answer_limit = seconds
    release_connection()
    return RecordingLLM(server, address=asked.address or OPENAI)
