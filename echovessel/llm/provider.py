"""Chooses who answers: the connected model server, or the offline voice."""

from functools import cache, lru_cache
from typing import TYPE_CHECKING

from echovessel.llm import connection
from echovessel.llm.connection import Connection
from echovessel.llm.ledger import RecordingLLM
from echovessel.llm.offline import processes
from echovessel.llm.offline.voice import OfflineVoice
from echovessel.llm.openai_protocol.adjusted import AdjustedServer
from echovessel.llm.protocol import LLM, ReplyOptions

if TYPE_CHECKING:
    from echovessel.llm.openai_protocol.server import OpenAIServer


NO_OPTIONS = ReplyOptions()


def get_llm(options: ReplyOptions = NO_OPTIONS) -> LLM:
    """Return the LLM in use. It reads the database: call it for each turn or task, and not from the event loop."""
    asked = connection.get_active()
    if asked is None:
        return get_fallback_llm()
    return _get_server_llm(asked) if options == NO_OPTIONS else _adjust(_get_server(asked), asked, options)


@cache
def get_fallback_llm() -> LLM:
    """Return the offline voice, for turns in which the model server has failed for good."""
    return RecordingLLM(OfflineVoice())


# Keyed by the whole connection: one connection's client is never used for another.
@lru_cache(maxsize=2)
def _get_server(asked: Connection) -> "OpenAIServer":
    from echovessel.llm.openai_protocol.server import OpenAIServer

    return OpenAIServer(asked)


@lru_cache(maxsize=2)
def _get_server_llm(asked: Connection) -> LLM:
    return RecordingLLM(_get_server(asked), address=asked.base_url)


def _adjust(server: "OpenAIServer", asked: Connection, options: ReplyOptions) -> LLM:
    """Return the server with a companion's settings. Companions share its client, and what it is known to refuse."""
    adjusted = AdjustedServer(server, options)
    return RecordingLLM(adjusted, address=asked.base_url, get_options=adjusted.get_sent)


def close() -> None:
    """Stop the offline voice's work when this process ends."""
    processes.close()
