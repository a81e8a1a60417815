"""Mentions of people and animals, and what is known of them before a sentence."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache

from echovessel.llm.offline.feeling_types import Party

# How many patterns of names are cached: anybody may tell of anybody.
_NAMES_KEPT = 4096
PARTY_OF_CONCEPT = {
    **dict.fromkeys(("wife", "husband", "partner"), Party.PARTNER),
    **dict.fromkeys(("daughter", "son", "child"), Party.CHILD),
    **dict.fromkeys(("mother", "father", "sister", "brother", "parents"), Party.CLOSE),
    **dict.fromkeys(("grandmother", "grandfather", "aunt", "uncle", "cousin", "niece", "in-law"), Party.KIN),
    **dict.fromkeys(("friend", "teacher"), Party.FRIEND),
    **dict.fromkeys(("colleague", "boss", "neighbour"), Party.FAR),
}
FAMILY = {Party.PARTNER, Party.CHILD, Party.CLOSE, Party.KIN}
# A colleague's mother is farther than one's own.
PARTY_OF_SOMEBODYS = {
    **dict.fromkeys(FAMILY, Party.KIN),
    Party.SELF: Party.SELF,
    Party.FRIEND: Party.INDIRECT,
    Party.NAMED: Party.INDIRECT,
    Party.INDIRECT: Party.FAR,
}


@dataclass(frozen=True)
class Mention:
    party: Party
    start: int
    end: int
    # Said outright to be the user or theirs ("I", "my mother"), as against "the mother", "she", a bare name.
    is_own: bool


@dataclass(frozen=True)
class Known:
    """What was said before: the party of each name, and of the person "she" refers to."""

    names: Mapping[str, Party] = field(default_factory=dict)
    referent: Party | None = None


# A match whose party is not known yet, or a mention with whether the sentence is about them and not about what they own.
Hit = re.Match[str] | tuple[Mention, bool]
_WITH_THING = re.compile(r"'s [a-z]+\b(?<!funeral)")


def find_known(text: str, known: Known) -> Iterator[tuple[Mention, bool]]:
    for name, party in known.names.items():
        for match in re.finditer(_compile_name(name), text, re.IGNORECASE):
            of_them = not _WITH_THING.match(text, match.end())
            yield Mention(party, match.start(), match.end(), is_own=True), of_them


def is_named(name: str, text: str) -> bool:
    return bool(re.search(_compile_name(name), text, re.IGNORECASE))


@lru_cache(maxsize=_NAMES_KEPT)
def _compile_name(name: str) -> str:
    return rf"\b{re.escape(name)}\b" if name.isascii() else re.escape(name)


def find_end(said: Hit) -> int:
    return said.end() if isinstance(said, re.Match) else said[0].end
