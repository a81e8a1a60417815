"""How a companion answers, as its owner set it: model, temperature, top p, the longest reply, and how long replies are.

What is empty is as everywhere on the install.
"""

from echovessel.errors import CodedError
from echovessel.llm import connection, discovery
from echovessel.llm.errors import LLMError
from echovessel.llm.protocol import ReplyOptions
from echovessel.postgres.threads import release_connection
from personas.models import Persona

TEMPERATURE_MOST = 2.0
TOP_P_LEAST, TOP_P_MOST = 0.01, 1.0
TOKENS_LEAST, TOKENS_MOST = 16, 32_000
MODEL_CHARACTERS = 200
# How many models a sentence names.
NAMED_MOST = 12


NAMES = ("model", "temperature", "top_p", "tokens", "length")


class UnknownModelError(CodedError):
    """The connected server has no such model."""


def get_settings(persona: Persona) -> dict[str, str | float | None]:
    """Return the settings by name; null for those that are not set."""
    stored = {name: getattr(persona, f"answer_{name}") for name in NAMES}
    return {name: None if value == "" else value for name, value in stored.items()}


def build_options(persona: Persona) -> ReplyOptions:
    """Return what a reply of the persona is asked for with."""
    return ReplyOptions(
        model=persona.answer_model,
        temperature=persona.answer_temperature,
        top_p=persona.answer_top_p,
        max_tokens=persona.answer_tokens,
    )


def check_model(name: str) -> None:
    """Raise UnknownModelError if the connected server lists its models, and this is none of them. It asks the server."""
    asked = connection.get_active()
    if not name or asked is None:
        return
    release_connection()
    try:
        listed = discovery.list_all_models(asked)
    except LLMError:
        # Some servers list nothing; a model that they do not have is found out at the first reply.
        return
    if listed and name not in listed:
        more = ", …" if len(listed) > NAMED_MOST else ""
        raise UnknownModelError(
            "invalid",
            "The model server has no model “%(name)s”. It has: %(listed)s.",
            name=name,
            listed=", ".join(listed[:NAMED_MOST]) + more,
        )


def list_models() -> list[str]:
    """List the models of the connected server for a menu; none where it does not tell."""
    asked = connection.get_active()
    if asked is None:
        return []
    release_connection()
    try:
        return discovery.list_models(asked, seconds=discovery.HERE_SECONDS)
    except LLMError:
        return []
