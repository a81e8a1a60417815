import pytest

from echovessel.llm import discovery
from echovessel.llm.connection import Connection
from echovessel.llm.discovery import FoundServer
from echovessel.llm.errors import BadAnswerError, ModelTimeoutError, ModelUnavailableError
from echovessel.llm.presets import KnownServer
from tests.support.model_server import ModelServer


@pytest.fixture
def server():
    with ModelServer() as server:
        server.models = ["qwen2.5:7b", "nomic-embed-text", "llama3.1:8b"]
        yield server


def asked(server):
    return Connection(address=server.url, key="sk-secret", main="")


def test_a_server_lists_its_models(server):
    assert discovery.list_models(asked(server)) == ["llama3.1:8b", "nomic-embed-text", "qwen2.5:7b"]


@pytest.mark.parametrize(
    ("behaviour", "error"),
    [
        ({"kind": "status", "status": 401}, ModelUnavailableError),
        ({"kind": "garbage"}, BadAnswerError),
        ({"kind": "huge"}, BadAnswerError),
        ({"kind": "hang"}, ModelTimeoutError),
        ({"kind": "drip"}, ModelTimeoutError),
    ],
    ids=lambda value: value["kind"] if isinstance(value, dict) else "",
)
def test_a_list_that_cannot_be_had_is_told_as_a_reply_is(behaviour, error, server):
    server.script.append(behaviour | {"feature": "models"})

    with pytest.raises(error):
        discovery.list_models(asked(server), seconds=0.5 if error is ModelTimeoutError else 20)


def test_what_runs_here_is_found(server, monkeypatch):
    with ModelServer() as gone, ModelServer() as empty:
        gone.shutdown()
        gone.server_close()
        places = [KnownServer(name, name, one.url) for name, one in {"a": server, "b": gone, "c": empty}.items()]
        monkeypatch.setattr(discovery, "LOCAL_PROGRAMS", tuple(places))
        monkeypatch.setattr(discovery, "HERE_SECONDS", 20.0)

        found = discovery.find_local()

        assert found == [FoundServer(places[0], sorted(server.models)), FoundServer(places[2], [])]
        assert [one.suggested for one in found] == ["llama3.1:8b", ""]
        assert (discovery.probe_slug("a"), discovery.probe_slug("b"), discovery.probe_slug("z")) == (
            found[0],
            None,
            None,
        )


def test_what_is_silent_holds_nobody_up(server, monkeypatch):
    server.will("hang", feature="models")
    monkeypatch.setattr(discovery, "LOCAL_PROGRAMS", (KnownServer("ollama", "Ollama", server.url),))
    monkeypatch.setattr(discovery, "HERE_SECONDS", 0.3)

    assert discovery.find_local() == []


def test_places_are_on_this_machine():
    assert [place.address for place in discovery.LOCAL_PROGRAMS] == [
        "http://127.0.0.1:11434/v1",
        "http://127.0.0.1:8080/v1",
        "http://127.0.0.1:1234/v1",
    ]
