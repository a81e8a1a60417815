"""Periods of whole days, and the choice among yearly ones."""

import re
from calendar import monthrange
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, timedelta
from enum import Enum

# The longest distance to a 29th of February.
YEARS_LOOKED_AT = 8
SATURDAY = 5


class Leaning(Enum):
    """Whether an ambiguous expression ("on Friday") means the past or the future."""

    PAST = "past"
    FUTURE = "future"


@dataclass(frozen=True, order=True)
class Period:
    """From one day to another, both inclusive."""

    start: date
    end: date

    def __str__(self) -> str:
        return f"{self.start}/{self.end}"

    def part(self, place: int) -> "Period":
        """Return its beginning, middle or end (0, 1, 2), or itself if it is too short.

        A part is a third; the beginning and the end of a year are two months.
        """
        length = (self.end - self.start).days + 1
        if length < 3:
            return self
        edge = timedelta(length // 6 if length > 300 else length // 3)
        if place == 0:
            return Period(self.start, self.start + edge - timedelta(1))
        if place == 1:
            return Period(self.start + edge, self.end - edge)
        return Period(self.end - edge + timedelta(1), self.end)

    def week(self, nth: int | None) -> "Period":
        """Return its week of that number, from 0 (None: the last). For a few days, return the week around them."""
        if (self.end - self.start).days < 7:
            return make_week(self.start)
        start = self.end - timedelta(6) if nth is None else self.start + timedelta(7 * nth)
        return Period(start, min(start + timedelta(6), self.end)) if start <= self.end else self


# Returns the yearly period of a year, or None if the year has no such day.
YearlyPeriod = Callable[[int], Period | None]


@dataclass(frozen=True)
class PeriodContext:
    """The day of a message, and the direction of its ambiguous expressions (None: both)."""

    today: date
    leaning: Leaning | None = None

    def either(self, past: Period | None, future: Period | None) -> list[Period]:
        """Return both periods, or the one on the side of the leaning."""
        wanted = {Leaning.PAST: [past], Leaning.FUTURE: [future], None: [past, future]}[self.leaning]
        return list(dict.fromkeys(period for period in wanted if period is not None))

    def nearest(self, made: YearlyPeriod) -> list[Period]:
        """Return the last one that has begun and the first one that is not over."""
        return self._nearest(self._around(made))

    def turned(self, made: YearlyPeriod, turn: int) -> list[Period]:
        """Return the last past period (-1), the current one (0), or the first future one (1)."""
        around = self._around(made)
        if turn < 0:
            return [period for period in around if period.end < self.today][-1:]
        if turn > 0:
            return [period for period in around if period.start > self.today][:1]
        now = [period for period in around if period.start <= self.today <= period.end]
        return now or (self._nearest(around) if self.leaning else to_list(made(self.today.year)))

    def weekday(self, number: int) -> list[Period]:
        """Return the last and the next such day (Monday is 0), without today."""
        behind = (self.today.weekday() - number - 1) % 7 + 1
        ahead = (number - self.today.weekday() - 1) % 7 + 1
        return self.either(make_day(self.today - timedelta(behind)), make_day(self.today + timedelta(ahead)))

    def weekend(self) -> list[Period]:
        """Return the last one that has begun and the first one that is not over."""
        now = make_weekend(self.today)
        return self.either(now if self.today >= now.start else self.shifted("weekend", -1), now)

    def day_of_month(self, number: int) -> list[Period]:
        """Return the last and the next day of the month with this number."""
        months = [get_month_after(self.today, count).start for count in range(-2, 3)]
        return self._nearest([found for at in months if (found := make_valid_day(at.year, at.month, number))])

    def shifted(self, unit: str, count: int) -> Period:
        """Return the week, weekend, month or year that is `count` units after the current one."""
        if unit == "year":
            return make_year(self.today.year + count)
        if unit == "month":
            return get_month_after(self.today, count)
        at = self.today + timedelta(7 * count)
        return make_weekend(at) if unit == "weekend" else make_week(at)

    def distance(self, unit: str, near: int, far: int) -> Period:
        """Return a period that is so many units from today (before it, if negative), as precisely as people mean it.

        Without a leaning, weeks away means the days around that day, else the week of that day;
        months away means that calendar month, years away that year.
        """
        ends = sorted((self._away(unit, near), self._away(unit, far)))
        return Period(ends[0].start, ends[1].end)

    def stretch(self, unit: str, count: int) -> Period:
        """Return the period from so many units ago until today, or from today on if positive."""
        if unit in ("month", "year"):
            other = shift_by_months(self.today, count * (12 if unit == "year" else 1))
        else:
            other = self.today + timedelta(count * (7 if unit == "week" else 1))
        return Period(min(other, self.today), max(other, self.today))

    def _away(self, unit: str, count: int) -> Period:
        if unit in ("month", "year"):
            return self.shifted(unit, count)
        at = self.today + timedelta(count * (7 if unit == "week" else 1))
        if unit == "week" and self.leaning:
            return make_week(at)
        slack = timedelta(3 if unit == "week" else 0)
        return Period(at - slack, at + slack)

    def _around(self, made: YearlyPeriod) -> list[Period]:
        first, last = self.today.year - YEARS_LOOKED_AT, self.today.year + YEARS_LOOKED_AT
        return [period for number in range(first, last + 1) if (period := made(number))]

    def _nearest(self, around: list[Period]) -> list[Period]:
        begun = [period for period in around if period.start <= self.today]
        to_come = [period for period in around if period.end >= self.today]
        return self.either(begun[-1] if begun else None, to_come[0] if to_come else None)


Meaning = Callable[[re.Match[str], PeriodContext], list[Period]]
# The pattern of an expression and its meaning.
Rule = tuple[re.Pattern[str], Meaning]


def to_list(period: Period | None) -> list[Period]:
    return [] if period is None else [period]


def parse_year(digits: str) -> int:
    """Parse a year of four digits, or of two."""
    return int(digits) if len(digits) > 2 else 2000 + int(digits)


def make_day(at: date) -> Period:
    return Period(at, at)


def make_valid_day(in_year: int, in_month: int, number: int) -> Period | None:
    if not (1 <= in_month <= 12 and 1 <= number <= monthrange(in_year, in_month)[1]):
        return None
    return make_day(date(in_year, in_month, number))


def repeat_yearly(in_month: int, first: int, last: int | None = None) -> YearlyPeriod:
    """Return the same days of every year."""

    def made(number: int) -> Period | None:
        start, end = make_valid_day(number, in_month, first), make_valid_day(number, in_month, last or first)
        return Period(start.start, end.end) if start and end and start <= end else None

    return made


def make_week(at: date) -> Period:
    monday = at - timedelta(at.weekday())
    return Period(monday, monday + timedelta(6))


def make_weekend(at: date) -> Period:
    """Return Saturday and Sunday of the day's week."""
    sunday = make_week(at).end
    return Period(sunday - timedelta(1), sunday)


def pick_in_month(month: Period, number: int, *, nth: int | None, length: int = 1) -> Period | None:
    """Return the weekday of this number (Monday is 0) and place in a month, from 0 (None: the last), with the days behind it;
    None if the month has no such day.
    """
    first = month.start + timedelta((number - month.start.weekday()) % 7)
    last = month.end - timedelta((month.end.weekday() - number) % 7)
    start = last if nth is None else first + timedelta(7 * nth)
    return Period(start, start + timedelta(length - 1)) if start <= month.end else None


def make_weekday(at: date, number: int) -> Period:
    return make_day(make_week(at).start + timedelta(number))


def make_month(in_year: int, number: int) -> Period:
    return Period(date(in_year, number, 1), date(in_year, number, monthrange(in_year, number)[1]))


def get_month_after(at: date, count: int) -> Period:
    """Return the month that is `count` months after (before, if negative) that of a day."""
    years, place = divmod(at.month - 1 + count, 12)
    return make_month(at.year + years, place + 1)


def shift_by_months(at: date, months: int) -> date:
    """Return the same day of another month, or its last day."""
    other = get_month_after(at, months)
    return other.start.replace(day=min(at.day, other.end.day))


def move_to_year(period: Period, in_year: int) -> Period:
    months = 12 * (in_year - period.start.year)
    return Period(shift_by_months(period.start, months), shift_by_months(period.end, months))


def make_year(number: int) -> Period:
    return Period(date(number, 1, 1), date(number, 12, 31))


def make_season(in_year: int, first_month: int) -> Period:
    """Return a season of three months on the northern hemisphere; a winter belongs to the year in which it begins."""
    start = date(in_year, first_month, 1)
    return Period(start, get_month_after(start, 2).end)


def compute_easter(in_year: int) -> date:
    """Easter Sunday (the anonymous Gregorian computus, Nature 1876)."""
    golden, century, rest = in_year % 19, in_year // 100, in_year % 100
    moon = (19 * golden + century - century // 4 - (century - (century + 8) // 25 + 1) // 3 + 15) % 30
    to_sunday = (32 + 2 * (century % 4) + 2 * (rest // 4) - moon - rest % 4) % 7
    correction = (golden + 11 * moon + 22 * to_sunday) // 451
    at_month, at_day = divmod(moon + to_sunday - 7 * correction + 114, 31)
    return date(in_year, at_month, at_day + 1)
