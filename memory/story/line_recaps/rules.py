"""What a message says, in short, by rules: its weightiest sentence."""

import re
from functools import lru_cache

from echovessel import text, tokens
from memory.messages import secrets
from memory.story import sentences

RECAP_TOKENS = 60
# Longer messages are read by their beginning and end.
READ_CHARACTERS = 2000
# So many messages have their sentences looked for once: those before the window are told at every turn.
KEPT = 2048
_WORD = re.compile(r"[^\W_]")
_CUT_AT = re.compile(r"[\s，,、。！？!?]")


def says_something(content: str) -> bool:
    """Whether a message holds any word."""
    return _WORD.search(content) is not None


def summarise_line(content: str) -> str:
    """Return a message in at most 60 tokens: as it is where it is so short, else its weightiest sentence.

    Empty where it says nothing. Secrets are masked.
    """
    return summarise_beginning_and_end(text.cut_to_ends(content, READ_CHARACTERS // 2))


@lru_cache(maxsize=KEPT)
def summarise_beginning_and_end(content: str) -> str:
    content = secrets.mask(content)
    said = " ".join(content.split())
    if not says_something(said):
        return ""
    if tokens.estimate(said) <= RECAP_TOKENS:
        return said
    return cut_to_tokens(max(sentences.split(content), key=sentences.weigh), RECAP_TOKENS)


def cut_to_tokens(said: str, most: int) -> str:
    """Cut a text to so many tokens, between words where it has spaces, with a mark of it."""
    if tokens.estimate(said) <= most:
        return said
    low, high = 0, len(said)
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if tokens.estimate(said[:middle]) < most else (low, middle - 1)
    ends = [match.start() for match in _CUT_AT.finditer(said, low // 2, low)]
    return f"{said[: ends[-1] if ends else low].rstrip()}…"
