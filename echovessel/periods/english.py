"""English periods: the pattern and the meaning of each expression.

Ambiguous words ("may", "sat", "second", "fall", the names April and June) count only beside words that make
them a time.
"""

from dataclasses import replace
from datetime import date, timedelta

from echovessel import lazy_re as re
from echovessel.periods import days, holidays, qualifiers
from echovessel.periods.days import Leaning, Meaning, Period, PeriodContext, Rule, YearlyPeriod

_COUNTED = "one two three four five six seven eight nine ten eleven twelve"
_NUMBERS = {"a": 1, "an": 1} | {word: number for number, word in enumerate(_COUNTED.split(), start=1)}
# The ranges of "a couple" and "a few".
_VAGUE = {"couple": (2, 3), "few": (2, 5), "several": (3, 7)}
_COUNTED_OFF = (
    "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth sixteenth "
    "seventeenth eighteenth nineteenth twentieth twenty-first twenty-second twenty-third twenty-fourth twenty-fifth twenty-sixth "
    "twenty-seventh twenty-eighth twenty-ninth thirtieth thirty-first"
)
_ORDINALS = _COUNTED_OFF.split()
_WEEKDAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_SEASONS = {"spring": 3, "summer": 6, "autumn": 9, "fall": 9, "winter": 12}
_PARTS = {"beginning": 0, "start": 0, "middle": 1, "end": 2}
_TURNS = {"last": -1, "past": -1, "previous": -1, "this": 0, "next": 1, "coming": 1}

_DAYNAMES = "(?:mon|tues|wednes|thurs|fri|satur|sun)day"
_WEEKDAY = rf"(?P<weekday>{_DAYNAMES})(?:'s)?"
_SHORT_DAYNAMES = r"(?-i:Sat|Sun)|mon|tues?|weds|wed(?=\s*(?:$|[?.!,;]))|thurs?|thu|fri"
_ANY_WEEKDAY = rf"(?P<weekday>{_DAYNAMES}|{_SHORT_DAYNAMES})(?:'s)?"
_OTHER_MONTHS = (
    "january|february|april|june|july|august|september|october|november|december"
    r"|(?:jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)\b\.?"
)
_MONTH = rf"(?P<month>march|may|{_OTHER_MONTHS})"
# A month beside a bare number: "only 3 may come" is no date.
_WRITTEN_MONTH = rf"(?P<month>(?-i:March|May)|{_OTHER_MONTHS})"
_SURE_MONTH = "(?P<month>january|february|july|september|october|november|december)"
_SEASON = "(?P<season>spring|summer|autumn|fall|winter)"
_YEAR = r"(?P<year>(?:19|20)\d\d)"
_COUNTED = r"(?<!\b(?:day|bus)\s)(?<!\b(?:room|page|line|flat)\s)(?<!\b(?:route|level)\s)(?<!\b(?:number|flight)\s)(?<!\b(?:chapter|episode)\s)"
_OF_YEAR = rf"(?:,?\s+(?:of\s+|in\s+)?(?:{_YEAR}(?![\d:%])|(?P<which>last|this|next)\s+year))"
_NO_YEAR = "(?P<year>)(?P<which>)"
_COUNT = rf"(?:(?:a\s+)?(?P<vague>couple(?:\s+of)?|few|several)|(?P<count>\d{{1,3}}|{'|'.join(_NUMBERS)}))"
_UNIT = "(?P<unit>day|week|fortnight|month|year)s?"
_SPAN = r"(?P<unit>weekend|week|month|year)"
_NUMBER = r"(?P<day>\d{1,2})(?P<ordinal>)"
_NTH = rf"(?:(?P<day>\d{{1,2}})(?:st|nd|rd|th)(?:\s+of)?|(?P<ordinal>{'|'.join(reversed(_ORDINALS))})\s+of)"
_PLACE = "(?P<nth>first|second|third|fourth|fifth|last)"
_FROM = r"(?P<day>\d{1,2})(?:st|nd|rd|th)?(?P<ordinal>)"
_UNTIL = r"(?:\s*[-–]\s*|\s+(?:to|and|until|through)\s+(?:the\s+)?)(?P<until>\d{1,2})(?:st|nd|rd|th)?"
_TURN = r"(?P<turn>last|this|next)"
_ANY_TURN = r"(?:this\s+)?(?P<turn>last|past|previous|this|next|coming)"
# What may follow a bare number that is a day or a year and no count.
_NO_NOUN = (
    r"(?=\s*(?:$|[^\w\s%°$€£:]|(?:and|or|but|at|on|in|is|was|were|will|when|that|with|for|to|until|till|i|i'm|i'll|i've|we|he|she|they"
    r"|it|my|our|the|as|because|so|if|after|before|what|whether|how|who|where|why)\b))"
)
# A weekday beside its date adds nothing.
_NO_DATE = rf"(?!,?\s+(?:the\s+)?\d{{1,2}}(?:st|nd|rd|th)?(?:\s+of)?\s+(?:{'|'.join(_MONTHS)})|,?\s+(?:{'|'.join(_MONTHS)})\w*\s+\d)"
_AFTER_IN = re.compile(
    r"\b(?:in|since|during|until|till|by|around|early|late|mid|between|from|to|through|(?:end|beginning|start|middle|month|week)\s+of)"
    r"[-\s]+$",
    re.IGNORECASE,
)
_AFTER_OVER = re.compile(r"\b(?:in|over|during|since|until|till|by)\s+(?:the\s+)?$", re.IGNORECASE)
_HOLIDAY = rf"(?P<holiday>{'|'.join(sorted(holidays.ENGLISH, key=len, reverse=True))})"


