"""What calls cost, where that is known: nothing without a model server, and OpenAI's list prices at OpenAI."""

from echovessel.llm import connection
from echovessel.llm.connection import OPENAI
from echovessel.llm.server import OpenAIServer

# US dollars for a million tokens in and out.
_DOLLARS = {
    "gpt-4o": (2.50, 10.00),
    "gpt-4o-mini": (0.15, 0.60),
    "gpt-4.1": (2.00, 8.00),
    "gpt-4.1-mini": (0.40, 1.60),
    "gpt-4.1-nano": (0.10, 0.40),
}
_MILLION = 1_000_000


def cost(*, feature: str, tokens_in: int, tokens_out: int) -> float | None:
    """US dollars for calls of a feature that take so many tokens; None where the prices are not known."""
    asked = connection.in_force()
    if asked is None:
        return 0.0
    dollars = _DOLLARS.get(OpenAIServer(asked).model_of(feature))
    if asked.address not in ("", OPENAI) or dollars is None:
        return None
    return round((tokens_in * dollars[0] + tokens_out * dollars[1]) / _MILLION, 4)
