"""Tests a model server before it is used: checks after one another, each of a call or a few."""

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import aclosing
from dataclasses import dataclass, replace
from itertools import product
from typing import TYPE_CHECKING, Literal, TypeVar

from asgiref.sync import async_to_sync
from pydantic import BaseModel, ValidationError

from echovessel.llm import answers, discovery
from echovessel.llm.connection import Connection, Role
from echovessel.llm.errors import BadAnswerError, LLMError, ModelTimeoutError, ModelUnavailableError
from echovessel.llm.ledger import RecordingLLM
from echovessel.llm.openai_protocol.adjusted import NEW_NAME, AdjustedServer
from echovessel.llm.protocol import LLM, ChatMessage, Origin, ReplyOptions
from echovessel.llm.tools import Tool, ToolCall
from echovessel.postgres.threads import release_connection

if TYPE_CHECKING:
    from echovessel.llm.openai_protocol.server import OpenAIServer

T = TypeVar("T")
# The limit of each call; the first one may load a large model from disk.
SECONDS = 60.0
CONNECT_SECONDS = 5.0
SAID_MOST = 200
# How many models a sentence names.
NAMED_MOST = 12
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


# What a companion may be set to, each with a value that every server knows.
SETTINGS = (ReplyOptions(temperature=0.7), ReplyOptions(top_p=0.9), ReplyOptions(max_tokens=64))
ALL_SETTINGS = ReplyOptions(temperature=0.7, top_p=0.9, max_tokens=64)
# A check that makes one call or a few: one of these, or JSON as `json:ROLE:MODE`.
MODELS, REPLY, TOOLS, OPTIONS = "models", "reply", "tools", "options"
JSON_ROLES: tuple[Role, ...] = ("medium", "small")


class Alive(BaseModel):
    alive: bool


@dataclass(frozen=True, kw_only=True)
class TrialCall:
    """What one check found: at the address, of the key, of the model list; a reply, one with a tool or settings; JSON in one answer mode."""

    kind: Literal["address", "key", "models", "reply", "tools", "options", "json"]
    model: str
    mode: str = ""
    said: str = ""
    seconds: float
    error: LLMError | None = None
    # Settings that the server refuses, by their names in the protocol; the longest reply is not among them where its newer name works.
    refused: tuple[str, ...] = ()
    # Those that it is to be asked without from now on.
    avoided: tuple[str, ...] = ()


def run(asked: Connection, *, origin: Origin, seconds: float = SECONDS, first: str = MODELS) -> Iterator[TrialCall]:
    """Make all checks from `first` on: the address and the model list, a reply, a tool, settings, then JSON of the other two models.

    JSON is asked for in the configured mode and, if that fails, in the others. It stops early if the server cannot be
    reached or refuses access.
    """
    check: str | None = first
    while check is not None:
        found = run_check(asked, check, origin=origin, seconds=seconds)
        yield from found
        check = get_next_check(asked, check, found)


def run_check(asked: Connection, check: str, *, origin: Origin, seconds: float = SECONDS) -> list[TrialCall]:
    """Make one check. Raises ValueError for one that there is not."""
    if check == MODELS:
        return _try_address(asked)
    if check == REPLY:
        return [_try_reply(asked, origin, seconds)]
    if check == TOOLS:
        return [_try_tools(asked, origin, seconds)]
    if check == OPTIONS:
        return [_try_options(asked, origin, seconds)]
    role, mode = parse_json_check(check)
    return [_try_json(replace(asked, small=asked.model(role), json_mode=mode), origin, seconds)]


def parse_json_check(check: str) -> tuple[Role, str]:
    """Return the role and the answer mode of a check of JSON. Raises ValueError for another one."""
    for role, mode in product(JSON_ROLES, MODES):
        if check == f"json:{role}:{mode}":
            return role, mode
    raise ValueError(check)


def get_next_check(asked: Connection, check: str, found: Sequence[TrialCall]) -> str | None:
    """Return what to check after a check that found this; None after the last one, or where others would fail too."""
    errors = [call.error for call in found if call.error is not None]
    if any(map(_is_hopeless, errors)):
        return None
    if check == MODELS:
        return REPLY
    if check == REPLY and not errors and asked.tools != "off":
        return TOOLS
    if check in (REPLY, TOOLS) and not (check == REPLY and errors):
        return OPTIONS
    modes = [asked.json_mode, *(mode for mode in MODES if mode != asked.json_mode)]
    if check in (REPLY, OPTIONS):
        return f"json:medium:{modes[0]}"
    role, mode = parse_json_check(check)
    if errors and not errors[0].answered.startswith("404") and mode != modes[-1]:
        return f"json:{role}:{modes[modes.index(mode) + 1]}"
    is_last = role == "small" or asked.model("small") == asked.model("medium")
    return None if is_last else f"json:small:{modes[0]}"


