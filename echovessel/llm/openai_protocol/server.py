"""A client of any server with the OpenAI protocol. Callers retry.

Import it where it is called: the `openai` package takes half a second to load, which most processes can do without.
"""

import asyncio
import json
import time
from collections import defaultdict
from collections.abc import AsyncGenerator, AsyncIterator, Iterator, Mapping, Sequence
from contextlib import aclosing, contextmanager
from functools import cached_property
from types import MappingProxyType
from typing import Any, Unpack, cast

import httpx2
import openai
from openai.types.chat import ChatCompletionMessageParam
from pydantic import BaseModel

from echovessel.llm.connection import Connection
from echovessel.llm.errors import (
    EmptyAnswerError,
    LLMError,
    ModelTimeoutError,
    ModelUnavailableError,
    ToolsRefusedError,
)
from echovessel.llm.openai_protocol import failures, wire
from echovessel.llm.openai_protocol.reply_reader import ReplyReader
from echovessel.llm.openai_protocol.tool_calls import CallGatherer
from echovessel.llm.protocol import Answer, AnswerCall, ChatMessage, CutOff, Piece, ReplyCall
from echovessel.llm.tools import Tool
from echovessel.llm.usage import estimate_usage

UNREADABLE = "The stored key of the model server can no longer be read. An administrator has to enter it again."


NO_PARAMS: Mapping[str, Any] = MappingProxyType({})


class OpenAIServer:
    offline = False
    # Seconds.
    connect_limit = 10.0
    first_token_limit = 60.0
    turn_limit = 180.0
    answer_limit = 120.0
    _loop: asyncio.AbstractEventLoop | None = None
    _asynchronous: openai.AsyncOpenAI

    def __init__(self, connection: Connection) -> None:
        self.connection = connection
        # False once the server has refused tools, until this process ends or the connection is changed.
        self.takes_tools = connection.tools != "off"
        # The parameters that each model refused, as long.
        self.refused: defaultdict[str, set[str]] = defaultdict(set, {connection.main: {*connection.refused}})

    def model_of(self, feature: str) -> str:
        return self.connection.model_of(feature)

    async def stream(
        self,
        messages: Sequence[ChatMessage],
        *,
        model: str = "",
        params: Mapping[str, Any] = NO_PARAMS,
        **asked: Unpack[ReplyCall],
    ) -> AsyncGenerator[Piece, None]:
        """Yield a reply of the main model, or of another one and with further parameters.

        Raises OptionsRefusedError before any piece where these may be why the server refuses.
        """
        sent = {"model": model or self.model_of("reply"), **params}
        try:
            async with aclosing(self._stream_pieces(messages, asked, sent)) as pieces:
                async for piece in pieces:
                    yield piece
        except ToolsRefusedError:
            self.takes_tools = False
            raise

    async def _stream_pieces(
        self, messages: Sequence[ChatMessage], asked: ReplyCall, sent: Mapping[str, Any]
    ) -> AsyncGenerator[Piece, None]:
        usage, is_cut, tools = None, False, asked.get("tools", ())
        gatherer, reader = CallGatherer(), ReplyReader(messages, tools=tools, inputs=asked.get("inputs"))
        try:
            async with aclosing(self._stream_parts(messages, tools, sent)) as parts:
                async for part in parts:
                    if not reader.said and self._may_refuse(tools) and failures.names_tools(part.error):
                        raise ToolsRefusedError
                    usage, is_cut = part.get_usage() or usage, is_cut or part.is_cut
                    gatherer.add_all(part.calls if tools else ())
                    for shown in reader.add(part.text):
                        yield shown
        except LLMError:
            for held in reader.break_off():
                yield held
            raise
        rest, calls = reader.finish()
        calls += gatherer.get_calls()
        if not reader.said.strip() and not calls:
            raise EmptyAnswerError
        last: list[Piece] = [rest, *calls] if rest else [*calls]
        last += [CutOff()] if is_cut else []
        for piece in last:
            yield piece
        yield usage or estimate_usage(messages, reader.said, tools=tools, calls=calls)

    async def _stream_parts(
        self, messages: Sequence[ChatMessage], tools: Sequence[Tool], sent: Mapping[str, Any]
    ) -> AsyncGenerator[wire.CompletionChunk, None]:
        started = time.monotonic()
        offered: dict[str, Any] = {"tools": [tool.build_param() for tool in tools]} if tools else {}
        has_options = sent != {"model": self.model_of("reply")}
        with _convert_errors(with_tools=self._may_refuse(tools), with_options=has_options):
            call = self._get_client().chat.completions.with_streaming_response.create(
                messages=_to_params(messages), stream=True, stream_options={"include_usage": True}, **offered, **sent
            )
            async with call as response:
                events = wire.read_events(response.iter_bytes(), content_type=wire.read_content_type(response.headers))
                async with aclosing(events), aclosing(self._read(events, started)) as parts:
                    async for part in parts:
                        yield part

    def _may_refuse(self, tools: Sequence[Tool]) -> bool:
        """Whether an error may be a refusal of tools. Where an operator switched them on, it is shown as the error that it is."""
        return bool(tools) and self.connection.tools == "auto"

    async def _read(self, events: AsyncIterator[str], started: float) -> AsyncGenerator[wire.CompletionChunk, None]:
        limit, is_whole = self.first_token_limit, False
        while True:
            try:
                # The limit applies to each wait, not to the loop: a reader's pause at a `yield` is not the server's fault.
                async with asyncio.timeout(started + limit - time.monotonic()):
                    event = await anext(events, None)
            except (TimeoutError, httpx2.HTTPError):
                # Some servers keep the connection open, or drop it, after the last chunk.
                if is_whole:
                    return
                raise
            if event is None and not is_whole:
                raise ModelUnavailableError("The model server stopped in the middle of its answer.", transient=True)
            if event is None or event == "[DONE]":
                return
            part = wire.parse_chunk(event)
            is_whole = is_whole or part.is_last
            limit = self.turn_limit if part.is_begun else limit
            yield part

    def answer(self, messages: Sequence[ChatMessage], **asked: Unpack[AnswerCall]) -> Answer:
        feature, schema, seconds = asked["feature"], asked["schema"], asked.get("seconds")
        limit = self.answer_limit if seconds is None else seconds
        deadline = time.monotonic() + limit
        mode = self.connection.json_mode
        sent = [*messages] if mode == "schema" else [_describe_schema(schema), *messages]
        call = self._synchronous.chat.completions.with_streaming_response.create(
            model=self.model_of(feature),
            messages=_to_params(sent),
            timeout=httpx2.Timeout(limit, connect=min(self.connect_limit, limit)),
            **_build_response_format(mode, feature, schema),
        )
        with _convert_errors(), call as response:
            part = wire.parse_chunk(wire.read_body(response.iter_bytes(), deadline=deadline))
        if not part.text.strip():
            raise EmptyAnswerError
        return Answer(part.text, part.get_usage() or estimate_usage(sent, part.text))

    def list_models(self) -> list[str]:
        """Return the models that the server lists. Raises LLMError."""
        call = self._synchronous.models.with_streaming_response.list()
        # Set after the client is loaded, which is not the server's fault.
        deadline = time.monotonic() + self.answer_limit
        with _convert_errors(), call as response:
            return wire.parse_model_names(wire.read_body(response.iter_bytes(), deadline=deadline))

    def _get_client(self) -> openai.AsyncOpenAI:
        """Return the process's client, or a new one for another event loop, since connections belong to their loop."""
        loop = asyncio.get_running_loop()
        if self._loop is not loop:
            self._loop, self._asynchronous = loop, openai.AsyncOpenAI(**self._build_options(self.first_token_limit))
        return self._asynchronous

    @cached_property
    def _synchronous(self) -> openai.OpenAI:
        return openai.OpenAI(**self._build_options(self.answer_limit))

    def _build_options(self, read_limit: float) -> dict[str, Any]:
        if self.connection.key is None:
            raise ModelUnavailableError(UNREADABLE, transient=False)
        return {
            # Servers without keys still need the header.
            "api_key": self.connection.key or "none",
            "base_url": self.connection.base_url,
            "max_retries": 0,
            "timeout": httpx2.Timeout(read_limit, connect=self.connect_limit),
        }


