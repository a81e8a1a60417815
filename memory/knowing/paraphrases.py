"""Words of everyday life that ask for what was told in others, in English and Chinese: who asks for the boss was told of a
manager, who asks for a pet of a tortoise.
"""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from echovessel import text
from echovessel.llm.offline.reply.asking import content_words
from memory.knowing import chinese_words
from memory.recall import term_forms

FOLDER = Path(__file__).parent / "same_words"


@dataclass(frozen=True)
class Paraphrases:
    """For words of a question, as the terms it has of each, other words that tell the same."""

    told_by: Mapping[frozenset[str], Collection[str]]

    def find_terms(self, told: str, terms: Collection[str]) -> set[str]:
        """Find the question's terms that a text with these normalized terms tells in other words."""
        by_words = {term for asked, words in self.told_by.items() if _holds_any(told, terms, words) for term in asked}
        told_so = {_normalize_english(word) for word in content_words.find_told_so(told)}
        return by_words | (told_so & set().union(*self.told_by))


def find(question: str, terms: Collection[str]) -> Paraphrases:
    if text.has_cjk(question):
        words = {word: told for word, told in _list_chinese().items() if word in question}
        verbs = {verb: told | words.get(verb, set()) for verb, told in find_chinese_verbs(question).items()}
        return Paraphrases({frozenset({word, *word}): told for word, told in {**words, **verbs}.items()})
    return Paraphrases({frozenset({term}): _list_english().get(term, set()) for term in terms})


def find_chinese_verbs(question: str) -> dict[str, set[str]]:
    """Find the verbs of a question that a text has to tell, each with the words that tell it; others have too many."""
    verbs = _list_chinese_verbs()
    return {word: verbs[word] for word, _ in chinese_words.split_question(question) if word in verbs}


def is_listed(term: str) -> bool:
    """Whether an English term's other words are known, so that a text without any of them does not tell it."""
    return term in _list_english()


def list_kinds(question: str) -> Collection[str]:
    """List the kinds of things, of the question's language, of which the most are known: "instrument", 乐器."""
    return _list_chinese_kinds() if text.has_cjk(question) else _list_english_kinds()


def _holds_any(told: str, terms: Collection[str], words: Collection[str]) -> bool:
    return any(word in told if text.has_cjk(word) else word in terms for word in words)


@cache
def _list_english() -> dict[str, set[str]]:
    return _read("english.txt", "english_kinds.txt", normalize=_normalize_english)


@cache
def _list_chinese() -> dict[str, set[str]]:
    return _read("chinese.txt", "chinese_kinds.txt")


@cache
def _list_english_kinds() -> Collection[str]:
    return _read("english_kinds.txt", normalize=_normalize_english).keys()


@cache
def _list_chinese_kinds() -> Collection[str]:
    return _read("chinese_kinds.txt").keys()


@cache
def _list_chinese_verbs() -> dict[str, set[str]]:
    return _read("chinese_verbs.txt")


def _normalize_english(word: str) -> str:
    return term_forms.normalize_term(text.stem(word))


def _read(*names: str, normalize: Callable[[str], str] = str) -> dict[str, set[str]]:
    """Read for each word that may be asked for which others tell it."""
    found: dict[str, set[str]] = {}
    for line in (line for name in names for line in (FOLDER / name).read_text(encoding="utf-8").splitlines()):
        if not line.startswith("#"):
            asked, _, narrower = line.replace("：", ":").partition(":")
            words = set(map(normalize, asked.split()))
            told = words.union(map(normalize, narrower.split()))
            for word in words:
                found.setdefault(word, set()).update(told)
    return found
