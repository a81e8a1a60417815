"""Compare two texts by their names, numbers and words.

Embedding models place texts that differ in one name or number as near as true repetitions. So nearness selects
candidates, and the names, numbers and words of both texts decide. In doubt both stay: one row too many loses nothing,
one too few loses a fact.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from echovessel import text
from memory.entities import kinship_terms, lookup
from personas.models import Bond

NEGATION = re.compile(r"\b(?:no|not|never|none|nobody|nothing|without|cannot|no longer)\b|n't\b|[不没未别无]")


@dataclass(frozen=True)
class ComparableFacts:
    """The facts of a text that a repetition must share, in the same order."""

    who: tuple[str, ...]
    kin: tuple[str, ...]
    numbers: tuple[str, ...]
    is_negated: bool
    words: tuple[str, ...] = field(compare=False)
    # The capitalised words that are in no known name.
    capitalised: frozenset[str] = field(compare=False)

    def is_same_as(self, other: "ComparableFacts") -> bool:
        named = self.capitalised | other.capitalised
        both = self.capitalised & other.capitalised
        return (
            self == other
            and named <= {*self.words} & {*other.words}
            and self.select_words(both) == other.select_words(both)
        )

    def holds_all_of(self, other: "ComparableFacts") -> bool:
        """Whether the names and numbers of another text all stand in this one too."""
        return (
            {*other.who} <= {*self.who}
            and {*other.kin} <= {*self.kin}
            and {*other.numbers} <= {*self.numbers}
            and other.capitalised <= {*self.words}
        )

    def select_words(self, words: frozenset[str]) -> list[str]:
        return list(dict.fromkeys(word for word in self.words if word in words))


def extract_facts(description: str, *, bond: Bond, names: Mapping[str, str]) -> ComparableFacts:
    """Extract what two texts must share to say the same; `names` maps folded names to entities, beside the bond's own."""
    folded = text.fold(description).replace("’", "'")
    by_answer = {name: whom for name, whom in names.items() if text.contains_name(folded, name)}
    by_bond = {text.fold(name): f"entity {one.pk}" for one, name in lookup.find_named(bond=bond, said=description)}
    themselves = (bond.user.username, bond.user.shown_name, bond.persona.name)
    known_words = {word for name in (*by_answer, *by_bond, *map(text.fold, themselves)) for word in name.split()}
    words = text.split_words(description)
    return ComparableFacts(
        who=sort_by_place({whom: folded.find(name) for name, whom in {**by_answer, **by_bond}.items()}),
        kin=sort_by_place(kinship_terms.find_kin(folded)),
        numbers=text.find_numbers(folded),
        is_negated=NEGATION.search(folded) is not None,
        words=tuple(word for word, _ in words),
        capitalised=frozenset(word for word, is_name in words if is_name and word not in known_words),
    )


def sort_by_place(places: Mapping[str, int]) -> tuple[str, ...]:
    return tuple(sorted(places, key=lambda key: (places[key], key)))


def is_either_replaced(one: str, other: str) -> bool:
    """Whether each of two Chinese texts holds characters of meaning that the other lacks: one name may replace another.

    Chinese names cannot be told from other words, so no replacement is allowed.
    """
    a, b = (set(filter(text.has_cjk, text.extract_terms(description))) for description in (one, other))
    return bool({term for term in a - b if len(term) == 1} and {term for term in b - a if len(term) == 1})