def _parse_count(match: re.Match[str]) -> tuple[int, int]:
    if match["vague"]:
        return _VAGUE[match["vague"].lower().split()[0]]
    word = match["count"].lower()
    number = int(word) if word.isdigit() else _NUMBERS[word]
    return number, number


def _parse_unit(match: re.Match[str]) -> tuple[str, int]:
    unit = match["unit"].lower()
    return ("week", 2) if unit == "fortnight" else (unit, 1)


def _parse_turn(match: re.Match[str]) -> int:
    return _TURNS[match["turn"].lower()]


def _parse_weekday(match: re.Match[str]) -> int:
    return _WEEKDAYS.index(match["weekday"][:3].lower())


def _parse_yearly(match: re.Match[str]) -> YearlyPeriod:
    """Return the month, season or holiday of a match."""
    named = match.groupdict()
    if named.get("holiday"):
        return holidays.ENGLISH[named["holiday"].lower()]
    if named.get("season"):
        first_month = _SEASONS[named["season"].lower()]
        return lambda year: days.make_season(year, first_month)
    month = _MONTHS.index(match["month"][:3].lower()) + 1
    if named.get("nth"):
        nth = None if named["nth"].lower() == "last" else _ORDINALS.index(named["nth"].lower())
        weekday, length = (_parse_weekday(match), 1) if named["weekday"] else (days.SATURDAY, 2)
        return lambda year: days.pick_in_month(days.make_month(year, month), weekday, nth=nth, length=length)
    if "day" not in named:
        return lambda year: days.make_month(year, month)
    first = int(named["day"]) if named["day"] else _ORDINALS.index(match["ordinal"].lower()) + 1
    return days.repeat_yearly(month, first, int(named.get("until") or first))


def _resolve_in_year(match: re.Match[str], view: PeriodContext) -> list[Period]:
    """Resolve in the named year, else the nearest one."""
    made = _parse_yearly(match)
    if match["year"]:
        return days.to_list(made(int(match["year"])))
    if match["which"]:
        return days.to_list(made(view.today.year + _TURNS[match["which"].lower()]))
    return view.nearest(made)


def _resolve_turned(match: re.Match[str], view: PeriodContext) -> list[Period]:
    return view.turned(_parse_yearly(match), _parse_turn(match))


def _require_lead(lead: re.Pattern[str], means: Meaning) -> Meaning:
    """Restrict a meaning to matches behind a word that makes them a time."""

    def meant(match: re.Match[str], view: PeriodContext) -> list[Period]:
        before = match.string[max(0, match.start() - qualifiers.LOOKED_AROUND) : match.start()]
        return means(match, view) if lead.search(before) else []

    return meant


