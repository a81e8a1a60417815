"""Character cards of the versions 1, 2 and 3, from https://github.com/malfoyslastname/character-card-spec-v2 and its kin."""

from typing import Any

from echovessel.materials.decoding import decoded
from echovessel.materials.json_texts import parsed
from echovessel.materials.material import Material, MaterialError
from echovessel.materials.png import CARD_MOST, TOO_LARGE
from echovessel.texts import storable

# A card has some hundred values; each takes memory far beyond its bytes.
VALUES_MOST = 500_000
# What tells a large card from the JSON of a chat export, which is read in another way.
SPEC = '"chara_card_v'
SPEAKS_OF = ("description", "personality", "scenario", "first_mes", "mes_example")
# As headings, in the order in which a reader meets them.
SECTIONS = {
    "description": "Description",
    "personality": "Personality",
    "scenario": "Scenario",
    "first_mes": "First message",
    "mes_example": "Example dialogue",
    "creator_notes": "Creator's notes",
    "system_prompt": "Instructions",
    "post_history_instructions": "Further instructions",
}


def material(content: bytes) -> Material:
    """A card that is known to be one. Raises MaterialError."""
    if len(content) > CARD_MOST:
        raise MaterialError("too_long", TOO_LARGE)
    card = found(decoded(content))
    if card is None:
        raise MaterialError("invalid", "The character card in this file is broken.")
    return as_material(card)


def found(text: str) -> dict[str, Any] | None:
    """The fields of a card, whatever its version; None where the JSON is something else. Raises MaterialError."""
    if not text.lstrip().startswith("{"):
        return None
    if len(text) > CARD_MOST:
        if SPEC in text:
            raise MaterialError("too_long", TOO_LARGE)
        return None
    card = parsed(text, most=VALUES_MOST)
    inner = card.get("data")
    if str(card.get("spec", "")).startswith("chara_card") and isinstance(inner, dict):
        return inner
    is_first_version = isinstance(card.get("name"), str) and sum(name in card for name in SPEAKS_OF) >= 2
    return card if is_first_version else None


def as_material(card: dict[str, Any]) -> Material:
    return Material("card", written_out(card), card=card)


def written_out(card: dict[str, Any]) -> str:
    """A card as text with headings, its lore included."""
    parts = [f"# {text(card, 'name')}"]
    parts += [f"## {heading}\n{said}" for name, heading in SECTIONS.items() if (said := text(card, name))]
    parts += [f"## {names}\n{said}" for names, said in lore(card)]
    return "\n\n".join(parts)


def lore(card: dict[str, Any]) -> list[tuple[str, str]]:
    """What the card's book tells, each entry by its keys."""
    book = card.get("character_book")
    entries = book.get("entries") if isinstance(book, dict) else None
    kept = [entry for entry in entries if isinstance(entry, dict)] if isinstance(entries, list) else []
    told = [(keys_of(entry), text(entry, "content")) for entry in kept if entry.get("enabled", True)]
    return [(keys, said) for keys, said in told if said]


def keys_of(entry: dict[str, Any]) -> str:
    keys = entry.get("keys")
    named = [key for key in keys if isinstance(key, str)] if isinstance(keys, list) else []
    return storable(", ".join(named)) or "Lore"


def text(holder: dict[str, Any], name: str) -> str:
    """A field that should be text; anything else is as if it were missing."""
    value = holder.get(name)
    return storable(value).strip() if isinstance(value, str) else ""
