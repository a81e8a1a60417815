"""Numeric dates, the same in every language."""

import re

from echovessel.periods import days
from echovessel.periods.days import Period, PeriodContext, Rule


def _resolve_day(match: re.Match[str], _: PeriodContext) -> list[Period]:
    return days.to_list(days.make_valid_day(int(match["year"]), int(match["month"]), int(match["day"])))


def _resolve_with_slashes(match: re.Match[str], view: PeriodContext) -> list[Period]:
    """3/5/2026 is the third of May or the fifth of March: return both if nothing decides."""
    year, a, b = int(match["year"]), int(match["a"]), int(match["b"])
    readings = dict.fromkeys(
        days.to_list(days.make_valid_day(year, a, b)) + days.to_list(days.make_valid_day(year, b, a))
    )
    return list(readings) if view.leaning is None or len(readings) == 1 else []


RULES: tuple[Rule, ...] = (
    (
        re.compile(r"(?<![\d.-])(?P<year>(?:19|20)\d\d)([-/.])(?P<month>\d{1,2})\2(?P<day>\d{1,2})(?!\d)"),
        _resolve_day,
    ),
    (
        re.compile(r"(?<![\d.])(?P<day>\d{1,2})\.\s?(?P<month>\d{1,2})\.\s?(?P<year>(?:19|20)\d\d)(?!\d)"),
        _resolve_day,
    ),
    (re.compile(r"(?<![\d/])(?P<a>\d{1,2})/(?P<b>\d{1,2})/(?P<year>(?:19|20)\d\d)(?![\d/])"), _resolve_with_slashes),
)
