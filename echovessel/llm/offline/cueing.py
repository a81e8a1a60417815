"""Matches the cues of a reply: patterns by name, in the language of the text."""

import re
from functools import cache
from types import ModuleType

from echovessel.llm.offline import chinese_cues, english_cues, lexicon


def words(text: str) -> ModuleType:
    return chinese_cues if lexicon.is_chinese(text) else english_cues


def finds(name: str, text: str) -> bool:
    return search(getattr(words(text), name), text) is not None


def search(pattern: str, text: str) -> re.Match[str] | None:
    return compiled(pattern).search(lexicon.plain(text))


@cache
def compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)
