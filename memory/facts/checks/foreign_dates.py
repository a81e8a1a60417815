"""Leaves days out of what a model notes in a language without rules: those that the user's lines may name.

A model computes them from "el lunes" or 先週, which no rule reads; what names no time in any word leaves every day invented.
"""

import re
from functools import cache
from pathlib import Path

from echovessel import text

# A line for each month with its names in many languages, then whatever else names a time.
_WORDS_FILE = Path(__file__).with_name("time_words.txt")
_MONTHS = 12
# "Пятницу" is "пятница", and "maanantaina" begins with "maanantai".
_LEAST_STEM, _ENDING = 5, 1
# Days with their year.
_DATE = re.compile(
    r"\b(?:(?P<day>\d{1,2})[.º]? (?:de )?)?(?P<name>[^\W\d]+) (?:de |del )?20\d\d\b|\b(?P<first>\d{1,2})[./](?P<middle>\d{1,2})[./]20\d\d\b"
    r"|\b20\d\d-(?P<month>\d\d)-(?P<last>\d\d)\b|20\d\d[年년] ?(?P<counted>\d{1,2})[月월](?: ?(?P<of_month>\d{1,2})[日일])?"
)
_WORD = re.compile(r"[^\W\d_]+")
_COUNTED_MONTH = re.compile(r"(\d{1,2})[月월]")
_NUMBER = re.compile(r"\d+")


def leave_out(content: str, heard: str, *, years: frozenset[str]) -> str:
    """Leave out the days of these years that were said, or may have been."""
    folded = text.fold(heard)
    return _DATE.sub(
        lambda match: " " if any(one in match[0] for one in years) and may_mean(match, folded) else match[0], content
    )


def may_mean(match: re.Match[str], heard: str) -> bool:
    """Whether folded lines may name a day: its month and no other day, or a time by another word than a month."""
    months, times, stems = _load_words()
    words = _WORD.findall(heard)
    named = {months[word] for word in words if word in months} | {*map(int, _COUNTED_MONTH.findall(heard))}
    day = match["day"] or match["first"] or match["last"] or match["of_month"]
    month = match["middle"] or match["month"] or match["counted"] or months.get(text.fold(match["name"] or ""), 0)
    numbers = {*map(int, _NUMBER.findall(heard))} - named
    is_day = not day or int(day) in numbers
    if named and int(month):
        return int(month) in named and (is_day or not numbers)
    is_time = any(word in times or word.startswith(stems) for word in words)
    return is_time or any(word in heard for word in times if text.has_cjk(word)) or bool(day and is_day)


@cache
def _load_words() -> tuple[dict[str, int], frozenset[str], tuple[str, ...]]:
    rows = text.fold_case(_WORDS_FILE.read_text(encoding="utf-8").replace("\n", " | ")).split(" | ")
    months = {word: at for at, row in enumerate(rows[:_MONTHS], start=1) for word in row.split()}
    times = frozenset(text.fold(" ".join(rows[_MONTHS:])).split())
    return months, times, tuple(word[:-_ENDING] for word in times if len(word) >= _LEAST_STEM + _ENDING)
