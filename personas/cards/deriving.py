"""What a companion has that a card does not say, as it follows from the card's texts."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from personas.cards.card import Card
from personas.models import STARTER_CHARACTERS, STARTERS_MOST, Persona

TAGLINE_MOST = 120
_HAN = re.compile(r"[\u4e00-\u9fff]")
# One Chinese character counts as much as a word of five letters.
_HAN_PART = 1 / 6


def detect_language(text: str) -> str:
    is_chinese = len(_HAN.findall(text)) > _HAN_PART * len(text)
    return str(Persona.Language.CHINESE if is_chinese else Persona.Language.ENGLISH)


@dataclass(frozen=True)
class Further:
    """What EchoVessel keeps of a companion beside the fields of a card."""

    tagline: str
    language: str
    facts: Mapping[str, str]
    starters: tuple[str, ...] = ()


def derive(card: Card) -> Further:
    """Return what a card of another program says of these."""
    personality = " ".join(card.personality.split())
    is_plain = len(personality) <= TAGLINE_MOST and not re.search(r"\{\{|<", personality)
    return Further(
        tagline=personality if is_plain else "",
        language=detect_language(card.description),
        facts={"full_name": card.name} if card.name else {},
    )


def read_starters(value: Any) -> tuple[str, ...]:
    given = value if isinstance(value, list) else []
    lines = [" ".join(one.split()) for one in given if isinstance(one, str)]
    return tuple(line for line in lines if 0 < len(line) <= STARTER_CHARACTERS)[:STARTERS_MOST]
