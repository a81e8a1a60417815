"""Things of one kind that are told apart, in English and Chinese: who asks for a leg is not answered by a wrist, and who asks which pub
is not by "in a pub".
"""

import re
from collections.abc import Collection, Iterator, Sequence
from functools import cache
from itertools import pairwise
from typing import NamedTuple

from echovessel import text
from memory.knowing import chinese_words
from memory.knowing.asked_things import WITHOUT_WORD, WITHOUT_WORD_CHINESE
from memory.knowing.paraphrases import FOLDER

_VERB = "is|are|was|were|am|do|does|did|has|have|had|can|will|should"
_WHICH = re.compile(
    rf"\b(?:what|whose) ([a-z]+)(?:'s| (?:{_VERB}))\b|\bwhich (?:of (?:the|my) )?([a-z]+)", re.IGNORECASE
)
_WHICH_CHINESE = re.compile("哪.?|什么|啥")
# What stands before a Chinese noun that no word describes.
_BARE_CHINESE = re.compile("(?:^|[在去到的了着过家个条只进住一从给是开读学上找有换当和跟，。、！？])$")
# A word with the one before it, unless a name or a number follows: "the pub in Camden".
_WITH_WORD_BEFORE = re.compile(
    r"(?:([\w']+)\W+)?\b(?=(\w+)(?! (?:(?:called|named|of|in|at|for|to) )?(?:the )?[A-Z\d]))"
)
_NO_DESCRIPTION = text.STOP_WORDS | {"", "user's", "every", "another", "new", "old", "used"}


class Contrast(NamedTuple):
    """What a question asks about, and the other things of its kind."""

    asked: Collection[str]
    others: Collection[str]

    def is_of_other(self, told: str, terms: Collection[str]) -> bool:
        """Whether a text with these normalized terms speaks of another one of the kind alone."""
        words = told if text.has_cjk(told) else terms
        return not any(word in words for word in self.asked) and any(word in words for word in self.others)


class Unnamed(NamedTuple):
    """A thing of which a question asks which one it is."""

    noun: str

    def is_of_other(self, told: str, terms: Collection[str]) -> bool:
        """Whether a text does not tell which: it has the noun, and nothing that describes or names it."""
        if text.has_cjk(self.noun):
            *before, _ = told.split(self.noun)
            return bool(before) and all(_BARE_CHINESE.search(one) for one in before)
        before = [last for last, word in _WITH_WORD_BEFORE.findall(told) if text.stem(word.casefold()) == self.noun]
        return bool(before) and all(last.casefold() in _NO_DESCRIPTION for last in before)


# What a text may speak of another one of, or say too little of.
Contrasted = Contrast | Unnamed


def find(question: str, terms: Collection[str]) -> list[Contrasted]:
    """Find what a question with these normalized terms asks about that has others of its kind, or which one it is."""
    return [*_find_contrasts(question, terms), *_find_unnamed(question)]


def _find_unnamed(question: str) -> Iterator[Unnamed]:
    """Find the nouns behind "which" and 哪家."""
    if text.has_cjk(question):
        for (word, _), (noun, kind) in pairwise(chinese_words.split_question(question)):
            if _WHICH_CHINESE.fullmatch(word) and chinese_words.is_noun(kind) and noun not in WITHOUT_WORD_CHINESE:
                yield Unnamed(noun)
        return
    nouns = (text.stem(noun.casefold()) for found in _WHICH.findall(question) for noun in found if noun)
    yield from (Unnamed(noun) for noun in nouns if noun not in WITHOUT_WORD)


def _find_contrasts(question: str, terms: Collection[str]) -> list[Contrast]:
    is_chinese = text.has_cjk(question)
    words = question if is_chinese else terms
    return [
        Contrast(asked=asked, others=frozenset().union(*kind) - asked)
        for kind in _read("chinese_contrasts.txt" if is_chinese else "english_contrasts.txt")
        if (asked := frozenset().union(*(thing for thing in kind if any(word in words for word in thing))))
    ]


@cache
def _read(name: str) -> Sequence[Sequence[frozenset[str]]]:
    """Read the kinds, each with its things, each thing with its words."""
    lines = (FOLDER / name).read_text(encoding="utf-8").splitlines()
    return [
        [frozenset(map(text.stem, thing.split("/"))) for thing in line.split()]
        for line in lines
        if not line.startswith("#")
    ]