@contextmanager
def _convert_errors(*, with_tools: bool = False, with_options: bool = False) -> Iterator[None]:
    try:
        yield
    except openai.APIError as error:
        raise failures.to_llm_error(error, with_tools=with_tools, with_options=with_options) from error
    except (TimeoutError, httpx2.TimeoutException) as error:
        raise ModelTimeoutError("The model server took too long to answer.") from error
    except httpx2.HTTPError as error:
        raise ModelUnavailableError("The connection to the model server was lost.", transient=True) from error


def _to_params(messages: Sequence[ChatMessage]) -> list[ChatCompletionMessageParam]:
    # The client's types are the same, with a class for each role.
    return cast("list[ChatCompletionMessageParam]", list(messages))


def _describe_schema(schema: type[BaseModel]) -> ChatMessage:
    text = json.dumps(_clean(schema.model_json_schema()), ensure_ascii=False)
    return {
        "role": "system",
        "content": f"Answer with one JSON object and nothing else. It follows this JSON schema:\n{text}",
    }


def _build_response_format(mode: str, feature: str, schema: type[BaseModel]) -> dict[str, Any]:
    if mode == "text":
        return {}
    if mode == "object":
        return {"response_format": {"type": "json_object"}}
    # Not strict: strict servers refuse schemas with optional fields, and the caller validates the answer anyway.
    described = {"name": feature, "schema": _clean(schema.model_json_schema()), "strict": False}
    return {"response_format": {"type": "json_schema", "json_schema": described}}


def _clean(schema: Any) -> Any:
    """Leave out what is there for programmers: titles, docstrings and defaults, which a model pays for and may take for its task."""
    if isinstance(schema, list):
        return [_clean(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    return {
        name: _clean(part)
        for name, part in schema.items()
        # A property may be called `title` or `description`, too.
        if name != "default" and (name not in ("title", "description") or isinstance(part, dict))
    }
