"""Who answers: the model server where one is set or connected, else the offline voice."""

from functools import cache, lru_cache

from echovessel.llm import connection
from echovessel.llm.connection import OPENAI, Connection
from echovessel.llm.ledger import RecordingLLM
from echovessel.llm.offline import processes
from echovessel.llm.offline.voice import OfflineVoice
from echovessel.llm.protocol import LLM
from echovessel.llm.server import OpenAIServer


def get_llm() -> LLM:
    """Who answers now. Reads the database, so ask anew for each turn or task, and not from the event loop."""
    asked = connection.get_active()
    return get_fallback_llm() if asked is None else _get_server_llm(asked)


@cache
def get_fallback_llm() -> LLM:
    """The offline voice, for when the model server has failed for good."""
    return RecordingLLM(OfflineVoice())


# By all that makes up the connection: what is kept open for one is never used for another.
@lru_cache(maxsize=2)
def _get_server_llm(asked: Connection) -> LLM:
    return RecordingLLM(OpenAIServer(asked), address=asked.address or OPENAI)


def close() -> None:
    """End what the rules still work on, at the end of this process."""
    processes.close()
