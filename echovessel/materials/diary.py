"""Splits a diary or notes into entries with days, at lines that are headings or begin with a date.

Only days in the text count. An impossible date stays in the text, as the heading of an entry without a day.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from datetime import date

from echovessel import lazy_re as re
from echovessel.materials.material import Passage
from echovessel.periods.chinese import parse_number

_MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]
_MONTH = r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\b\.?"
_YEAR = r"(?:19|20)\d\d"
_WEEKDAY = r"(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day|(?:mon|tue|wed|thu|fri|sat|sun)\b\.?|(?:星期|周|礼拜)[一二三四五六日天])"
_MARKS = r"[\s>*_=~•]{0,8}(?P<hash>#{0,6})[\s*_]{0,4}"
_HAN = r"(?:\d{1,2}|[一二三四五六七八九十]{1,3})"
_DAY = (
    rf"(?P<y1>{_YEAR})[-/.](?P<m1>\d{{1,2}})[-/.](?P<d1>\d{{1,2}})(?!\d)"
    rf"|(?P<d2>\d{{1,2}})\.\s?(?P<m2>\d{{1,2}})\.\s?(?P<y2>{_YEAR})(?!\d)"
    rf"|(?:(?P<y3>{_YEAR})\s?年\s?)?(?P<m3>{_HAN})\s?月\s?(?P<d3>{_HAN})\s?[日号]"
    rf"|(?P<d4>\d{{1,2}})(?:st|nd|rd|th)?(?: of)? (?P<m4>{_MONTH})(?:,? (?P<y4>{_YEAR}))?(?!\d)"
    rf"|(?P<m5>{_MONTH}) (?P<d5>\d{{1,2}})(?:st|nd|rd|th)?(?!\d)(?:,? (?P<y5>{_YEAR}))?(?!\d)"
)
_DATED = re.compile(
    rf"{_MARKS}(?:{_WEEKDAY}[,，]?\s?)?(?:{_DAY})(?:[,，]?\s?[(（]?{_WEEKDAY}[)）]?)?[\s*_]{{0,4}}(?P<break>[:：.。,，—–|-]|$|(?=\s))",
    re.IGNORECASE,
)
_MONTH_LINE = re.compile(
    rf"{_MARKS}(?:(?P<m4>{_MONTH})(?:,? (?P<y4>{_YEAR}))?|(?:(?P<y3>{_YEAR})\s?年\s?)?(?P<m3>{_HAN})\s?月)[\s*_:：]{{0,4}}$",
    re.IGNORECASE,
)
_YEAR_LINE = re.compile(rf"{_MARKS}(?P<year>{_YEAR})\s?年?[\s*_:：]{{0,4}}$")
_HEADING = re.compile(r"(?P<hash>#{1,6})\s{1,4}(?P<title>\S.*)$")
_LINE_MOST = 120
_TITLE_MOST = 200
# The longest text after a day without punctuation: "3月3日 晴".
_WEATHER_MOST = 8
# If the month goes back by this many, a new year has begun.
_NEW_YEAR = 6


@dataclass
class _Entry:
    said_on: date | None = None
    title: str = ""
    # The level of the heading with its day; 0 if the day is in no heading.
    level: int = 0
    lines: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class _KnownDate:
    """The year and the last day that earlier lines name."""

    year: int | None
    month: int = 0


def split_entries(text: str) -> list[Passage]:
    """Return the entries in the text's order, or nothing if it has neither dates nor headings."""
    found = [
        Passage("\n".join(entry.lines).strip(), entry.said_on, entry.title[:_TITLE_MOST]) for entry in _split(text)
    ]
    told = [passage for passage in found if passage.text]
    return told if any(passage.said_on or passage.title for passage in told) else []


def is_impossible_date(title: str) -> bool:
    found = _DATED.match(title)
    return found is not None and _parse_day(found, _KnownDate(2024)) is None


