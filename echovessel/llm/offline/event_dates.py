"""Finds the days that the words of an event name, counted from the day it is said."""

from collections.abc import Iterable
from datetime import date, timedelta

from echovessel import lazy_re as re
from echovessel import periods
from echovessel.llm.offline.english.vocabulary import IRREGULAR
from echovessel.llm.offline.text import sentences
from echovessel.periods import Leaning, Period

# Days without a tense are more often in the future.
_SOON = timedelta(7)
_PLANNED = re.compile(
    r"\b(?:will|'ll|would be|(?:if|whether) (?:i|we|he|she|they)'?d (?!been\b|had\b|\w+ed\b)|(?:is|are|'s|'re|'m) (?:home|back|away|here|off|over|free|busy) (?:again |by |from )?on (?:the )?(?=\d|\w+day\b)|going to|gonna|tomorrow|next|plan(?:s|ned|ning)?|on (?:mon|tues|wednes|thurs|fri|satur|sun)day (?:i|we|she|he)\b(?! (?:was|were|had|did|went|got|left|came|saw|met|broke|lost|said|told|\w+ed)\b)|appointment|in \w+ (?:days|weeks|months)|(?<!to )starts?|(?<!did i )(?<!did we )(?:have|has|needs?|got) to|due|having|want\w*|coming|(?:put|pushed) (?:back|off|to)|brought forward|changed to (?:the )?(?=\d)|moved (?:back|off)|moved to (?=(?:the )?\d|next|(?:mon|tues|wednes|thurs|fri|satur|sun)day|january|february|march|april|may\b|june|july|august|september|october|november|december)|postponed|rescheduled|(?:am|is|are|'m|'s|'re) (?:to|being|getting|thinking)|(?:booked|reserved|scheduled|arranged|entered|signed up)\b[^.!?]{0,60}\bfor|moved (?:my|our|the|it|his|her) [^.!?]{0,24}?\bto (?=(?:the )?\d|next|january|february|march|april|may\b|june|july|august|september|october|november|december)|(?:wedding|exam|test|operation|surgery|op|scan|interview|flight|trip|holiday|hearing|gig|concert|show|due date|party|recital|graduation|ceremony|viva|course|move|race|marathon|deadline)(?: is|'s)|(?:birthdays?|is|are|'s) (?:on )?(?:the )?(?:\d+(?:st|nd|rd|th)|(?:mon|tues|wednes|thurs|fri|satur|sun)day))\b|明天|后天|下周|下个|下月|打算|计划|[定订排约]在|安排在|(?:考|面试|手术|婚礼|婚期|复查|答辩|开学|演唱会|比赛|家长会|开庭|预产期)(?:时间|日期)?(?:就|都)?[是在](?=\d|[一二三四五六七八九十]|下|周)|[预订]订了|(?<![规决])订了|约了|报了(?!警)|报名|改[到成期]|挪到|推迟到|提前到|买(?:了|好|到)[^，,。]{0,16}票|月(?:底|初)?(?:要|就|再|才)?(?:去|开学|结婚|生(?!日))(?!的|[^，,。]{0,12}[了过])|准备|要(?!是)|会|(?:我|们|他|她)(?:[也还很都就])?想(?![起到念了过着必])",
    re.IGNORECASE,
)
# 今年二十八 is no day.
_AGE = re.compile(r"今年(?:都|已经|刚|快)?(?=\d{2}(?!\d|月|号)|[二三四五六七八九]?十[一二三四五六七八九]?(?![月号]))")
# A holiday that only says which tree, and a habit: "the Christmas tree", "on Tuesday and Friday mornings".
_NO_DAY = re.compile(
    r"\b(?:christmas|xmas|easter|halloween|birthday|new year's?)(?= (?:trees?|presents?|gifts?|cards?|cakes?|dinners?|jumpers?|shopping|decorations?|lights|part(?:y|ies)|markets?|do|eggs?|puddings?|carols?|songs?|music|stockings?|wrapping|crackers?|balls?|fairs?|plays?|shows?|concerts?|jumpers?|discos?)\b)"
    r"|\b(?:on )?(?:mon|tues|wednes|thurs|fri|satur|sun)days?(?:(?:,| and| or| &) (?:mon|tues|wednes|thurs|fri|satur|sun)days?)* (?:mornings|afternoons|evenings|nights)\b"
    r"|(?:圣诞节?|春节|过年|中秋节?|端午节?|情人节)(?=的?(?:树|礼物|卡|帽|歌|市集|装饰|礼))",
    re.IGNORECASE,
)
_PAST = re.compile(
    r"\b(?:was|were|had|did|went|(?<!'ve )(?<!'s )(?<!have )(?<!has )got|left|came|saw|met|broke|lost|said|told|\w+ed)\b|(?<![死极])了|过(?!年|节|生日)|[月份号日周][^，,。的要会]{1,5}的(?:孩子|娃|婚)?\W*$",
    re.IGNORECASE,
)

_CLAUSE = re.compile(r"(?<!\d)[,;，；] ?")
# "A bit" and "to beat" tell no past.
_PAST_FORMS = IRREGULAR.keys() - {"bit", "beat"}


def find_days(text: str, *, said_on: date, leaning: Leaning | None) -> Period | None:
    """Return the days that the first words of time in the text name, if any.

    "On Friday" and "in June" may be past or future: the leaning decides, else what comes within a week, else the nearest.
    """
    leanings = list(Leaning) if leaning is None else [leaning]
    text = _NO_DAY.sub("", _AGE.sub("", text))
    named = [periods.find_periods(text, today=said_on, leaning=each) for each in leanings]
    firsts = [_choose_told(found, said_on=said_on) for found in named if found]
    return choose_nearest(firsts, said_on=said_on)


def list_days(text: str, *, said_on: date) -> list[Period]:
    """List the days that the clauses of a text name: those before it of what is past, both where nothing tells which."""
    clauses = (clause for said in sentences.split(text) for clause in split_clauses(said))
    return [
        period
        for clause in clauses
        for period in periods.find_periods(clause, today=said_on, leaning=find_leaning(clause))
    ]


def split_clauses(sentence: str) -> list[str]:
    return _CLAUSE.split(sentence)


def is_of_telling(days: Period, *, said_on: date) -> bool:
    """Whether it may only be when something was heard: "I booked a flight yesterday, for the 3rd of March"."""
    return days.start == days.end and said_on - timedelta(1) <= days.end <= said_on


def _choose_told(named: list[Period], *, said_on: date) -> Period:
    """Choose of the days in a text the first, unless that may be when it was heard and another lies ahead."""
    ahead = (days for days in named[1:] if days.start > said_on)
    return next(ahead, named[0]) if is_of_telling(named[0], said_on=said_on) else named[0]


def choose_nearest(named: Iterable[Period], *, said_on: date) -> Period | None:
    """Choose of the days that words may mean those within a week to come, else the nearest."""
    return min(named, key=lambda period: _measure_distance(period, said_on), default=None)


def find_leaning(clause: str) -> Leaning | None:
    if _PLANNED.search(clause):
        return Leaning.FUTURE
    is_past = _PAST.search(clause) or not _PAST_FORMS.isdisjoint(re.findall("[a-z]+(?!['’a-z])", clause.lower()))
    return Leaning.PAST if is_past else None


def is_of_past(text: str) -> bool:
    return find_leaning(text) is Leaning.PAST


def _measure_distance(period: Period, said_on: date) -> timedelta:
    return abs(period.start - said_on) - (_SOON if period.end >= said_on else timedelta())
