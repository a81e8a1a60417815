"""Finds whom a cue of feeling speaks of, by the people and animals named around it."""

import re
from collections.abc import Iterable

from echovessel.llm.offline.english import vocabulary as english
from echovessel.llm.offline.feeling_types import Party
from echovessel.llm.offline.text.mentions import PARTY_OF_CONCEPT, Known, Mention
from echovessel.llm.offline.text.mentions.chinese import find_chinese_mentions
from echovessel.llm.offline.text.mentions.english import find_english_mentions

_EX = re.compile(r"\b[Ee]x(?:-\w+)?,? ([A-Z][a-z]+)\b")


def choose_party(concepts: set[str]) -> Party | None:
    """Return the party nearest to the user among these kin and pets."""
    order = [*Party]
    found = [PARTY_OF_CONCEPT.get(concept, Party.PET if concept in english.PETS else None) for concept in concepts]
    return min((party for party in found if party), key=order.index, default=None)


def find_mentions(text: str, *, in_chinese: bool, known: Known) -> list[Mention]:
    """Return all mentions in the order of the text; a thing in a person's place is NOBODY."""
    find = find_chinese_mentions if in_chinese else find_english_mentions
    return sorted(find(text, known), key=lambda mention: (mention.end, mention.party == Party.NOBODY))


def name_exes(text: str, told: Iterable[str]) -> str:
    """Return a text with "my ex" before whoever was told to be one: nobody is congratulated on their wedding."""
    for name in {name for line in told for name in _EX.findall(line)}:
        text = re.sub(rf"(?<!ex )\b{name}\b", f"my ex {name}", text, flags=re.IGNORECASE)
    return text
