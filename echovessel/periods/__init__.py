"""Finds the periods that a text names, in English and Chinese: "last summer", "on 3 May", 昨天, 上周三.

We use no library: the available ones parse single dates but no periods, take "may", "sat" and "second" for dates, or
know only one of the two languages.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import date
from functools import lru_cache

from echovessel import chinese_script
from echovessel import lazy_re as re
from echovessel.periods import chinese, days, english, numeric, qualifiers
from echovessel.periods.days import Leaning, Meaning, Period, PeriodContext

__all__ = ["Leaning", "Period", "find_periods", "remove_periods", "replace_periods"]

# Words that make the following period a habit or a wish.
_NO_TIME = re.compile(
    r"\b(?:every|every other|each|any|one|most|happy|merry|good|black|usual|typical)\s+(?:on\s+)?$", re.IGNORECASE
)
_SINCE = re.compile(r"(?:\bsince\s+|自从?)$", re.IGNORECASE)
_UNTIL = re.compile(r"\s*(?:-|–|~|\bto\b|\buntil\b|\btill\b|\bthrough\b|到|至)\s*", re.IGNORECASE)
_BETWEEN = re.compile(r"\bbetween\s+$", re.IGNORECASE)
_LATIN_RULES = (*numeric.RULES, *english.RULES)
_CHINESE = re.compile(r"[\u4e00-\u9fff]")
_LATIN = re.compile("[A-Za-z0-9]")


@dataclass(frozen=True)
class _NamedPeriods:
    start: int
    end: int
    periods: list[Period]
    # Whether the text names its year.
    is_firm: bool


def find_periods(text: str, *, today: date, leaning: Leaning | None = None) -> list[Period]:
    """Return the periods that a text of `today` names, in the order of the text, each once.

    `leaning` decides about periods that may be past or future ("on Friday", "in March"); without it both are returned.
    """
    plain = text.replace("’", "'")
    named = _find_named(plain, PeriodContext(today, leaning))
    return list(dict.fromkeys(period for found in _join_ranges(plain, named) for period in found.periods))


def remove_periods(text: str, *, today: date) -> str:
    """Remove the words that name periods or parts of periods from a text."""
    return replace_periods(text, today=today, write=lambda before, *_: f"{before} ")


def replace_periods(
    text: str, *, today: date, leaning: Leaning | None = None, write: Callable[[str, str, str, list[Period]], str]
) -> str:
    """Replace the words that name periods: `write` gets what is written so far, them, what follows and the periods, and writes on."""
    plain, written, at = text.replace("’", "'"), "", 0
    for found in _find_named(plain, PeriodContext(today, leaning)):
        before, named = written + plain[at : found.start], plain[found.start : found.end]
        written, at = write(before, named, plain[found.end :], found.periods), found.end
    return written + plain[at:]


# A turn looks for the periods of its burst five times.
@lru_cache(maxsize=8)
def _find_named(text: str, view: PeriodContext) -> tuple[_NamedPeriods, ...]:
    return _drop_overlaps(_find_matches(chinese_script.read(text), view))


def _find_matches(text: str, view: PeriodContext) -> Iterator[_NamedPeriods]:
    rules = (*(_LATIN_RULES if _LATIN.search(text) else ()), *(chinese.RULES if _CHINESE.search(text) else ()))
    for pattern, means in rules:
        for match in pattern.finditer(text):
            start, end, periods = _interpret(match, means, view)
            if periods:
                is_firm = any(match.groupdict().get(name) for name in ("year", "which", "turn"))
                yield _NamedPeriods(start, end, periods, is_firm=is_firm)


def _interpret(match: re.Match[str], means: Meaning, view: PeriodContext) -> tuple[int, int, list[Period]]:
    """Return the meaning of a match with the words around it (early, late, since, the first week of), and where these begin and end."""
    before = match.string[max(0, match.start() - qualifiers.LOOKED_AROUND) : match.start()]
    behind = match.string[match.end() : match.end() + qualifiers.LOOKED_AROUND]
    if _NO_TIME.search(before):
        return match.start(), match.end(), []
    if _is_until_now(before, behind, view):
        past = means(match, replace(view, leaning=Leaning.PAST))
        return match.start(), match.end(), [Period(period.start, max(period.end, view.today)) for period in past]
    return qualifiers.qualify(match.string, match.start(), match.end(), means(match, view), view)


def _is_until_now(before: str, behind: str, view: PeriodContext) -> bool:
    """Whether it lasts until now: "since March", 三月以来; 从三月开始 may be future."""
    if _SINCE.search(before) or behind.startswith("以来"):
        return True
    return view.leaning is not Leaning.FUTURE and before.endswith("从") and behind.startswith(("开始", "起"))


def _drop_overlaps(named: Iterable[_NamedPeriods]) -> tuple[_NamedPeriods, ...]:
    """Keep the first and longest of overlapping matches."""
    kept: list[_NamedPeriods] = []
    for found in sorted(named, key=lambda found: (found.start, -found.end)):
        if not kept or found.start >= kept[-1].end:
            kept.append(found)
    return tuple(kept)


def _join_ranges(text: str, named: Iterable[_NamedPeriods]) -> list[_NamedPeriods]:
    """Join "from March to May" into one period."""
    joined: list[_NamedPeriods] = []
    for found in named:
        if joined and _is_range(text, joined[-1], found) and (spans := _join_pair(joined[-1], found)):
            joined[-1] = _NamedPeriods(joined[-1].start, found.end, spans, is_firm=True)
        else:
            joined.append(found)
    return joined


def _is_range(text: str, first: _NamedPeriods, last: _NamedPeriods) -> bool:
    link = text[first.end : last.start]
    if _UNTIL.fullmatch(link):
        return True
    before = text[max(0, first.start - qualifiers.LOOKED_AROUND) : first.start]
    return link.strip().lower() == "and" and _BETWEEN.search(before) is not None


def _join_pair(first: _NamedPeriods, last: _NamedPeriods) -> list[Period]:
    """Join two periods; if only one has a year, both get it: "March to May 2025", 去年三月到五月."""
    if last.is_firm and not first.is_firm:
        pairs = [(start, end) for end in last.periods for start in _repeat_in_years(end, first.periods)]
        best = max((pair for pair in pairs if pair[0].start <= pair[1].start), default=None)
        return [Period(best[0].start, best[1].end)] if best else []
    spans = []
    for start in first.periods:
        ends = last.periods if first.is_firm == last.is_firm else _repeat_in_years(start, last.periods)
        if later := [end for end in ends if end.start >= start.start]:
            spans.append(Period(start.start, min(later).end))
    return spans


def _repeat_in_years(fixed: Period, periods: list[Period]) -> list[Period]:
    """Return the periods, and the same days in the years of the fixed period and next to it."""
    years = range(fixed.start.year - 1, fixed.start.year + 2)
    return [*periods, *(days.move_to_year(period, year) for period in periods for year in years)]
