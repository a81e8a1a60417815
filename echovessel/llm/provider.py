"""Chooses who answers: the connected model server, or the offline voice."""

from functools import cache, lru_cache

from echovessel.llm import connection
from echovessel.llm.connection import OPENAI, Connection
from echovessel.llm.ledger import RecordingLLM
from echovessel.llm.offline import processes
from echovessel.llm.offline.voice import OfflineVoice
from echovessel.llm.protocol import LLM


def get_llm() -> LLM:
    """Return the LLM in use. It reads the database: call it for each turn or task, and not from the event loop."""
    asked = connection.get_active()
    return get_fallback_llm() if asked is None else _get_server_llm(asked)


@cache
def get_fallback_llm() -> LLM:
    """Return the offline voice, for turns in which the model server has failed for good."""
    return RecordingLLM(OfflineVoice())


# Keyed by the whole connection: one connection's client is never used for another.
@lru_cache(maxsize=2)
def _get_server_llm(asked: Connection) -> LLM:
    from echovessel.llm.server import OpenAIServer

    return RecordingLLM(OpenAIServer(asked), address=asked.address or OPENAI)


def close() -> None:
    """Stop the offline voice's work when this process ends."""
    processes.close()
