"""The part of the OpenAI protocol that we read, with strict sizes and types, since many different servers implement it."""

import time
from collections.abc import AsyncGenerator, AsyncIterator, Iterator, Mapping
from typing import Any

from pydantic import BaseModel, ValidationError

from echovessel.llm.errors import BadAnswerError, ModelRefusedError, ModelTimeoutError
from echovessel.llm.openai_protocol import failures
from echovessel.llm.protocol import Usage

MAX_BYTES = 4_000_000
_REFUSED = "The model refused to answer this."
_NOT_THE_PROTOCOL = "The model server's answer does not follow the OpenAI protocol."


class _PromptTokensDetails(BaseModel):
    cached_tokens: int | None = None


class _Usage(BaseModel):
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    prompt_tokens_details: _PromptTokensDetails | None = None


class _Function(BaseModel):
    name: str | None = None
    # Text, in pieces, or an object.
    arguments: Any = None


class CallPiece(BaseModel):
    """A tool call, or a piece of one."""

    index: int | None = None
    id: str | None = None
    function: _Function | None = None

    @property
    def name(self) -> str:
        return (self.function and self.function.name) or ""

    @property
    def arguments(self) -> Any:
        return self.function.arguments if self.function else None


class _MessageText(BaseModel):
    content: str | None = None
    refusal: str | None = None
    tool_calls: list[CallPiece] | None = None


class _Choice(BaseModel):
    delta: _MessageText | None = None
    message: _MessageText | None = None
    finish_reason: str | None = None


class CompletionChunk(BaseModel):
    """A complete completion, or one chunk of a stream."""

    choices: list[_Choice] | None = None
    usage: _Usage | None = None
    error: object = None

    @property
    def text(self) -> str:
        """Return the text. Raises LLMError if the chunk holds an error instead."""
        if self.error:
            raise failures.to_reported_error(self.error)
        if not self.choices:
            return ""
        choice = self.choices[0]
        said = choice.delta or choice.message or _MessageText()
        if choice.finish_reason == "content_filter" or (said.refusal and not said.content):
            raise ModelRefusedError(_REFUSED)
        return said.content or ""

    @property
    def calls(self) -> list[CallPiece]:
        """Return the pieces of tool calls, whatever reason the server gives for its end."""
        if not self.choices:
            return []
        said = self.choices[0].delta or self.choices[0].message
        return (said and said.tool_calls) or []

    @property
    def is_begun(self) -> bool:
        """Whether this is a part of the answer: text or a call."""
        return bool(self.choices and self.choices[0].delta and self.choices[0].delta.content) or bool(self.calls)

    @property
    def is_last(self) -> bool:
        return bool(self.choices and self.choices[0].finish_reason)

    @property
    def is_cut(self) -> bool:
        """Whether the answer ended at the longest length that was allowed."""
        return bool(self.choices and self.choices[0].finish_reason == "length")

    def get_usage(self) -> Usage | None:
        if self.usage is None or self.usage.prompt_tokens is None:
            return None
        cached = self.usage.prompt_tokens_details or _PromptTokensDetails()
        return Usage(self.usage.prompt_tokens, self.usage.completion_tokens or 0, cached.cached_tokens or 0)


class _ListedModel(BaseModel):
    id: str


class _ModelList(BaseModel):
    data: list[_ListedModel] | None


def parse_model_names(raw: bytes) -> list[str]:
    try:
        offers = _ModelList.model_validate_json(raw).data or []
    except ValidationError:
        raise BadAnswerError(_NOT_THE_PROTOCOL) from None
    return [offer.id for offer in offers]


def read_content_type(headers: Mapping[str, str]) -> str:
    """Raise BadAnswerError for what a router or a proxy shows. It has no events, and would pass for a stream that was cut."""
    content_type = headers.get("Content-Type", "")
    if content_type.startswith("text/html"):
        raise BadAnswerError(_NOT_THE_PROTOCOL)
    return content_type


def parse_chunk(raw: bytes | str) -> CompletionChunk:
    try:
        return CompletionChunk.model_validate_json(raw)
    except ValidationError:
        raise BadAnswerError(_NOT_THE_PROTOCOL) from None


def read_body(chunks: Iterator[bytes], *, deadline: float) -> bytes:
    """Return the body of an answer. `deadline` is on the monotonic clock; it also ends a server that sends very slowly."""
    body = bytearray()
    for chunk in chunks:
        body += chunk
        if len(body) > MAX_BYTES:
            raise BadAnswerError("The model server's answer is far too long.")
        if time.monotonic() > deadline:
            raise ModelTimeoutError("The model server took too long to answer.")
    return bytes(body)


async def read_events(chunks: AsyncIterator[bytes], *, content_type: str) -> AsyncGenerator[str, None]:
    """Yield the data of each server-sent event, including `[DONE]`; of a server that does not stream, all that it answers."""
    is_json = content_type.startswith("application/json")
    rest = bytearray()
    size = 0
    async for chunk in chunks:
        size += len(chunk)
        if size > MAX_BYTES:
            raise BadAnswerError("The model server's answer is far too long.")
        rest += chunk
        if is_json:
            continue
        *lines, rest = rest.split(b"\n")
        for line in lines:
            if line.startswith(b"data:"):
                yield line.removeprefix(b"data:").strip().decode(errors="replace")
    if is_json or rest.startswith(b"data:"):
        yield rest.removeprefix(b"data:").strip().decode(errors="replace")
