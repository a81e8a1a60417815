"""Text as sentences, and what kind of sentence one is."""

import re

from echovessel.llm.offline import lexicon

_SENTENCE = re.compile(r"[^。！？；!?\n.]+(?:[.](?=\S)[^。！？；!?\n.]+)*[。！？；!?.…]*[”\"'’」』）)]*")
# Longer ones are no sentences, and patterns would take long over them.
MOST = 1000


def split(text: str) -> list[str]:
    parts = (part.strip()[:MOST] for part in _SENTENCE.findall(text))
    return [part for part in parts if lexicon.has_words(part)]


def is_question(sentence: str) -> bool:
    return lexicon.matches("QUESTION", sentence)


def is_small_talk(sentence: str) -> bool:
    return lexicon.matches("SMALL_TALK", sentence)


def ended(sentence: str) -> str:
    """The sentence with a full stop, where it has no end of its own."""
    if re.search(r"[。！？；!?.…”\"'’」』）)]$", sentence):
        return sentence
    return sentence + ("。" if lexicon.is_chinese(sentence) else ".")
