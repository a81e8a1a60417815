"""Who answers: the model server where one is set, else the offline voice."""

from functools import cache

from django.conf import settings

from echovessel.llm.ledger import Recorded
from echovessel.llm.offline.voice import OfflineVoice
from echovessel.llm.protocol import LLM
from echovessel.llm.server import OpenAIServer


def current() -> LLM:
    return _server() if settings.MODEL_SERVER else fallback()


@cache
def fallback() -> LLM:
    """The offline voice, for when the model server has failed for good."""
    return Recorded(OfflineVoice())


@cache
def _server() -> LLM:
    return Recorded(OpenAIServer())
