"""The stems of English words."""

import threading
from functools import lru_cache

import snowballstemmer

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
