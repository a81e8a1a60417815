"""Finds the days that the words of an event name, counted from the day it is said."""

from collections.abc import Iterable
from datetime import date, timedelta

from echovessel import lazy_re as re
from echovessel import periods
from echovessel.periods import Leaning, Period

# Days without a tense are more often in the future.
_SOON = timedelta(7)
_PLANNED = re.compile(
    r"\b(?:will|'ll|going to|gonna|tomorrow|next|plan\w*|on (?:mon|tues|wednes|thurs|fri|satur|sun)day (?:i|we|she|he)\b(?! (?:was|were|had|did|went|got|left|came|saw|met|broke|lost|said|told|\w+ed)\b)|appointment|in \w+ (?:days|weeks|months)|(?<!to )starts?|(?<!did i )(?<!did we )(?:have|has|needs?) to|due|having|want\w*|coming|(?:put|pushed) (?:back|off|to)|moved (?:back|off)|moved to (?=(?:the )?\d|next|(?:mon|tues|wednes|thurs|fri|satur|sun)day|january|february|march|april|may\b|june|july|august|september|october|november|december)|postponed|rescheduled|(?:am|is|are|'m|'s|'re) (?:to|being|getting)|(?:birthdays?|is|are|'s) (?:on )?(?:the )?(?:\d+(?:st|nd|rd|th)|(?:mon|tues|wednes|thurs|fri|satur|sun)day))\b|明天|后天|下周|下个|下月|打算|计划|准备|要(?!是)|会|(?:我|们|他|她)(?:[也还很都就])?想(?![起到念了过着必])",
    re.IGNORECASE,
)
# 今年二十八 is no day.
_AGE = re.compile(r"今年(?:都|已经|刚|快)?(?=\d{2}(?!\d|月|号)|[二三四五六七八九]?十[一二三四五六七八九]?(?![月号]))")
_PAST = re.compile(
    r"\b(?:was|were|had|did|went|got|left|came|saw|met|broke|lost|said|told|\w+ed)\b|(?<![死极])了|过(?!年|节|生日)",
    re.IGNORECASE,
)


def find_days(text: str, *, said_on: date, leaning: Leaning | None) -> Period | None:
    """Return the days that the first words of time in the text name, if any.

    "On Friday" and "in June" may be past or future: the leaning decides, else what comes within a week, else the nearest.
    """
    leanings = list(Leaning) if leaning is None else [leaning]
    text = _AGE.sub("", text)
    named = [periods.find_periods(text, today=said_on, leaning=each)[:1] for each in leanings]
    firsts = [period for found in named for period in found]
    return choose_nearest(firsts, said_on=said_on)


def choose_nearest(named: Iterable[Period], *, said_on: date) -> Period | None:
    """Choose of the days that words may mean those within a week to come, else the nearest."""
    return min(named, key=lambda period: _measure_distance(period, said_on), default=None)


def find_leaning(clause: str) -> Leaning | None:
    if _PLANNED.search(clause):
        return Leaning.FUTURE
    return Leaning.PAST if _PAST.search(clause) else None


def _measure_distance(period: Period, said_on: date) -> timedelta:
    return abs(period.start - said_on) - (_SOON if period.end >= said_on else timedelta())
