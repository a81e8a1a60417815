"""What single sentences say: their language, pets and kin, and whether they match a pattern of their language."""

import re
from functools import cache, lru_cache
from types import ModuleType

from echovessel.llm.offline import chinese, english

# Sentences are compared with those of the talk before them: what one speaks of is asked many times.
_KEPT = 4096
_CJK = re.compile(r"[\u3400-\u9fff]")
_LATIN_WORD = re.compile(r"[A-Za-z\u00c0-\u024f]+(?:['’][a-z]+)?")
_DOUBLED = frozenset(("妈妈", "爸爸", "姐姐", "妹妹", "哥哥", "弟弟"))
_NOT_FAMILY = {"friend", "colleague", "neighbour", "teacher", "boss"}
# Words of hasty typing, as they would be written.
_HASTY = re.compile(
    r"\b(i)(m|ve|ll|d)\b(?!\.)|\b(do|does|did|ca|wo|is|was|are|were|has|have|had|could|would|should)(nt)\b",
    re.IGNORECASE,
)


def is_chinese(text: str) -> bool:
    """Whether its words are mostly Chinese: "He is called 小黑" is English."""
    return len(_CJK.findall(text)) / 2 > len(_LATIN_WORD.findall(text))


def language(text: str) -> ModuleType:
    return chinese if is_chinese(text) else english


def has_words(text: str) -> bool:
    return bool(_CJK.search(text) or _LATIN_WORD.search(text))


def matches(name: str, text: str) -> bool:
    """Whether the pattern called `name` of the text's language occurs in it."""
    return bool(_pattern(language(text), name).search(plain(text)))


def my_name(text: str) -> str:
    """The name by which the user calls themselves."""
    found = (
        _pattern(language(text), "MY_NAME").search(sentence)
        for sentence in re.split(r"(?<=[.!?。！？\n])\s*", plain(text))
    )
    match = next((match for match in found if match), None)
    return next((name for name in match.groups() if name), "") if match else ""


def pets(text: str) -> set[str]:
    return set(_concepts("PETS", text))


def kin(text: str) -> set[str]:
    return set(_concepts("KIN", text))


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
                found[concept] = _as_called(match.group())
    return found


def spoken_kin(name: str) -> str:
    """How a Chinese word for one's kin is said for short: 妈妈 is 我妈; "" for other names."""
    return f"我{name[0]}" if name in _DOUBLED else ""


def _as_called(word: str) -> str:
    """A word for kin as a name: 妈 and 我妈 are 妈妈, one character alone being no name."""
    word = word.casefold().removeprefix("我")
    return word * 2 if word * 2 in _DOUBLED else word


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


@lru_cache(maxsize=_KEPT)
def _concepts(name: str, text: str) -> frozenset[str]:
    return frozenset(
        concept
        for words in (english, chinese)
        for concept, pattern in getattr(words, name).items()
        if _compiled(words, pattern).search(text)
    )


@lru_cache(maxsize=_KEPT)
def _either(name: str, text: str) -> bool:
    return any(_compiled(words, getattr(words, name)).search(text) for words in (english, chinese))


def plain(text: str) -> str:
    """Straight apostrophes, also where a hasty hand left them out ("im", "dont")."""
    return _HASTY.sub(_apostrophe, text.replace("’", "'").strip())


def _apostrophe(match: re.Match[str]) -> str:
    return f"{match[1]}'{match[2]}" if match[1] else f"{match[3]}n't"


@cache
def _pattern(words: ModuleType, name: str) -> re.Pattern[str]:
    return re.compile(getattr(words, name), re.IGNORECASE)


@cache
def _compiled(words: ModuleType, pattern: str) -> re.Pattern[str]:
    """English alternatives are whole words; Chinese ones stand anywhere."""
    return re.compile(rf"\b(?:{pattern})\b" if words is english else pattern, re.IGNORECASE)
