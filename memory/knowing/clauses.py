"""The form of a question, in English and Chinese, with or without a question mark."""

from datetime import date

from echovessel import lazy_re as re
from echovessel import periods
from echovessel.llm.offline.chinese import interrogatives
from echovessel.llm.offline.text import lexicon

_CLAUSES = re.compile(r"(?<=[.!?;:,\n。！？；，：…])\s*|\s+(?:-|–)\s+")
# What may stand before the question in its clause.
_OPENERS = re.compile(
    r"^\W*(?:(?:so|and|but|or|hey|hi|hello|well|ok|okay|oh|ah|hm+|um+|now|then|anyway|also|just|wait|sorry|actually|seriously|honestly|please|"
    r"by the way|btw|tell me|say|yes|yeah|no|my dear|dear|love)\b[\s,]*)+",
    re.IGNORECASE,
)
_AUXILIARY = r"(?:is|are|am|was|were|do|does|did|have|has|had|can|could|will|would|shall|should|may|might|must)(?:n't)?|'s|'re|'d|'ll|'ve"
_SUBJECT = r"(?:i|you|he|she|it|we|they|there|this|that|these|those|my|your|his|her|our|their)"
# A question word, at most three words that are no subject, and a verb before its subject: "what colour was", but not "when I was".
_WITH_WORD = re.compile(
    rf"^(?:what|where|when|why|how|whose|whom)(?!\s+an?\b)(?:\s+(?!{_SUBJECT}\b|the\b|an?\b)[\w'-]+){{0,3}}?(?:\s+|(?='))(?:{_AUXILIARY})\b"
    r"|^(?:what (?:happened|about|else|if|next|now|kind|time|made|makes|brought)|how (?:many|much|long|old|often|far|come|about)|why not|where to)\b",
    re.IGNORECASE,
)
# "who" and "which" go on with a sentence behind a comma: "my sister, who is five".
_WHO = re.compile(
    rf"^who(?!\s+(?:knows|cares|am i|{_SUBJECT})\b)(?:\s+(?:else\s+)?\w+|'s|'d|'ll)|^which\s+(?!is\b|was\b|are\b|were\b|means\b|meant\b|made\b|makes\b|i\b|we\b|he\b|she\b|they\b|you\b)[\w'-]+",
    re.IGNORECASE,
)
_INVERTED = re.compile(
    r"^(?:(?:is|are|was|were|does|did|has|can|could|will|would|shall|should)(?:n't)?\s+(?:i|you|he|she|it|we|they|there|this|that|these|those)\b"
    r"|(?:is|are|does|has|can|could|will|would|should)(?:n't)?\s+(?:my|your|his|her|our|their|the|an?)\s"
    r"|(?:was|were)(?:n't)?\s+(?:my|your|his|her|our|their)\s"
    r"|am i\b|ain't (?:i|you|he|she|it|we|they)\b|do(?:n't)? (?:i|we|they)\b|do you\b|don't you (?!worry|dare|ever|forget)|have(?:n't)? (?:i|you|we|they)\b|had(?:n't)? (?:you|he|she|they|we)\b"
    r"|(?:may|might|must) (?:i|we)\b)",
    re.IGNORECASE,
)
# Before a name, whose capital tells it; in lower case a known one is asked about.
_BEFORE_NAME = r"^(?:[Ii]s|[Ww]as|[Dd]oes|[Dd]id|[Hh]as|[Cc]an|[Ww]ill|[Ww]ould|[Ss]hould)(?:n't)?"
_INVERTED_BEFORE_NAME = re.compile(rf"{_BEFORE_NAME} [A-Z][a-z]+ \w")
_INVERTED_BEFORE_KNOWN = re.compile(rf"{_BEFORE_NAME} [a-z]+ \w")
_QUESTION_WORD = re.compile(
    r"\b(?:what|who|whose|whom|where|when|why|which|how)(?:s|'\w+)?\b|什么|啥|谁|哪|几|多少|多[大久长高重远]|怎|咋|何",
    re.IGNORECASE,
)
# Only the words of a period matter where it is looked for, on whatever day.
_ANY_DAY = date(2000, 1, 1)
_ENDS_SENTENCE = re.compile(r"[.!?;\n。！？；…]\s*$")


def asks_of_known(plain: str) -> bool:
    """Whether a text that names somebody known asks about them: "is jaz ok"."""
    return _INVERTED_BEFORE_KNOWN.search(_OPENERS.sub("", plain.strip())) is not None


def asks_yes_or_no(question: str) -> bool:
    """Whether a question has no word that asks for more than yes or no, and no period."""
    return _QUESTION_WORD.search(question) is None and not periods.find_periods(question, today=_ANY_DAY)


def is_interrogative(plain: str) -> bool:
    """Whether a clause begins as an English question, or a Chinese one asks."""
    return _asks_in_english(lexicon.normalise(plain)) or interrogatives.asks(plain)


def _asks_in_english(plain: str) -> bool:
    begins_sentence = True
    for clause in _CLAUSES.split(plain):
        bare = clause.strip()
        if not bare:
            continue
        opened = _OPENERS.sub("", bare)
        if _WITH_WORD.search(opened) or _INVERTED.search(opened) or _INVERTED_BEFORE_NAME.search(opened):
            return True
        if begins_sentence and _WHO.search(opened):
            return True
        # An opener alone ("So,") begins nothing.
        begins_sentence = _ENDS_SENTENCE.search(bare) is not None or (begins_sentence and not opened.strip(" ,"))
    return False
