"""Tells which messages a reply by rules quotes."""

from echovessel.llm.offline.reply import pronouns
from echovessel.llm.offline.text import lexicon, sentences

# Shorter sentences may be repeated by chance.
_LEAST, _LEAST_CHINESE = 8, 4


def is_quoted(reply: str, line: str) -> bool:
    """Whether a reply repeats a sentence of the message, as it was said or in the second person."""
    said = _fold(reply)
    return any(form in said for sentence in sentences.split(line) for form in _list_forms(sentence))


def _list_forms(sentence: str) -> list[str]:
    least = _LEAST_CHINESE if lexicon.is_chinese(sentence) else _LEAST
    forms = (_fold(form) for form in (sentence, pronouns.turn(sentence)))
    return [form for form in forms if len(form) >= least]


def _fold(text: str) -> str:
    return lexicon.normalise(text).casefold().rstrip(" .。!！?？…")
