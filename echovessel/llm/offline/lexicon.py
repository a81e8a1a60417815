"""What single sentences say: their language, feelings, pets and kin."""

import re
from dataclasses import dataclass
from functools import cache
from types import ModuleType

from echovessel.llm.offline import chinese, english

_CJK = re.compile(r"[\u3400-\u9fff]")
_LATIN_WORD = re.compile(r"[A-Za-z\u00c0-\u024f]+(?:['’][a-z]+)?")
_CLOSE = {"mother", "father", "daughter", "son", "child", "wife", "husband", "partner", "sister", "brother"}
_NOT_FAMILY = {"friend", "colleague", "boss"}
_LOSS = {"grief", "fear"}


@dataclass(frozen=True)
class Feeling:
    tag: str
    impact: int


def is_chinese(text: str) -> bool:
    """Whether its words are mostly Chinese: "He is called 小黑" is English."""
    return len(_CJK.findall(text)) / 2 > len(_LATIN_WORD.findall(text))


def language(text: str) -> ModuleType:
    return chinese if is_chinese(text) else english


def has_words(text: str) -> bool:
    return bool(_CJK.search(text) or _LATIN_WORD.search(text))


def matches(name: str, text: str) -> bool:
    """Whether the pattern called `name` of the text's language occurs in it."""
    return bool(_pattern(language(text), name).search(_plain(text)))


def my_name(text: str) -> str:
    """The name by which the user calls themselves."""
    match = _pattern(language(text), "MY_NAME").search(_plain(text))
    return match["name"] if match else ""


def feelings(sentence: str) -> list[Feeling]:
    """What it tells of, the strongest first, on the impact scale."""
    words, text = language(sentence), _plain(sentence)
    found: dict[str, Feeling] = {}
    for tag, impact, pattern in words.FEELINGS:
        match = _compiled(words, pattern).search(text)
        if match is None:
            continue
        if re.search(words.NEGATION, text[: match.start()], re.IGNORECASE):
            opposite = round(-impact / 2)
            feeling = Feeling("sadness" if opposite < 0 else "relief", opposite)
        else:
            feeling = Feeling(tag, _sharpened(tag, impact, sentence))
        found.setdefault(feeling.tag, feeling)
    return sorted(found.values(), key=lambda feeling: -abs(feeling.impact))


def pets(text: str) -> set[str]:
    return _concepts("PETS", text)


def kin(text: str) -> set[str]:
    return _concepts("KIN", text)


def concepts(text: str) -> set[str]:
    """Pets and kin, in words shared by both languages; "pet" and "family" where they are spoken of as such."""
    found = pets(text) | kin(text)
    found |= {"pet"} if _either("ANY_PET", text) else set()
    return found | ({"family"} if _either("ANY_KIN", text) else set())


def widened(found: set[str]) -> set[str]:
    """Concepts with the wider ones they fall under: a cat is a pet."""
    wider = {"pet"} if found & set(english.PETS) else set()
    return found | wider | ({"family"} if found & set(english.KIN) - _NOT_FAMILY else set())


def kin_words(text: str) -> dict[str, str]:
    """Kin as they are called in the text, by concept."""
    found = {}
    for words in (english, chinese):
        for concept, pattern in words.KIN.items():
            if match := _compiled(words, pattern).search(text):
                found[concept] = match.group().casefold().removeprefix("我")
    return found


def content(text: str) -> set[str]:
    """Words that carry meaning, roughly stemmed; for Chinese its characters in pairs."""
    words = {_stem(word) for word in _LATIN_WORD.findall(text.casefold()) if word not in english.STOP_WORDS}
    runs = re.findall(r"[\u3400-\u9fff]+", text)
    pairs = {run[at : at + 2] for run in runs for at in range(len(run) - 1)}
    return words | {pair for pair in pairs if not set(pair) <= chinese.STOP_WORDS}


def _stem(word: str) -> str:
    word = re.sub(r"['’].*", "", word)
    for ending in ("ing", "ed", "es", "s", "e"):
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            return word.removesuffix(ending)
    return word


def _sharpened(tag: str, impact: int, sentence: str) -> int:
    """The death or illness of kin weighs more, of the closest most."""
    if tag not in _LOSS or impact > -7:
        return impact
    people = kin(sentence)
    return impact - 2 if people & _CLOSE else impact - 1 if people else impact


def _concepts(name: str, text: str) -> set[str]:
    return {
        concept
        for words in (english, chinese)
        for concept, pattern in getattr(words, name).items()
        if _compiled(words, pattern).search(text)
    }


def _either(name: str, text: str) -> bool:
    return any(_compiled(words, getattr(words, name)).search(text) for words in (english, chinese))


def _plain(text: str) -> str:
    return text.replace("’", "'").strip()


@cache
def _pattern(words: ModuleType, name: str) -> re.Pattern[str]:
    return re.compile(getattr(words, name), re.IGNORECASE)


@cache
def _compiled(words: ModuleType, pattern: str) -> re.Pattern[str]:
    """English alternatives are whole words; Chinese ones stand anywhere."""
    return re.compile(rf"\b(?:{pattern})\b" if words is english else pattern, re.IGNORECASE)
