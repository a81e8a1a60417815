"""Whether a text holds the words by which a wish to forget means something."""

from echovessel.llm.offline.text import lexicon
from memory.facts.checks import told_parts, wording
from memory.facts.rules import letting_go


def holds_meant_words(said: str, other: str, words: str) -> bool:
    """Whether a text holds all the words of a wish that a message holds which it means, and not only of whom it is; of Chinese the
    pairs of characters.
    """
    if not holds_about(said, words):
        return False
    if lexicon.is_chinese(words):
        meant = [pair for pair in wording.list_pairs(words) if pair in other]
        return bool(meant) and all(pair in said for pair in meant)
    own = wording.list_words(other)
    meant = [word for word in letting_go.list_words(words) if wording.holds_words(own, [word])]
    return bool(meant) and wording.holds_words(wording.list_words(said), meant)


def holds_about(said: str, words: str) -> bool:
    """Whether a text holds what a wish is about, and not only of whom it is."""
    return any(wording.holds_part(said, one) for one in told_parts.list_about(words))


def holds_any(said: str, words: str) -> bool:
    """Whether a text holds a word of a wish."""
    own = wording.list_words(said)
    return any(wording.holds_words(own, [word]) for word in letting_go.list_words(words))
