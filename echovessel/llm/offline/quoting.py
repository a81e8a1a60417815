"""Which of the lines a reply of the offline voice rests on: those whose words it says again."""

from echovessel.llm.offline import lexicon, mirroring, sentences

# Fewer characters may be said by chance.
_LEAST, _LEAST_CHINESE = 8, 4


def is_in(reply: str, line: str) -> bool:
    """Whether a reply says a sentence of the line again, as it was said or turned to its speaker."""
    said = _folded(reply)
    return any(form in said for sentence in sentences.split(line) for form in _forms(sentence))


def _forms(sentence: str) -> list[str]:
    least = _LEAST_CHINESE if lexicon.is_chinese(sentence) else _LEAST
    forms = (_folded(form) for form in (sentence, mirroring.turned(sentence)))
    return [form for form in forms if len(form) >= least]


def _folded(text: str) -> str:
    return lexicon.plain(text).casefold().rstrip(" .。!！?？…")
