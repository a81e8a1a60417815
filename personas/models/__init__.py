from personas.models.accounts import AccessLog, ApiToken, Install, RateCount, SignIn, User
from personas.models.bonds import (
    BLOCK_CHARACTERS,
    MOOD_LASTS,
    NEUTRAL_ENERGY,
    NEUTRAL_MOOD,
    BlockRevision,
    Bond,
    BondRowQuerySet,
    CoreBlock,
)
from personas.models.lore import KeptCard, LoreEntry
from personas.models.openings import (
    GREETING_CHARACTERS,
    GREETINGS_MOST,
    STARTER_CHARACTERS,
    STARTERS_MOST,
    Opening,
    OpeningRevision,
)
from personas.models.personas import Persona, PersonaFacts

__all__ = [
    "BLOCK_CHARACTERS", "GREETINGS_MOST", "GREETING_CHARACTERS", "MOOD_LASTS", "NEUTRAL_ENERGY", "NEUTRAL_MOOD",
    "STARTERS_MOST", "STARTER_CHARACTERS", "AccessLog", "ApiToken", "BlockRevision", "Bond", "BondRowQuerySet",
    "CoreBlock", "Install", "KeptCard", "LoreEntry", "Opening", "OpeningRevision", "Persona", "PersonaFacts",
    "RateCount", "SignIn", "User",
]  # fmt: skip
