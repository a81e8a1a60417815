"""Character cards of versions 1, 2 and 3: https://github.com/malfoyslastname/character-card-spec-v2 and its successor."""

from typing import Any

from echovessel.materials.decoding import decode_text
from echovessel.materials.json_texts import parse_json
from echovessel.materials.material import Material, MaterialError
from echovessel.materials.png import CARD_MOST, TOO_LARGE
from echovessel.text import strip_unstorable

# A card has some hundred values; each takes much more memory than its bytes.
VALUES_MOST = 500_000
# It distinguishes a large card from a chat export, which is parsed differently.
SPEC_MARK = '"chara_card_v'
DESCRIBING_FIELDS = ("description", "personality", "scenario", "first_mes", "mes_example")
# Headings, in the order in which they are shown.
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
    """Parse a file that must be a card. Raises MaterialError."""
    if len(content) > CARD_MOST:
        raise MaterialError("too_long", TOO_LARGE)
    card = find_card(decode_text(content))
    if card is None:
        raise MaterialError("invalid", "The character card in this file is broken.")
    return to_material(card)


def find_card(text: str) -> dict[str, Any] | None:
    """Return the fields of a card of any version, or None if the JSON is no card. Raises MaterialError."""
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
    parts = [f"# {get_text(card, 'name')}"]
    parts += [f"## {heading}\n{said}" for name, heading in SECTIONS.items() if (said := get_text(card, name))]
    parts += [f"## {names}\n{said}" for names, said in list_lore(card)]
    return "\n\n".join(parts)


def list_lore(card: dict[str, Any]) -> list[tuple[str, str]]:
    """Return the entries of the card's lorebook with their keys."""
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
    """Return a text field, or nothing if it is missing or no text."""
    value = holder.get(name)
    return strip_unstorable(value).strip() if isinstance(value, str) else ""