def _attempt(act: Callable[[], T]) -> tuple[T | None, LLMError | None, float]:
    """Return what a call gives or the error it ends with, and how many seconds it takes."""
    began = time.monotonic()
    try:
        return act(), None, time.monotonic() - began
    except LLMError as error:
        return None, error, time.monotonic() - began


def _try_address(asked: Connection) -> list[TrialCall]:
    """Ask for the model list, which shows whether something answers there, and with which key."""
    listed, error, took = _attempt(lambda: discovery.list_all_models(asked))
    if error is not None and not error.answered and not isinstance(error, BadAnswerError):
        return [TrialCall(kind="address", model=asked.main, seconds=took, error=error)]
    found = [TrialCall(kind="address", model=asked.main, said=asked.base_url, seconds=took)]
    if error is not None and error.answered.startswith(("401", "403")):
        return [*found, TrialCall(kind="key", model=asked.main, seconds=took, error=error)]
    listed = listed or []
    if listed and asked.main not in listed:
        error = BadAnswerError("The model server does not list this model.")
    said = ", ".join(listed[:NAMED_MOST]) + (", …" if len(listed) > NAMED_MOST else "")
    return [*found, TrialCall(kind="models", model=asked.main, said=said, seconds=took, error=error)]


def _try_options(asked: Connection, origin: Origin, seconds: float) -> TrialCall:
    """Ask for a reply with all settings that companions may have and, where the server does not say which it refuses, with each alone."""
    began = time.monotonic()
    avoided: set[str] = set()
    refused: set[str] = set()
    error: LLMError | None = None
    try:
        avoided, refused = _find_refused(asked, ALL_SETTINGS, origin, seconds)
        if len(avoided) == len(SETTINGS):
            alone = [_find_refused(asked, one, origin, seconds) for one in SETTINGS]
            avoided, refused = (set().union(*names) for names in zip(*alone, strict=True))
    except LLMError as raised:
        error = raised
    return TrialCall(
        kind="options",
        model=asked.main,
        seconds=time.monotonic() - began,
        error=error,
        refused=tuple(sorted(refused)),
        avoided=tuple(sorted(avoided)),
    )


def _find_refused(
    asked: Connection, options: ReplyOptions, origin: Origin, seconds: float
) -> tuple[set[str], set[str]]:
    """Return the settings that a reply came without, and those of them that no other name serves."""
    server = AdjustedServer(_create_server(asked, seconds), options)
    async_to_sync(_read_greeting)(RecordingLLM(server, address=asked.base_url, get_options=server.get_sent), origin)
    sent = server.get_sent()
    avoided = set(options.as_params()) - set(sent)
    return avoided, avoided - ({"max_tokens"} if NEW_NAME in sent else set())


def _is_hopeless(error: LLMError) -> bool:
    if isinstance(error, ModelUnavailableError):
        return not error.answered or error.answered.startswith(_HOPELESS)
    return isinstance(error, ModelTimeoutError)


def _try_reply(asked: Connection, origin: Origin, seconds: float) -> TrialCall:
    voice = _create_llm(asked, seconds)
    said, error, took = _attempt(lambda: async_to_sync(_read_greeting)(voice, origin))
    return TrialCall(kind="reply", model=voice.model_of("reply"), said=said or "", seconds=took, error=error)


async def _read_greeting(voice: LLM, origin: Origin) -> str:
    said = ""
    async with aclosing(voice.stream(GREETING, origin=origin)) as parts:
        async for part in parts:
            said += part if isinstance(part, str) else ""
            if len(said) >= SAID_MOST:
                break
    return said.strip()


def _try_tools(asked: Connection, origin: Origin, seconds: float) -> TrialCall:
    voice = _create_llm(asked, seconds)
    is_called, error, took = _attempt(lambda: async_to_sync(_calls_tool)(voice, origin))
    if is_called is False:
        error = BadAnswerError("The model called no tool.")
    return TrialCall(kind="tools", model=voice.model_of("reply"), seconds=took, error=error)


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
        Alive.model_validate(answers.read(answer.text, Alive))
    except LLMError as raised:
        error = raised
    except ValidationError:
        error = BadAnswerError("The JSON of the model is not what was asked for.")
    took = time.monotonic() - began
    return TrialCall(kind="json", model=voice.model_of(FEATURE), mode=asked.json_mode, seconds=took, error=error)


def _create_llm(asked: Connection, seconds: float) -> LLM:
    return RecordingLLM(_create_server(asked, seconds), address=asked.base_url)


def _create_server(asked: Connection, seconds: float) -> "OpenAIServer":
    from echovessel.llm.openai_protocol.server import OpenAIServer

    # Without what is known to be refused: that may have changed.
    server = OpenAIServer(replace(asked, refused=frozenset()))
    server.connect_limit = min(CONNECT_SECONDS, seconds)
    server.first_token_limit = server.turn_limit = server.answer_limit = seconds
    release_connection()
    return server
