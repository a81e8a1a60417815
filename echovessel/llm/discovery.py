"""Lists the models of a server, and finds servers on this machine, when an operator asks."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from echovessel.llm.connection import Connection
from echovessel.llm.errors import LLMError
from echovessel.llm.presets import LOCAL_PROGRAMS, KnownServer

OFFERS_SECONDS = 5.0
HERE_SECONDS = 1.0
OFFERED_MOST = 200


@dataclass(frozen=True)
class FoundServer:
    place: KnownServer
    models: list[str]

    @property
    def suggested(self) -> str:
        """Return the first model that looks like a chat model."""
        return next((name for name in self.models if "embed" not in name.lower()), "")


def find_local() -> list[FoundServer]:
    """Return the servers that answer on this machine within about a second."""
    with ThreadPoolExecutor(len(LOCAL_PROGRAMS)) as threads:
        return [found for found in threads.map(probe, LOCAL_PROGRAMS) if found is not None]


def probe_slug(slug: str) -> FoundServer | None:
    """Return the known server of this slug, if it answers now."""
    place = next((place for place in LOCAL_PROGRAMS if place.slug == slug), None)
    return None if place is None else probe(place)


def probe(place: KnownServer) -> FoundServer | None:
    try:
        return FoundServer(place, list_models(Connection(address=place.address, key="", main=""), seconds=HERE_SECONDS))
    except LLMError:
        return None


def list_models(asked: Connection, *, seconds: float = OFFERS_SECONDS) -> list[str]:
    """Return the models that a server lists, sorted by name, as many as a menu shows. Raises LLMError."""
    return list_all_models(asked, seconds=seconds)[:OFFERED_MOST]


def list_all_models(asked: Connection, *, seconds: float = OFFERS_SECONDS) -> list[str]:
    """Return all models that a server lists, sorted by name. Raises LLMError."""
    from echovessel.llm.openai_protocol.server import OpenAIServer

    server = OpenAIServer(asked)
    server.connect_limit = server.answer_limit = seconds
    return sorted(server.list_models())
