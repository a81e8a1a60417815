"""Check that a text says nothing that its lines do not: its numbers and known names, and what it quotes."""

from collections.abc import Iterable, Sequence

from echovessel import lazy_re as re
from echovessel import text

_MONTHS = "jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?"
_DAY = re.compile(
    r"\b\d{4}-\d{1,2}(?:-\d{1,2})?\b"
    rf"|\b\d{{1,2}}(?:st|nd|rd|th)?(?: of)? (?:{_MONTHS})\b(?:,? \d{{4}}\b)?"
    rf"|\b(?:{_MONTHS})\.? \d{{1,2}}(?:st|nd|rd|th)?\b(?:,? \d{{4}}\b)?"
    r"|\b(?:19|20)\d\d\b|(?:\d{2,4}年)?(?:\d{1,2}|[一二三四五六七八九十]{1,3})月(?:(?:\d{1,2}|[一二三四五六七八九十]{1,3})[日号])?|\d{2,4}年"
)
_IDIOM = re.compile(
    "十分|万一|千万别?|一[心二]二?[意用]?|三心二意|乱七八糟|七上八下|四处|四周|百般|万分|十足|三番两次|两[人口]"
)


def find_missing(said: str, heard: str, *, known_names: Iterable[Sequence[str]] = ()) -> list[str]:
    """Find the numbers and known names of a text that are not in what was heard; days are neither.

    `known_names` has the names of each known person or thing: one of them heard is enough for all.
    """
    folded, given = text.fold(said), text.fold(heard)
    numbers = [number for number in find_counts(folded) if number not in find_counts(given, with_days=True)]
    missing = list(dict.fromkeys(numbers))
    # "27 June" names nobody who is called June.
    plain = _DAY.sub(" ", folded)
    for names in known_names:
        of_one = [text.fold(name) for name in names]
        told = next((name for name in of_one if text.contains_name(plain, name)), None)
        if told is not None and not any(text.contains_name(given, name) for name in of_one):
            missing.append(told)
    return missing


def find_counts(folded: str, *, with_days: bool = False) -> list[str]:
    """Find the numbers of a folded text as digits, without those of days; 1 is none."""
    plain = _IDIOM.sub(" ", folded if with_days else _DAY.sub(" ", folded))
    values = map(text.read_number, text.COUNT.findall(plain))
    return [value for value in values if value not in ("0", "1")]


def holds_quote(line: str, quote: str) -> bool:
    """Whether a line holds a quote, whatever its case, spaces and marks."""
    wanted = _strip_marks(quote)
    return bool(wanted) and wanted in _strip_marks(line)


def _strip_marks(said: str) -> str:
    """Fold a text, without quotation marks around it, with straight marks and without an ellipsis at an end."""
    folded = text.fold(said).translate(_STRAIGHT)
    return folded.strip(" \"'.…")


_STRAIGHT = {ord(mark): ord('"') for mark in "“”「」『』"} | {ord(mark): ord("'") for mark in "‘’"}
