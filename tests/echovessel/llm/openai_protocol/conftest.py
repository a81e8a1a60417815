import pytest

from tests.support.model_server import ModelServer


@pytest.fixture
def model_server(settings):
    with ModelServer() as server:
        settings.MODEL_SERVER, settings.OPENAI_API_KEY, settings.OPENAI_BASE_URL = True, "sk-secret", server.url
        settings.LLM_MODELS = {"main": "big", "medium": "mid", "small": "tiny"}
        yield server
