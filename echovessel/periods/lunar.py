"""Days of the Chinese lunar calendar, from 1990 to 2050.

The table was computed from the new moons and the sun's longitude in Beijing time (Meeus 1998, chapters 25 and 49).
"""

from datetime import date, timedelta
from functools import cache

from echovessel.periods import days
from echovessel.periods.days import Period, YearlyPeriod

FIRST_YEAR = 1990
# Of each year: the New Year's month and day, the month that is repeated (0: none), and for each month whether it has 30 days and not 29.
_TABLE = (
    "0127:5:0100100101111 0215:0:010010010111 0204:0:011001001011 0123:3:0110101001010 0210:0:111010100101 0131:8:0110101100101 "
    "0219:0:010110101100 0207:0:101010110110 0128:5:1001001101101 0216:0:100100101110 0205:0:110010010110 0124:4:1101010010101 "
    "0212:0:110101001010 0201:0:110110100101 0122:2:0101101010101 0209:0:010101101010 0129:7:1010101011011 0218:0:001001011101 "
    "0207:0:100100101101 0126:5:1100100101011 0214:0:101010010101 0203:0:101101001010 0123:4:1011010101010 0210:0:101011010101 "
    "0131:9:0101010110101 0219:0:010010111010 0208:0:101001011011 0128:6:0101001010111 0216:0:010100101011 0205:0:101010010011 "
    "0125:4:0111010010101 0212:0:011010101010 0201:0:101011010101 0122:2:0100110110101 0210:0:010010110110 0129:6:1010010101110 "
    "0217:0:101001001110 0206:0:110100100110 0126:5:1110100100110 0213:0:110101010011 0203:0:010110101010 0123:3:0110101101010 "
    "0211:0:100101101101 0131:11:0100101011101 0219:0:010010101101 0208:0:101001001101 0128:6:1101001001011 0215:0:110100100101 "
    "0204:0:110101010010 0124:5:1101101010100 0212:0:101101011010 0201:0:010101101101 0122:2:0100101011011 0210:0:010010011011 "
    "0130:7:1010010010111 0217:0:101001001011 0206:0:101010100101 0126:5:1011010100101 0214:0:011011010010 0202:0:101011011010 "
    "0123:3:0101010110110 "
)
_YEARS = _TABLE.split()
LAST_MONTH = 12


@cache
def _find_months(year: int) -> dict[int, Period]:
    """Return the months of a lunar year by their number; a repeated month is part of the one before."""
    if not 0 <= year - FIRST_YEAR < len(_YEARS):
        return {}
    new_year, leap, lengths = _YEARS[year - FIRST_YEAR].split(":")
    numbers = sorted([*range(1, LAST_MONTH + 1), *([int(leap)] if leap != "0" else [])])
    start, months = date(year, int(new_year[:2]), int(new_year[2:])), dict[int, Period]()
    for number, is_long in zip(numbers, lengths, strict=True):
        end = start + timedelta(28 + int(is_long))
        months[number] = Period(months[number].start if number in months else start, end)
        start = end + timedelta(1)
    return months


def repeat_yearly(month: int, first: int | None = None, last: int | None = None) -> YearlyPeriod:
    """Return the same lunar days of every year, or the whole month. The twelfth month lies in the year that it leads to."""

    def made(year: int) -> Period | None:
        whole = _find_months(year - (month == LAST_MONTH)).get(month)
        if whole is None or first is None:
            return whole
        start, end = whole.start + timedelta(first - 1), whole.start + timedelta((last or first) - 1)
        return Period(start, end) if end <= whole.end else None

    return made


def make_new_year(year: int) -> Period | None:
    """Return the New Year's holiday: from its eve to its seventh day."""
    months = _find_months(year)
    return Period(months[1].start - timedelta(1), months[1].start + timedelta(6)) if months else None


def make_new_years_eve(year: int) -> Period | None:
    holiday = make_new_year(year)
    return holiday and days.make_day(holiday.start)
