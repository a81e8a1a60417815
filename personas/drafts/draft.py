from collections.abc import Mapping
from dataclasses import dataclass, field

from personas.cards.card import Card
from personas.models import Persona


@dataclass(frozen=True, kw_only=True)
class Draft:
    """A proposed persona for review. `avatar` comes from `avatars.redraw`, or is empty."""

    name: str = ""
    tagline: str = ""
    language: str = Persona.Language.ENGLISH
    persona: str = ""
    user: str = ""
    style: str = ""
    scenario: str = ""
    examples: str = ""
    facts: Mapping[str, str] = field(default_factory=dict)
    greetings: tuple[str, ...] = ()
    starters: tuple[str, ...] = ()
    notes: str = ""
    # The character card that it was made from.
    card: Card | None = None
    avatar: bytes = b""
