"""The user's own words said back to them: "my sister called me" is "your sister called you", "我姐" is "你姐"."""

import re

from echovessel.llm.offline import english, lexicon, names, sentences

_TURNED = {
    "i": "you", "i'm": "you're", "i've": "you've", "i'll": "you'll", "i'd": "you'd", "me": "you", "my": "your", "mine": "yours", "myself": "yourself",
    "we": "you", "we're": "you're", "we've": "you've", "we'll": "you'll", "we'd": "you'd", "us": "you", "our": "your", "ours": "yours", "ourselves": "yourselves",
}  # fmt: skip
_WORD = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")
_AGREES = re.compile(r"\b(you) (am|was)\b", re.IGNORECASE)
_TO_YOU = re.compile(r"\byou(?:r|rs|rself|'re|'ve|'ll|'d)?\b", re.IGNORECASE)
_LEAD = re.compile(
    r"^(?:(?:oh|so|well|and|but|anyway|actually|honestly|ah|um|no|yes|yeah|okay|ok|by the way)\b[,.:]? ?)+",
    re.IGNORECASE,
)
_CLAUSE = re.compile(r"[,;:—–.!?()\"“”]|\b(?:because|although|though|while|which|and then|but)\b", re.IGNORECASE)
_DETERMINERS = frozenset(["the", "a", "an", "my", "our", "her", "his", "their", "some", "another"])
_PREPOSITIONS = frozenset(
    [
        "in",
        "on",
        "at",
        "along",
        "by",
        "under",
        "near",
        "through",
        "around",
        "across",
        "about",
        "for",
        "with",
        "to",
        "from",
        "into",
        "over",
        "behind",
    ]
)
_ENDS = frozenset(
    [
        "and",
        "but",
        "or",
        "because",
        "so",
        "that",
        "which",
        "who",
        "when",
        "while",
        "if",
        "as",
        "than",
        "is",
        "was",
        "are",
        "were",
        "has",
        "have",
        "had",
        "will",
        "would",
        "can",
        "could",
        "again",
        "today",
        "tonight",
        "yesterday",
        "now",
        "this",
        "up",
        "down",
        "out",
        "off",
        "away",
        "back",
        "in",
        "on",
        "at",
        "to",
        "with",
        "from",
        "into",
        "over",
        "under",
        "near",
        "by",
        "through",
        "around",
        "across",
        "about",
        "before",
        "after",
        "since",
        "until",
        "like",
        "too",
        "very",
        "i",
        "we",
        "he",
        "she",
        "they",
        "it",
        "you",
        "keeps",
        "kept",
        "put",
        "puts",
        "took",
        "takes",
        "made",
        "makes",
        "went",
        "goes",
        "did",
        "does",
        "came",
        "comes",
    ]
)
_LINKS = frozenset(("of", "for"))
_NOT_WHO = frozenset(("child", "boss", "colleague", "teacher"))
_ENGLISH_KIN = re.compile(
    rf"\b(?:my|our) ((?:(?:best|older|younger|little|big|late|twin|dear) )?(?:{'|'.join(pattern for concept, pattern in english.KIN.items() if concept not in _NOT_WHO)}))\b",
    re.IGNORECASE,
)
_LIGHT = frozenset(
    [
        "bit",
        "lot",
        "while",
        "time",
        "way",
        "moment",
        "day",
        "week",
        "month",
        "year",
        "hour",
        "thing",
        "minute",
        "couple",
        "few",
        "same",
        "first",
        "last",
        "little",
        "one",
        "other",
    ]
)
_PHRASE_MOST = 4
_CLAUSE_WORDS = 14
_HAN_CLAUSE = re.compile(r"[，。！？；、,.!?;~～…：:“”\"\s]+")
_HAN_LEAD = re.compile(
    r"^(?:今天早上|今天|昨天|刚才|刚刚|而且|但是|然后|所以|其实|真的|最后|终于|算了|对了|哎呀|哎|唉|就|那)+"
)
_HAN_TURN = {"我": "你", "咱": "你"}
_HAN_LEAST, _HAN_MOST = 4, 16