def _resolve_relative_day(match: re.Match[str], view: PeriodContext) -> list[Period]:
    words = match[0].lower().split()
    away = {"yesterday": -1, "night": -1, "last": -1, "tomorrow": 1}.get(words[-1].removesuffix("'s"), 0)
    return [days.make_day(view.today + timedelta(away * (2 if "day" in words or "before" in words else 1)))]


def _resolve_weekday(match: re.Match[str], view: PeriodContext) -> list[Period]:
    return view.weekday(_parse_weekday(match))


def _resolve_turned_weekday(match: re.Match[str], view: PeriodContext) -> list[Period]:
    number, turn = _parse_weekday(match), match["turn"].lower()
    behind, ahead = PeriodContext(view.today).weekday(number)
    if turn == "this":
        now = days.make_day(view.today)
        return [now] if view.today.weekday() == number else [behind if view.leaning is Leaning.PAST else ahead]
    if turn == "next":
        # "Next Friday" may mean the coming one or that of next week.
        later = days.make_weekday(view.today + timedelta(7), number)
        return [later] if view.leaning else list(dict.fromkeys([ahead, later]))
    return [behind if _parse_turn(match) < 0 else ahead]


def _resolve_weekday_in_week(match: re.Match[str], view: PeriodContext) -> list[Period]:
    return [days.make_weekday(view.today + timedelta(7 * _parse_turn(match)), _parse_weekday(match))]


def _resolve_turned_span(match: re.Match[str], view: PeriodContext) -> list[Period]:
    unit, turn = match["unit"].lower(), match["turn"].lower()
    if unit == "weekend":
        return [view.shifted(unit, 0)] if turn == "coming" else [view.shifted(unit, _parse_turn(match))]
    if turn == "past":
        return [view.stretch(unit, -1)]
    return [view.shifted(unit, _parse_turn(match))]


def _resolve_second_span(match: re.Match[str], view: PeriodContext) -> list[Period]:
    return [view.shifted(match["unit"].lower(), -2 if match["side"].lower() == "before" else 2)]


def _resolve_part_of_span(match: re.Match[str], view: PeriodContext) -> list[Period]:
    return [view.shifted(match["unit"].lower(), 0).part(_PARTS[match["part"].lower()])]


def _resolve_ago(match: re.Match[str], view: PeriodContext) -> list[Period]:
    (low, high), (unit, each) = _parse_count(match), _parse_unit(match)
    if unit == "year" and match["month"]:
        return days.to_list(_parse_yearly(match)(view.today.year - low))
    return [view.distance(unit, -low * each, -high * each)]


def _resolve_exactly_ago(match: re.Match[str], view: PeriodContext) -> list[Period]:
    (low, high), (unit, each) = _parse_count(match), _parse_unit(match)
    ends = (view.stretch(unit, -count * each).start for count in (high, low))
    return [Period(*ends)]


def _resolve_same_time(match: re.Match[str], view: PeriodContext) -> list[Period]:
    """ "This time last year" is the days around that day."""
    unit = match["unit"].lower()
    same = view.stretch(unit, -1).start
    slack = timedelta(7 if unit == "year" and match["about"].lower() == "time" else 0)
    return [Period(same - slack, same + slack)]


def _resolve_day_weeks_ago(match: re.Match[str], view: PeriodContext) -> list[Period]:
    counts = dict.fromkeys(_parse_count(match))
    return [days.make_weekday(view.today - timedelta(7 * count), _parse_weekday(match)) for count in counts]


def _resolve_nth_weekday_back(match: re.Match[str], view: PeriodContext) -> list[Period]:
    """ "Two Fridays ago", "the Friday before last"."""
    [last] = replace(view, leaning=Leaning.PAST).weekday(_parse_weekday(match))
    low, _ = _parse_count(match) if match.groupdict().get("vague") or match.groupdict().get("count") else (2, 2)
    return [days.make_day(last.start - timedelta(7 * (low - 1)))]