def parse_month(title: str) -> tuple[int, int] | None:
    """Return the year and month that a heading names, or None if it names no whole month."""
    found = _MONTH_LINE.match(title)
    year, month = (_get_number(found, "y"), _get_month_number(found)) if found else (0, 0)
    return (year, month) if year and month else None


def _split(text: str) -> Iterator[_Entry]:
    lines = text.splitlines()
    first = re.search(_YEAR, lines[0][:_LINE_MOST]) if lines else None
    known, entry, is_new_paragraph = _KnownDate(int(first[0]) if first else None), _Entry(), True
    for line in lines:
        begun = _start_entry(line, entry, known, is_new_paragraph=is_new_paragraph)
        if begun is None:
            entry.lines.append(line)
        else:
            yield entry
            entry, known = begun
        is_new_paragraph = not line.strip()
    yield entry


def _start_entry(
    line: str, before: _Entry, known: _KnownDate, *, is_new_paragraph: bool
) -> tuple[_Entry, _KnownDate] | None:
    """Return the entry that begins with a line, and the known date after it."""
    head = line[:_LINE_MOST]
    if found := _DATED.match(head):
        is_brief = len(line[found.end() :].strip()) <= _WEATHER_MOST
        is_day = found["break"] or is_brief or (is_new_paragraph and _get_number(found, "y"))
        return _start_day(line, found, known) if is_day else None
    if found := _YEAR_LINE.match(head):
        return _Entry(title=found["year"], level=len(found["hash"])), _KnownDate(int(found["year"]))
    if (found := _MONTH_LINE.match(head)) and _is_month(found, known):
        year = _get_number(found, "y") or known.year
        title = line.strip(" #*_:：")
        if not _get_number(found, "y"):
            title = f"{year}年{_get_month_number(found)}月" if found["m3"] else f"{title} {year}"
        return _Entry(title=title, level=len(found["hash"])), _KnownDate(year, _get_month_number(found))
    if found := _HEADING.match(head):
        is_below = before.level and len(found["hash"]) > before.level
        return _Entry(before.said_on if is_below else None, line.strip("# "), before.level if is_below else 0), known
    return None


def _start_day(line: str, found: re.Match[str], known: _KnownDate) -> tuple[_Entry, _KnownDate]:
    rest = line[found.end() :].strip(" *_\t")
    day = _parse_day(found, known)
    level = len(found["hash"])
    if day is None:
        # Keep text that cannot be parsed.
        return _Entry(title=line[: found.end()].strip(" #*_:：,，.。—–|-"), lines=[line]), known
    is_title = len(rest) <= _WEATHER_MOST or (bool(level) and len(rest) < _LINE_MOST)
    entry = _Entry(day, rest if is_title else "", level, [] if is_title or not rest else [rest])
    return entry, replace(known, year=day.year, month=day.month)


def _parse_day(found: re.Match[str], known: _KnownDate) -> date | None:
    """Return the day of a heading, or None if the year is unknown or the day impossible."""
    month, told_year = _get_month_number(found), _get_number(found, "y")
    year = told_year or known.year
    if year and not told_year and known.month - month >= _NEW_YEAR:
        year += 1
    try:
        return date(year, month, _get_number(found, "d")) if year else None
    except ValueError:
        return None


def _is_month(found: re.Match[str], known: _KnownDate) -> bool:
    return bool(_get_number(found, "y") or (known.year and (found["hash"] or found["m3"])))


def _get_month_number(found: re.Match[str]) -> int:
    said = next((value for name, value in found.groupdict().items() if name.startswith("m") and value), "")
    return _MONTHS.index(said[:3].lower()) + 1 if said.isascii() and said[:1].isalpha() else parse_number(said)


def _get_number(found: re.Match[str], letter: str) -> int:
    """Return a year or a day, or 0 if it is missing."""
    names = (name for name in found.groupdict() if re.fullmatch(rf"{letter}\d", name))
    said = next((found[name] for name in names if found[name]), "")
    return parse_number(said) if said else 0
