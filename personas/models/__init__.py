from personas.models.accounts import AccessLog, Install, RateCount, SignIn, User
from personas.models.bonds import (
    BLOCK_CHARACTERS,
    MOOD_LASTS,
    NEUTRAL_ENERGY,
    NEUTRAL_MOOD,
    BlockRevision,
    Bond,
    CoreBlock,
)
from personas.models.personas import Persona, PersonaFacts

__all__ = [
    "BLOCK_CHARACTERS",
    "MOOD_LASTS",
    "NEUTRAL_ENERGY",
    "NEUTRAL_MOOD",
    "AccessLog",
    "BlockRevision",
    "Bond",
    "CoreBlock",
    "Install",
    "Persona",
    "PersonaFacts",
    "RateCount",
    "SignIn",
    "User",
]
