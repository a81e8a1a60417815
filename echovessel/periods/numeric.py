"""Dates in figures, the same in every language."""

import re

from echovessel.periods import days
from echovessel.periods.days import Period, Rule, View


def _year_first(match: re.Match[str], _: View) -> list[Period]:
    return days.present(days.dated(int(match["year"]), int(match["month"]), int(match["day"])))


def _day_first(match: re.Match[str], _: View) -> list[Period]:
    return days.present(days.dated(int(match["year"]), int(match["month"]), int(match["day"])))


def _with_slashes(match: re.Match[str], view: View) -> list[Period]:
    """3/5/2026 is the third of May or the fifth of March; both where nothing else decides."""
    year, a, b = int(match["year"]), int(match["a"]), int(match["b"])
    readings = dict.fromkeys(days.present(days.dated(year, a, b)) + days.present(days.dated(year, b, a)))
    return list(readings) if view.leaning is None or len(readings) == 1 else []


RULES: tuple[Rule, ...] = (
    (re.compile(r"(?<![\d.-])(?P<year>(?:19|20)\d\d)([-/.])(?P<month>\d{1,2})\2(?P<day>\d{1,2})(?!\d)"), _year_first),
    (re.compile(r"(?<![\d.])(?P<day>\d{1,2})\.\s?(?P<month>\d{1,2})\.\s?(?P<year>(?:19|20)\d\d)(?!\d)"), _day_first),
    (re.compile(r"(?<![\d/])(?P<a>\d{1,2})/(?P<b>\d{1,2})/(?P<year>(?:19|20)\d\d)(?![\d/])"), _with_slashes),
)
