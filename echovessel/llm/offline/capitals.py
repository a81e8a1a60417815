"""Writes names that were typed in lower case with their capital, by which the rules know them: "walter passed last night"."""

import re
from collections.abc import Callable, Iterable

from echovessel.llm.offline.english import vocabulary as english
from echovessel.llm.offline.text import lexicon, names, sentences

_GIVEN_NAMES = english.GIVEN_NAMES - english.NAMES_AND_WORDS
_WORD = re.compile(r"(?<![\w'’@/.-])[a-z]{3,}(?=['’]s\b|(?![\w'’@/-]))")
# "I miss Biscuit" names no Miss Biscuit.
_TITLE = re.compile(
    r"\b(?:(?:mrs?|dr|prof)\.? (?:[a-z]{3,})|(?:(?<!\bI )(?<!we )(?<!ou )(?<!ey )(?<!to )(?<!ll )(?<!'d )(?<!lly )(?<!o )(?<!still )(?<!ust )(?<!n't )(?<!lso )(?<!and )miss|ms) [A-Z]\w+)",
    re.ASCII,
)
# "i live in Cardiff", "im Tasha".
_SPEAKER = re.compile(r"(?<![\w.'’/@-])i(?:(?P<cut>m|ve)\b|(?![\w./@-]))(?!\.)")


def begin(told: str) -> str:
    """Begin a sentence with a capital, and write "I" with its own."""
    told = _SPEAKER.sub(lambda match: f"I'{match['cut']}" if match["cut"] else "I", told)
    return told[:1].upper() + told[1:]


def learn(texts: Iterable[str]) -> Callable[[str], str]:
    """Return what writes the capitals of given names, and of those that these texts tell; a text keeps its length."""
    told = [text for text in texts if not lexicon.is_chinese(text)]
    known = {
        name.text.casefold()
        for text in told
        for said in sentences.split(text)
        for name in names.find(_TITLE.sub(_write, said))
        if name.kind in ("person", "pet") and name.text.isascii() and name.text.casefold() not in english.STOP_WORDS
    }
    listed = "|".join(re.escape(name) for name in sorted(known, key=len, reverse=True))
    pattern = re.compile(rf"(?<![\w'’@/.-])(?:{listed})(?=['’]s\b|(?![\w'’@/-]))", re.IGNORECASE) if known else None

    def write(text: str) -> str:
        said = _WORD.sub(lambda word: _write(word) if word[0] in _GIVEN_NAMES else word[0], _TITLE.sub(_write, text))
        return pattern.sub(_write, said) if pattern else said

    return write


def _write(match: re.Match[str]) -> str:
    return " ".join(word[:1].upper() + word[1:] for word in match[0].split(" "))
