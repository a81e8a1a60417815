"""Finds what stands before a wish in a talk, and is meant by it: "I'm vegan. Remember that", "delete that, please"."""

import re
from collections.abc import Sequence

from echovessel import text
from echovessel.llm.offline.extraction import answered
from echovessel.llm.offline.text import lexicon, passages, sentences, slots
from echovessel.llm.offline.text.passages import Passage
from memory.facts.rules import letting_go
from memory.facts.rules.requests import Remembering

# A line before a wish says something: so many terms. It is taken whole up to so many characters.
_TERMS = 2
_WHOLE_LINE = 200
# "I can't eat nuts, please remember that."
_PLEASE = re.compile(r"[\s,]+(?:(?:and|so|please)[\s,]*)+$", re.IGNORECASE)
OF_SELF = re.compile(r"\W*(?:(?:i|we|im|my|our)(?:['’]\w+)?\s|我)", re.IGNORECASE)
# "How I voted is nobody's business": no question, and it names what was told.
_NAMES_OWN = re.compile(r"\W*(?:what|who|how|where|when|why|which)\b[^?]* (?:i|my|we|our)\b[^?]*\.?$", re.IGNORECASE)
# "Don't remember this. I was fired" speaks of what follows, unless that gives the reason: "I was only joking".
_ANNOUNCES = re.compile(r"\bthis\W*$", re.IGNORECASE)
_REASON = re.compile(
    r"\W*i(?:['’]m| am| was|['’]d| would)? (?:just|only|rather|not|\w+n['’]t|do not|regret|feel|changed)\b",
    re.IGNORECASE,
)


def find(asked: Remembering, before: str, earlier: Sequence[str]) -> tuple[str, int | None]:
    """Return what shall be remembered: the words behind the wish, else those before it, else the last line that says something.
    Words that answer the question of the line before are taken with it.

    The second value is the position of that line, None for the line of the wish.
    """
    for answer in (asked.said, _PLEASE.sub("", asked.before), before) if earlier else ():
        if said := answered.complete(answer, earlier[-1]):
            return said, len(earlier) - 1
    if asked.said:
        return asked.said, None
    for here in (_PLEASE.sub("", asked.before), before):
        if said := find_statement(here):
            return said, None
    for position in range(len(earlier) - 1, -1, -1):
        if said := find_statement(earlier[position]):
            return said, position
    return "", None


def find_statement(said: str) -> str:
    """Return what a text states: all of a short one, else its last sentence; "" where that says nothing."""
    told = [
        one
        for one in passages.split_statements(said)
        if says_something(one) or (OF_SELF.match(one) and text.extract_terms(one))
    ]
    whole = " ".join(told)
    return whole if len(whole) <= _WHOLE_LINE else told[-1] if told else ""


def says_something(said: str) -> bool:
    return len(text.extract_terms(said)) >= _TERMS or slots.read_slot(said) is not None


def find_lead(clauses: Sequence[str]) -> str:
    """Return what the clauses before a wish tell of the user; "" where they only name what was told: "the visa matter"."""
    is_telling = clauses and OF_SELF.match(clauses[0]) and not letting_go.is_of_telling(clauses[0])
    return ", ".join(clause.strip() for clause in clauses) if is_telling else ""


def find_pointed(wish: Passage, lines: Sequence[str]) -> str:
    """Return what a wish to forget points to: what the last of the lines tells before it, or announces by it, or what was told last."""
    behind = sentences.split(lexicon.normalise(lines[-1]).partition(wish.text)[2].lstrip(" .!"))[:1]
    told = "".join(behind) if _ANNOUNCES.search(wish.text) else ""
    is_of_self = OF_SELF.match(told) and says_something(told) and not _REASON.match(told)
    return find_last(wish.before, [*lines[:-1], told] if is_of_self else lines[:-1])


def find_last(before: str, earlier: Sequence[str]) -> str:
    named = next((one for one in reversed(sentences.split(before)) if _NAMES_OWN.match(one)), "")
    told = find_statement(before) or named
    return told or next(filter(None, map(find_statement, reversed(earlier))), "")
