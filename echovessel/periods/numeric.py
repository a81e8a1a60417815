"""Numeric dates, the same in every language."""

import re

from echovessel.periods import days
from echovessel.periods.days import Period, PeriodContext, Rule


def _resolve_day(match: re.Match[str], _: PeriodContext) -> list[Period]:
    return days.to_list(days.make_valid_day(int(match["year"]), int(match["month"]), int(match["day"])))


def _resolve_with_slashes(match: re.Match[str], view: PeriodContext) -> list[Period]:
    """3/5/2026 is the third of May or the fifth of March: return both if nothing decides."""
    year, a, b = days.parse_year(match["year"]), int(match["a"]), int(match["b"])
    readings = dict.fromkeys(
        days.to_list(days.make_valid_day(year, a, b)) + days.to_list(days.make_valid_day(year, b, a))
    )
    return list(readings) if view.leaning is None or len(readings) == 1 else []


def _resolve_without_year(match: re.Match[str], view: PeriodContext) -> list[Period]:
    """In Chinese the month comes first; in English either may, so return both if nothing decides."""
    a, b = int(match["a"]), int(match["b"])
    if match.groupdict().get("chinese") is not None:
        return view.nearest(days.repeat_yearly(a, b))
    readings = [view.nearest(days.repeat_yearly(*pair)) for pair in dict.fromkeys([(a, b), (b, a)])]
    found = [reading for reading in readings if reading]
    return [period for reading in found for period in reading] if view.leaning is None or len(found) == 1 else []


# What stands behind a date without a year in a Chinese text: 11.20那天; or, at its beginning, 10/3我说了什么.
_CHINESE_BEHIND = r"(?P<chinese>\s?(?=那[天晚]|当[天晚]|晚上|早上|上午|下午))"
_AT_START = r"(?<![^\s，。！？,])"
# What stands behind an English one, where 3/4 may be a share of something.
_ENGLISH_BEHIND = r"(?=\s*(?:$|[?.!,;)]|(?:i|we|you|what|did|that)\b))"
RULES: tuple[Rule, ...] = (
    (re.compile(r"(?<![\d.-])(?P<year>(?:19|20)\d\d)([-/.])(?P<month>\d{1,2})\2(?P<day>\d{1,2})(?!\d)"), _resolve_day),
    (re.compile(r"(?<![\d.])(?P<day>\d{1,2})\.\s?(?P<month>\d{1,2})\.\s?(?P<year>(?:19|20)\d\d)(?!\d)"), _resolve_day),
    (re.compile(r"(?<![\d/])(?P<a>\d{1,2})/(?P<b>\d{1,2})/(?P<year>(?:19|20)?\d\d)(?![\d/])"), _resolve_with_slashes),
    (re.compile(rf"(?<![\d/.-])(?P<a>1[0-2]|0?[1-9])[/.-](?P<b>[0-3]?\d){_CHINESE_BEHIND}"), _resolve_without_year),
    (
        re.compile(rf"{_AT_START}(?P<a>1[0-2]|0?[1-9])[/.](?P<b>[0-3]?\d)(?P<chinese>\s?(?=[我你咱跟和]))"),
        _resolve_without_year,
    ),
    (
        re.compile(rf"(?<=\bon\s)(?P<a>\d{{1,2}})/(?P<b>\d{{1,2}})(?![\d/]){_ENGLISH_BEHIND}", re.IGNORECASE),
        _resolve_without_year,
    ),
)
