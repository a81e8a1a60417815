"""Finds what the user answered where the companion asked about a doubt: a plain yes or no, one side, both or neither."""

import re
from collections.abc import Iterable
from itertools import pairwise

from pydantic import JsonValue

from echovessel.llm.inputs import ExtractionInputs, NumberedDoubt, TranscriptLine
from echovessel.llm.offline.extraction import aliases
from echovessel.llm.offline.text import lexicon, passages

_BOTH = re.compile(r"\bboth\b|\bone and the other\b|两个都|都是|都对|都有|都没错|都成立", re.IGNORECASE)
_NEITHER = re.compile(r"\bneither\b|\bnone of (?:them|the two|those)\b|都不|都没(?!错)|两个都不|全不对", re.IGNORECASE)
_DENIES = re.compile(r"\b(?:not|no longer|never|neither)\b|n't\b|不|没", re.IGNORECASE)
_USER = lexicon.stem_content("The user. 用户")
# So many of a side's words make a question one about it.
_SHARED = 0.5


def find_clarified(inputs: ExtractionInputs) -> list[JsonValue]:
    """Return the doubts about memories that the user's answers clear up, in the shape of an extraction's answer.

    Pairs of names are judged by `aliases`.
    """
    found: list[JsonValue] = []
    for doubt in inputs.doubts:
        answers = ((line, judge(doubt, line.text)) for line in _find_answers(doubt, inputs.lines))
        line, holds = next(((line, holds) for line, holds in answers if holds), (None, ""))
        if line is not None and doubt.kind != "ambiguous":
            found.append({"doubt": doubt.number, "holds": holds, "source_lines": [line.number]})
    return found


def _find_answers(doubt: NumberedDoubt, lines: Iterable[TranscriptLine]) -> Iterable[TranscriptLine]:
    """Find the lines of the user that answer a question about a doubt."""
    for asked, line in pairwise(lines):
        if line.is_user and not asked.is_user and _is_about(doubt, asked.text) and not passages.is_question(line.text):
            yield line


def _is_about(doubt: NumberedDoubt, text: str) -> bool:
    """Whether a line of the companion asks about all sides of a doubt."""
    sides = [(doubt.this, doubt.that, doubt.this_value), (doubt.that, doubt.this, doubt.that_value)]
    named = all(_names(_find_own(side, other), value, text) for side, other, value in sides if side)
    return named and bool(re.search(r"[?？]", text))


def _names(own: set[str], value: str, text: str) -> bool:
    """Whether a text names a side, by its value or by half of the words that it alone has."""
    if value:
        return value.casefold() in text.casefold()
    return bool(own) and len(own & lexicon.stem_content(text)) >= _SHARED * len(own)


def judge(doubt: NumberedDoubt, answer: str) -> str:
    """Return which side of a doubt holds by an answer to its question, or "" where the answer does not say."""
    if not doubt.that:
        is_so = aliases.judge_answer(answer)
        return "" if is_so is None else "this" if is_so else "neither"
    if _NEITHER.search(answer):
        return "neither"
    if _BOTH.search(answer):
        return "both"
    this, that = _find_own(doubt.this, doubt.that), _find_own(doubt.that, doubt.this)
    said = lexicon.stem_content(answer)
    of_this = _is_named(doubt.this_value, this, answer, said)
    of_that = _is_named(doubt.that_value, that, answer, said)
    if of_this == of_that or _DENIES.search(answer):
        return ""
    return "this" if of_this else "that"


def _find_own(side: str, other: str) -> set[str]:
    """Return the words of a side that the other does not have."""
    return lexicon.stem_content(side) - lexicon.stem_content(other) - _USER


def _is_named(value: str, own: set[str], answer: str, said: set[str]) -> bool:
    return value.casefold() in answer.casefold() if value else bool(own & said)
