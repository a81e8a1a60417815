"""Checks texts from outside before they are stored, and stems English words."""

import re
import threading
from functools import lru_cache

import snowballstemmer

from echovessel.errors import CodedError

# Characters that PostgreSQL or UTF-8 cannot store. All others are kept: text is escaped when it is shown.
_UNSTORABLE = re.compile(r"[\x00\ud800-\udfff]")
# They have no width, and names in Persian or Hindi and emoji of several signs are not written without them.
_JOINERS = dict.fromkeys(map(ord, "\u200c\u200d"))


class TextError(CodedError, ValueError):
    """A text that is not accepted."""


def check(text: object, *, most: int) -> str:
    """Return the text if it has 1 to `most` characters and can be stored. Raises TextError."""
    if not isinstance(text, str):
        raise TextError("invalid", "This must be text.")
    if _UNSTORABLE.search(text):
        raise TextError("invalid", "This text has a character that cannot be stored (a NUL or half a surrogate pair).")
    if not text.strip():
        raise TextError("invalid", "This text is blank.")
    if len(text) > most:
        raise TextError(
            "too_long", "This text has %(count)s characters; at most %(most)s are allowed.", count=len(text), most=most
        )
    return text


def is_one_line(text: str) -> bool:
    """Return whether a text has neither line breaks nor control characters, and more than what has no width."""
    visible = text.translate(_JOINERS)
    return visible.isprintable() and bool(visible.strip())


def strip_unstorable(text: str) -> str:
    """Remove characters that cannot be stored from a model's text."""
    return _UNSTORABLE.sub("", text)


# A stemmer has state, so each thread has its own.
_of_thread = threading.local()


# Stemming is the slowest step, and people use some thousand words.
@lru_cache(maxsize=20_000)
def stem(word: str) -> str:
    """Return the stem of a word in small letters, by Porter's second algorithm: "dropped" is "drop"."""
    if not hasattr(_of_thread, "stemmer"):
        _of_thread.stemmer = snowballstemmer.stemmer("english")
    stemmed: str = _of_thread.stemmer.stemWord(word.removesuffix("'s"))
    return stemmed
