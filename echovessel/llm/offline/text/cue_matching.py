"""Matches the cue patterns of the text's language."""

import re
from functools import cache
from types import ModuleType

from echovessel.llm.offline.chinese import cues as chinese_cues
from echovessel.llm.offline.english import cues as english_cues
from echovessel.llm.offline.text import lexicon


def choose_cues(text: str) -> ModuleType:
    return chinese_cues if lexicon.is_chinese(text) else english_cues


def has_cue(name: str, text: str) -> bool:
    return search(getattr(choose_cues(text), name), text) is not None


def find_asked_slots(question: str) -> list[str]:
    """Return the slots of facts that a question about the user's name, job, home and the like asks for."""
    return [slot for slot, pattern in choose_cues(question).ASKS_SLOT if search(pattern, question)]


def search(pattern: str, text: str) -> re.Match[str] | None:
    return compile_cue(pattern).search(lexicon.normalise(text))


@cache
def compile_cue(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)
