"""Weighs which fact a message may be about that tells that something holds no longer, whatever words it does so in."""

import re
from collections.abc import Sequence

from echovessel import text
from echovessel.llm.offline.text import passages
from memory.facts.checks import values, wording

# A word that a message shares with a fact counts as so much of a cosine.
SHARED_WORD = 0.1
# No message that tells of a change is nearer to the fact.
NEAREST = 0.8
_BEHIND_ARTICLE = re.compile(r"\b(?:[Tt]he|[Aa]n?|[Tt]his|[Tt]hat) ([a-z][\w-]*)")
_CLAUSES = re.compile(
    r"[,，;；.。!！]\s*|\s[–—-]+\s|(?<=[\u4e00-\u9fff])\s+(?=[\u4e00-\u9fff])|\s(?:so|and|but|because)\s"
)


def choose(known: Sequence[tuple[str, float]], said: str) -> tuple[int, tuple[float, float]] | None:
    """Choose which of facts, each with its cosine, a message is about: it is nearest, or shares a word with it.

    Returns its place, its cosine, and 1 for a shared word, else 0; None where the message only says again what the fact tells.
    """
    abouts = [(cosine, float(shares_word(told, said))) for told, cosine in known]
    at = max(range(len(known)), key=lambda place: abouts[place][0] + SHARED_WORD * abouts[place][1], default=None)
    if at is None:
        return None
    told = known[at][0]
    is_again = wording.tells(said, told) and wording.is_negated(said) == wording.is_negated(told)
    return None if is_again else (at, abouts[at])


def is_of_others(told: str, said: str) -> bool:
    """Whether the clause of a message that shares a word with a fact tells what somebody said, or of people of whom the fact does not tell:
    "my flatmate dropped law".
    """
    clause = next((one for one in _CLAUSES.split(said) if shares_word(told, one)), said)
    is_of_same = wording.names_no_others(clause, told) and values.names_no_owner(told, clause)
    return passages.is_reported(clause) or not is_of_same


def shares_word(told: str, said: str) -> bool:
    """Whether a message holds a word of a fact, of Chinese a pair of its characters. "The pudding" is no rabbit called Pudding."""
    if text.has_cjk(told):
        return any(pair in said for pair in wording.list_pairs(told))
    names = {text.stem(word) for word, is_name in text.split_words(told) if is_name} - list_common(told.lower())
    others = names & list_common(said)
    words = wording.list_firm_words(said)
    return any(wording.holds_words(words, [word]) for word in wording.list_firm_words(told) if word not in others)


def list_common(said: str) -> set[str]:
    """List the words that stand behind an article, and without a capital: they name nobody."""
    return {text.stem(word) for word in _BEHIND_ARTICLE.findall(said)}
