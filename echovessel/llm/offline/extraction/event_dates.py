"""Finds the days that the words of an event name, counted from the day it is said."""

from datetime import date, timedelta

from echovessel import periods
from echovessel.periods import Leaning, Period

# Days without a tense are more often in the future.
_SOON = timedelta(7)


def find_days(text: str, *, said_on: date, leaning: Leaning | None) -> Period | None:
    """Return the days that the first words of time in the text name, if any.

    "On Friday" and "in June" may be past or future: the leaning decides, else what comes within a week, else the nearest.
    """
    leanings = list(Leaning) if leaning is None else [leaning]
    named = [periods.find_periods(text, today=said_on, leaning=each)[:1] for each in leanings]
    firsts = [period for found in named for period in found]
    return min(firsts, key=lambda period: _measure_distance(period, said_on), default=None)


def _measure_distance(period: Period, said_on: date) -> timedelta:
    return abs(period.start - said_on) - (_SOON if period.end >= said_on else timedelta())
