"""Turns the client's errors into ours, and marks the transient ones."""

import math
import re
import socket
import ssl
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

import openai

from echovessel.llm.errors import (
    LLMError,
    ModelRefusedError,
    ModelTimeoutError,
    ModelUnavailableError,
    OptionsRefusedError,
    TooLongError,
    ToolsRefusedError,
)

_TRANSIENT = {408, 409, 429}
_FILTERED = {"content_filter", "content_policy_violation"}
_REASONS = {
    401: "The model server did not accept the key.",
    403: "The model server does not allow this.",
    404: "The model server has no such model or address.",
    429: "The model server asks to wait.",
}
# Causes of a connection error.
_CAUSES: tuple[tuple[type[OSError], str], ...] = (
    (ConnectionRefusedError, "Nothing answers at the address of the model server."),
    (socket.gaierror, "The name in the address of the model server is unknown."),
    (ssl.SSLError, "A secure connection to the model server failed."),
)
_MAX_WAIT_SECONDS = 86_400.0
# Statuses of a request that the server does not understand, or of a model that it does not have.
_ABOUT_OPTIONS = {400, 404, 422}
_ABOUT_LENGTH = {400, 413, 422}
# How servers say that a prompt is longer than the model's window: OpenAI, OpenRouter, llama.cpp, LM Studio, Ollama and vLLM, then others.
_TOO_LONG = re.compile(
    r"context[ _]?(?:length|size|window)|maximum model length|(?:prompt|input|request) (?:is )?too (?:long|large)|too many tokens|"
    r"number of tokens allowed",
    re.IGNORECASE,
)
# Statuses that say nothing of the request itself.
_UNRELATED_TO_TOOLS = {401, 403, 408, 429}


def to_llm_error(error: openai.APIError, *, with_tools: bool, with_options: bool) -> LLMError:
    """Return our error. `with_tools`: tools were sent, so that an error which names them is a ToolsRefusedError.

    `with_options`: a companion's own model or settings were sent, which an error about the request may be about.
    """
    if isinstance(error, openai.APITimeoutError):
        return ModelTimeoutError("The model server took too long to answer.")
    if isinstance(error, openai.APIStatusError):
        if with_tools and error.status_code not in _UNRELATED_TO_TOOLS and names_tools(error.message):
            return ToolsRefusedError(str(error.status_code))
        if with_options and error.status_code in _ABOUT_OPTIONS and error.code not in _FILTERED:
            return OptionsRefusedError(error.message, answered=str(error.status_code), is_too_long=names_length(error))
        if names_length(error):
            return TooLongError(str(error.status_code))
        return _to_status_error(error)
    return to_connection_error(error)


def names_length(error: openai.APIStatusError) -> bool:
    """Whether the server says that the prompt is too long for the model."""
    said = f"{error.code} {error.type} {error.message}"
    return error.status_code in _ABOUT_LENGTH and (error.status_code == 413 or _TOO_LONG.search(said) is not None)


def to_reported_error(said: object) -> LLMError:
    """Return the error of an answer that has one in place of a text."""
    if _TOO_LONG.search(str(said)):
        return TooLongError()
    return ModelUnavailableError("The model server reported an error in place of an answer.", transient=True)


def names_tools(said: object) -> bool:
    """Whether an error of a server is about tools, or about the template that would write them into the prompt."""
    return re.search(r"tool|function|jinja", str(said), re.IGNORECASE) is not None


def to_connection_error(error: BaseException) -> LLMError:
    """Describe a connection error by its cause."""
    below: BaseException | None = error
    while below is not None:
        for cause, sentence in _CAUSES:
            if isinstance(below, cause):
                return ModelUnavailableError(sentence, transient=True)
        below = below.__cause__ or below.__context__
    return ModelUnavailableError("The model server cannot be reached.", transient=True)


def _to_status_error(error: openai.APIStatusError) -> LLMError:
    status = error.status_code
    if error.code in _FILTERED:
        return ModelRefusedError("The model server's filter refused this.")
    waits = parse_retry_after(error.response.headers.get("retry-after"), now=datetime.now(UTC))
    if status == 408:
        return ModelTimeoutError("The model server took too long to answer.", retry_after=waits)
    transient = status in _TRANSIENT or status >= 500
    reason = _REASONS.get(
        status, "The model server failed." if transient else "The model server did not accept the request."
    )
    # The server's message may hold a part of the key; its code is safe if it looks like a code.
    code = f", {error.code}" if error.code and re.fullmatch(r"[a-z_]{3,40}", str(error.code)) else ""
    return ModelUnavailableError(reason, transient=transient, retry_after=waits, answered=f"{status}{code}")


def parse_retry_after(value: str | None, *, now: datetime) -> float | None:
    """Return the seconds of a Retry-After header, which holds seconds or a date, or None if it holds neither."""
    if not value:
        return None
    try:
        seconds = float(value)
    except ValueError:
        try:
            date = parsedate_to_datetime(value)
        except ValueError:
            return None
        seconds = (date.replace(tzinfo=date.tzinfo or UTC) - now).total_seconds()
    return None if math.isnan(seconds) else min(max(seconds, 0.0), _MAX_WAIT_SECONDS)
