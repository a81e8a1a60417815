"""A character card, read and checked: its texts with their placeholders, its lore, and what is only kept."""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any

from personas.models.lore import DEFAULT_ORDER

EXTENSION = "echovessel"


@dataclass(frozen=True, kw_only=True)
class Lore:
    """An entry of a card's lore book. `kept` has the entry's fields as they came, without keys and content."""

    keys: list[str] = field(default_factory=list)
    secondary_keys: list[str] = field(default_factory=list)
    content: str = ""
    constant: bool = False
    enabled: bool = True
    selective: bool = False
    case_sensitive: bool | None = None
    use_regex: bool = False
    priority: int | None = None
    insertion_order: int = DEFAULT_ORDER
    kept: Mapping[str, Any] = field(default_factory=dict)


# The fields of an entry that have a meaning here, besides keys and content.
LORE_SETTINGS = tuple(one.name for one in fields(Lore) if one.name not in ("keys", "content", "kept"))


@dataclass(frozen=True, kw_only=True)
class Card:
    name: str = ""
    nickname: str = ""
    description: str = ""
    personality: str = ""
    scenario: str = ""
    examples: str = ""
    greetings: list[str] = field(default_factory=list)
    lore: list[Lore] = field(default_factory=list)
    # What this program does not use, by field of the card; `character_book` without its entries.
    kept: Mapping[str, Any] = field(default_factory=dict)
    # What EchoVessel itself wrote into the card: tagline, language, facts, starters.
    own: Mapping[str, Any] = field(default_factory=dict)