def _resolve_ahead(match: re.Match[str], view: PeriodContext) -> list[Period]:
    """ "In two weeks". In the past this is a duration and no time."""
    (low, high), (unit, each) = _parse_count(match), _parse_unit(match)
    return [] if view.leaning is Leaning.PAST else [view.distance(unit, low * each, high * each)]


def _resolve_stretch(match: re.Match[str], view: PeriodContext) -> list[Period]:
    (_, high), (unit, each) = _parse_count(match), _parse_unit(match)
    return [view.stretch(unit, high * each * _parse_turn(match))]


def _resolve_whole_year(match: re.Match[str], _: PeriodContext) -> list[Period]:
    return [days.make_year(int(match["year"]))]


def _resolve_decade(match: re.Match[str], _: PeriodContext) -> list[Period]:
    first = int(match["decade"]) * 10
    return [Period(date(first, 1, 1), date(first + 9, 12, 31))]


_UNITS_COUNTED = r"(?!\s+(?:people|steps|dollars|euros|pounds|times|words|pages|pieces|calories|kilomet|miles|km|kg|meters|metres|m|days|hours)\b)"

RULES: tuple[Rule, ...] = tuple(
    (re.compile(rf"\b(?:{pattern})(?!\w)", re.IGNORECASE), means)
    for pattern, means in (
        (r"today(?:'s)?|tonight|this\s+(?:morning|afternoon|evening)", _resolve_relative_day),
        (
            r"(?:(?:the\s+)?day\s+before\s+)?yesterday(?:'s)?|last\s+night|the\s+night\s+before\s+last",
            _resolve_relative_day,
        ),
        (r"(?:(?:the\s+)?day\s+after\s+)?tomorrow(?:'s)?", _resolve_relative_day),
        (rf"{_WEEKDAY}{_NO_DATE}", _resolve_weekday),
        (rf"on\s+{_ANY_WEEKDAY}{_NO_DATE}", _resolve_weekday),
        (rf"(?<!the\s){_ANY_TURN}\s+{_ANY_WEEKDAY}(?!\s+of\b)", _resolve_turned_weekday),
        (rf"{_TURN}\s+week,?\s+(?:on\s+)?{_ANY_WEEKDAY}", _resolve_weekday_in_week),
        (rf"(?:on\s+)?{_WEEKDAY},?\s+(?:of\s+)?{_TURN}\s+week", _resolve_weekday_in_week),
        (r"(?:at|on|over|during|for)\s+(?:the\s+)?weekend|(?:my|your|our)\s+weekend", lambda _, view: view.weekend()),
        (rf"{_ANY_TURN}\s+{_SPAN}(?:'s)?(?!\s+of\b)", _resolve_turned_span),
        (rf"(?:the\s+)?{_SPAN}\s+(?P<side>before)\s+last", _resolve_second_span),
        (rf"(?:the\s+)?{_SPAN}\s+(?P<side>after)\s+next", _resolve_second_span),
        (rf"(?P<part>beginning|start|middle|end)\s+of\s+the\s+{_SPAN}", _resolve_part_of_span),
        (rf"{_COUNT}\s+{_UNIT}\s+(?:ago(?:,?\s+(?:this|last|in)\s+{_MONTH})?|back(?=\s*(?:$|[?.!,;])))", _resolve_ago),
        (rf"{_COUNT}\s+weeks?\s+ago\s+(?:on\s+)?{_WEEKDAY}", _resolve_day_weeks_ago),
        (rf"{_COUNT}\s+(?P<weekday>{_DAYNAMES})s\s+ago", _resolve_nth_weekday_back),
        (rf"(?:the\s+)?{_WEEKDAY}\s+before\s+last", _resolve_nth_weekday_back),
        (rf"exactly\s+{_COUNT}\s+{_UNIT}\s+ago", _resolve_exactly_ago),
        (rf"{_COUNT}\s+{_UNIT}\s+ago\s+today", _resolve_exactly_ago),
        (r"this\s+(?P<about>time|day)\s+last\s+(?P<unit>week|month|year)", _resolve_same_time),
        (r"the\s+other\s+(?:day|night|evening|morning)", lambda _, view: [view.distance("day", -1, -10)]),
        (r"half\s+a\s+year\s+ago", lambda _, view: [view.shifted("month", -6)]),
        (rf"(?<!time\s)in\s+{_COUNT}\s+{_UNIT}(?:'s?)?(?:\s+time)?", _resolve_ahead),
        (rf"{_COUNT}\s+{_UNIT}\s+from\s+(?:now|today)", _resolve_ahead),
        (rf"(?P<turn>last|past|next|coming)\s+{_COUNT}\s+{_UNIT}", _resolve_stretch),
        (rf"(?:the\s+)?{_PLACE}\s+(?:weekend|{_WEEKDAY})\s+(?:of|in)\s+{_MONTH}{_OF_YEAR}?", _resolve_in_year),
        (rf"(?:the\s+)?{_NTH}\s+{_MONTH}{_OF_YEAR}?", _resolve_in_year),
        (rf"{_NUMBER}\s+{_WRITTEN_MONTH}{_OF_YEAR}?", _resolve_in_year),
        (rf"on\s+{_NUMBER}\s+{_MONTH}{_OF_YEAR}?", _resolve_in_year),
        (rf"(?:the\s+)?{_FROM}{_UNTIL}(?:\s+of)?\s+{_WRITTEN_MONTH}{_OF_YEAR}?", _resolve_in_year),
        (rf"{_MONTH}\s+(?:the\s+)?{_FROM}{_UNTIL}{_OF_YEAR}", _resolve_in_year),
        (rf"{_MONTH}\s+(?:the\s+)?{_FROM}{_UNTIL}{_NO_YEAR}{_NO_NOUN}", _resolve_in_year),
        (rf"{_MONTH}\s+(?:the\s+)?{_NUMBER}(?:st|nd|rd|th){_OF_YEAR}?", _resolve_in_year),
        (
            rf"{_WRITTEN_MONTH}\s+(?:the\s+)?(?P<day>)(?P<ordinal>{'|'.join(reversed(_ORDINALS))}){_OF_YEAR}?(?!\s+(?:day|half|thing|time|week))",
            _resolve_in_year,
        ),
        (rf"{_MONTH}\s+{_NUMBER}{_OF_YEAR}", _resolve_in_year),
        (rf"{_MONTH}\s+{_NUMBER}{_NO_YEAR}{_NO_NOUN}", _resolve_in_year),
        (rf"{_SURE_MONTH}{_OF_YEAR}?(?!\s+\d{{1,2}}(?:st|nd|rd|th))", _resolve_in_year),
        (rf"{_MONTH}{_OF_YEAR}", _resolve_in_year),
        (rf"{_MONTH}{_NO_YEAR}(?!'|\s+\d)", _require_lead(_AFTER_IN, _resolve_in_year)),
        (rf"(?<!the\s){_TURN}\s+{_MONTH}", _resolve_turned),
        (rf"{_SEASON}{_OF_YEAR}", _resolve_in_year),
        (rf"{_SEASON}{_NO_YEAR}", _require_lead(_AFTER_OVER, _resolve_in_year)),
        (rf"{_TURN}\s+{_SEASON}", _resolve_turned),
        (rf"{_HOLIDAY}{_OF_YEAR}?", _resolve_in_year),
        (rf"{_TURN}\s+{_HOLIDAY}", _resolve_turned),
        (r"(?:at|over|around)\s+new\s+year", lambda _, view: view.nearest(holidays.ENGLISH["new year's"])),
        (
            rf"(?:(?:on|around|by|until|till|for)\s+(?:(?:{_DAYNAMES}|{_SHORT_DAYNAMES}),?\s+)?|(?<=of\s))the\s+(?P<day>\d{{1,2}})(?:st|nd|rd|th){_NO_NOUN}",
            lambda match, view: view.day_of_month(int(match["day"])),
        ),
        (r"(?P<decade>(?:19|20)\d)0'?s", _resolve_decade),
        (rf"{_YEAR}(?![-/.,:%]?\d){_UNITS_COUNTED}", _require_lead(_AFTER_IN, _resolve_whole_year)),
        (rf"(?<![-$€£#.,:/\d]){_COUNTED}{_YEAR}(?![-/.,:%]\d){_NO_NOUN}", _resolve_whole_year),
    )
)
