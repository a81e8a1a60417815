"""Things of one kind that are told apart, in English and Chinese: who asks for a leg is not answered by a wrist."""

from collections.abc import Collection, Sequence
from functools import cache
from typing import NamedTuple

from echovessel import text
from memory.knowing.paraphrases import FOLDER


class Contrast(NamedTuple):
    """What a question asks about, and the other things of its kind."""

    asked: Collection[str]
    others: Collection[str]

    def is_of_other(self, told: str, terms: Collection[str]) -> bool:
        """Whether a text with these normalized terms speaks of another one of the kind alone."""
        words = told if text.has_cjk(told) else terms
        return not any(word in words for word in self.asked) and any(word in words for word in self.others)


def find(question: str, terms: Collection[str]) -> list[Contrast]:
    """Find what a question with these normalized terms asks about that has others of its kind."""
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
