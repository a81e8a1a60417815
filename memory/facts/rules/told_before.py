"""Finds what stands before a wish in a talk, and is meant by it: "I'm vegan. Remember that", "delete that, please"."""

import re
from collections.abc import Sequence

from echovessel import text
from echovessel.llm.offline.extraction import answered
from echovessel.llm.offline.text import lexicon, passages, sentences, slots
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
# A wish that speaks of what follows, unless that gives its reason: "I was only joking". 不用记了 speaks of what was said.
_ANNOUNCES = re.compile(
    r"\bthis\W*$"
    r"|^\W*(?:(?:[跟和]你)?说[个件]事)?(?:这(?:件?事|[个些话])?)?[你您可千万就先也都请]*(?:别|不要)(?:往心里|给我)*记[住着下]?(?:这(?:件?事|[个些话]))?[啊哦呀吧哈]*\W*$",
    re.IGNORECASE,
)
_REASON = re.compile(
    r"\W*(?:i(?:['’]m| am| was|['’]d| would)? (?:just|only|rather|not|\w+n['’]t|do not|regret|feel|changed)\b|我(?:只是|就是|就|随|瞎|乱|不|怕|后悔|觉得|开))",
    re.IGNORECASE,
)
_MARKS = " ,.:!，。：！"


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
    is_small_talk = sentences.is_small_talk(said)
    return (len(text.extract_terms(said)) >= _TERMS and not is_small_talk) or slots.read_slot(said) is not None


def find_lead(clauses: Sequence[str]) -> str:
    """Return what the clauses before a wish tell of the user; "" where they only name what was told: "the visa matter"."""
    is_telling = clauses and OF_SELF.match(clauses[0]) and not letting_go.is_of_telling(clauses[0])
    return ", ".join(clause.strip() for clause in clauses) if is_telling else ""


def find_last(before: str, earlier: Sequence[str]) -> str:
    named = next((one for one in reversed(sentences.split(before)) if _NAMES_OWN.match(one)), "")
    told = find_statement(before) or named
    return told or next(filter(None, map(find_statement, reversed(earlier))), "")


def find_announced(line: str) -> str:
    """Return what a line tells of the user behind a wish to forget that only points: "Don't remember this. I was fired"; "" where that
    is its reason, or something stands before it.
    """
    told = sentences.split(lexicon.normalise(line))
    for at, sentence in enumerate(told):
        lead: list[str] = []
        for clause in letting_go.MARK.split(sentence):
            if letting_go.lets_go(clause) and _ANNOUNCES.search(clause):
                rest = sentence.partition(clause)[2].strip(_MARKS) or next(iter(told[at + 1 :]), "")
                is_told = OF_SELF.match(rest) and says_something(rest) and not _REASON.match(rest)
                stands_before = find_statement(" ".join(told[:at])) or any(map(OF_SELF.match, lead))
                return rest if is_told and not stands_before else ""
            lead += [] if letting_go.is_of_telling(clause) else [clause]
    return ""
