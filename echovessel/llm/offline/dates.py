"""When something told happens: the days its words name, counted from the day it is said."""

from datetime import date, timedelta

from echovessel import periods
from echovessel.periods import Leaning, Period

# What is told of without a tense is more often to come.
_SOON = timedelta(7)


def of(text: str, *, said_on: date, leaning: Leaning | None) -> Period | None:
    """The days the first words of time in the text name, if any.

    What may lie on either side ("on Friday", "in June") is read as it leans, else as what comes within a week, else as the nearest.
    """
    leanings = list(Leaning) if leaning is None else [leaning]
    named = [periods.find_periods(text, today=said_on, leaning=each)[:1] for each in leanings]
    firsts = [period for found in named for period in found]
    return min(firsts, key=lambda period: _distance(period, said_on), default=None)


def _distance(period: Period, said_on: date) -> timedelta:
    return abs(period.start - said_on) - (_SOON if period.end >= said_on else timedelta())
