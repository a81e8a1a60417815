"""Character cards of the versions 1, 2 and 3, from https://github.com/malfoyslastname/character-card-spec-v2 and its kin."""

from typing import Any

from echovessel.materials.decoding import decode_text
from echovessel.materials.json_texts import parse_json
from echovessel.materials.material import Material, MaterialError
from echovessel.materials.png import CARD_MOST, TOO_LARGE
from echovessel.texts import strip_unstorable

# A card has some hundred values; each takes memory far beyond its bytes.
VALUES_MOST = 500_000
# What tells a large card from the JSON of a chat export, which is read in another way.
SPEC_MARK = '"chara_card_v'
DESCRIBING_FIELDS = ("description", "personality", "scenario", "first_mes", "mes_example")
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


def parse_card(content: bytes) -> Material:
    """A card that is known to be one. Raises MaterialError."""
    if len(content) > CARD_MOST:
        raise MaterialError("too_long", TOO_LARGE)
    card = find_card(decode_text(content))
    if card is None:
        raise MaterialError("invalid", "The character card in this file is broken.")
    return to_material(card)


def find_card(text: str) -> dict[str, Any] | None:
    """The fields of a card, whatever its version; None where the JSON is something else. Raises MaterialError."""
    if not text.lstrip().startswith("{"):
        return None
    if len(text) > CARD_MOST:
        if SPEC_MARK in text:
            raise MaterialError("too_long", TOO_LARGE)
        return None
    card = parse_json(text, most=VALUES_MOST)
    inner = card.get("data")
    if str(card.get("spec", "")).startswith("chara_card") and isinstance(inner, dict):
        return inner
    is_first_version = isinstance(card.get("name"), str) and sum(name in card for name in DESCRIBING_FIELDS) >= 2
    return card if is_first_version else None


def to_material(card: dict[str, Any]) -> Material:
    return Material("card", format_card(card), card=card)


def format_card(card: dict[str, Any]) -> str:
    """A card as text with headings, its lore included."""
    parts = [f"# {get_text(card, 'name')}"]
    parts += [f"## {heading}\n{said}" for name, heading in SECTIONS.items() if (said := get_text(card, name))]
    parts += [f"## {names}\n{said}" for names, said in list_lore(card)]
    return "\n\n".join(parts)


def list_lore(card: dict[str, Any]) -> list[tuple[str, str]]:
    """What the card's book tells, each entry by its keys."""
    book = card.get("character_book")
    entries = book.get("entries") if isinstance(book, dict) else None
    kept = [entry for entry in entries if isinstance(entry, dict)] if isinstance(entries, list) else []
    told = [(format_keys(entry), get_text(entry, "content")) for entry in kept if entry.get("enabled", True)]
    return [(keys, said) for keys, said in told if said]


def format_keys(entry: dict[str, Any]) -> str:
    keys = entry.get("keys")
    named = [key for key in keys if isinstance(key, str)] if isinstance(keys, list) else []
    return strip_unstorable(", ".join(named)) or "Lore"


def get_text(holder: dict[str, Any], name: str) -> str:
    """A field that should be text; anything else is as if it were missing."""
    value = holder.get(name)
    return strip_unstorable(value).strip() if isinstance(value, str) else ""