def turned(sentence: str) -> str:
    """A sentence of the user's as it is said to them, without its end; "" where that cannot be done by rule."""
    plain = lexicon.plain(sentence).rstrip(" .。!！…")
    if sentences.is_question(sentence) or "\n" in plain or not lexicon.has_words(plain):
        return ""
    if lexicon.is_chinese(plain):
        return "" if "你" in plain or "您" in plain else "".join(_HAN_TURN.get(sign, sign) for sign in plain)
    plain = _LEAD.sub("", plain)
    if not plain or _TO_YOU.search(plain):
        return ""
    said = _AGREES.sub(_agreeing, _WORD.sub(_turn, plain))
    is_name = re.match(
        r"I\b|(?:The|A|An|My|Our|We|It|There|He|She|They|This|That|Tomorrow|Today|Yesterday|Everyone|Everybody)\b",
        plain,
    )
    if is_name:
        return said[:1].lower() + said[1:]
    return said if plain[0].islower() or any(plain.startswith(name.text) for name in names.find(plain)) else ""


def clause(text: str) -> str:
    """A short clause that says what the user did or what befell them, said back; "" where there is none."""
    if lexicon.is_chinese(text):
        return _han_clause(text)
    for sentence in sentences.split(text):
        first = _CLAUSE.split(_LEAD.sub("", lexicon.plain(sentence)), maxsplit=1)[0].strip()
        if re.match(r"(?:I|I've|I'm|We|We've|We're|My|Our)\b", first) and 3 <= len(first.split()) <= _CLAUSE_WORDS:
            return turned(first)
    return ""


def kin(text: str) -> str:
    """Who of the user's people is spoken of, said back: "your sister", "你姐姐"; "" where nobody is."""
    if lexicon.is_chinese(text):
        word = next((word for concept, word in lexicon.kin_words(text).items() if concept not in _NOT_WHO), "")
        return f"你{word}" if word else ""
    found = _ENGLISH_KIN.search(lexicon.plain(text))
    return f"your {found[1].lower()}" if found else ""


def phrase(text: str) -> str:
    """A few of the words that name something, said back: "the stagehands", "your diary"; in Chinese nothing."""
    if lexicon.is_chinese(text):
        return ""
    for sentence in sentences.split(text):
        for part in _CLAUSE.split(_LEAD.sub("", lexicon.plain(sentence))):
            if found := _phrase(part.split()):
                return " ".join(_WORD.sub(_turn, word) for word in found)
    return ""


def _phrase(words: list[str]) -> list[str]:
    """The first words that begin with a determiner, behind the subject, with a preposition before them."""
    for at, word in enumerate(words):
        if at == 0 or word.lower() not in _DETERMINERS:
            continue
        found = [word, *_following(words[at + 1 :])]
        if len(found) == 1 or found[1].lower() in _LIGHT or (word.lower() in ("her", "his") and found[1][0].isupper()):
            continue
        has_place = words[at - 1].lower() in _PREPOSITIONS and at > 1
        return [words[at - 1].lower(), *found] if has_place else found
    return []


def _following(words: list[str]) -> list[str]:
    found: list[str] = []
    for word in words[: _PHRASE_MOST + 3]:
        is_link = word.lower() in _LINKS and bool(found)
        if (word.lower() in _ENDS and not is_link) or (len(found) >= _PHRASE_MOST and not is_link):
            break
        found.append(word)
    while found and (found[-1].lower() in _LINKS or found[-1].lower() in _DETERMINERS):
        found.pop()
    return found


def _han_clause(text: str) -> str:
    parts = (_HAN_LEAD.sub("", part) for part in _HAN_CLAUSE.split(text))
    fitting = [part for part in parts if _HAN_LEAST <= len(part) <= _HAN_MOST and not re.search(r"[你您吗呢]", part)]
    return turned(max(fitting, key=lambda part: ("我" in part, len(part)), default=""))


def _turn(match: re.Match[str]) -> str:
    return _TURNED.get(match.group().lower().replace("’", "'"), match.group())


def _agreeing(match: re.Match[str]) -> str:
    return f"{match[1]} {'are' if match[2].lower() == 'am' else 'were'}"
