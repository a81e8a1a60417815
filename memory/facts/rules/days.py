"""Writes out the days that a fact counts from the day on which it is told, and finds those on which it holds.

"Two weeks ago" grows wrong while it stands, "in the week of 9 November 2026" does not.
"""

from dataclasses import replace
from datetime import date, timedelta
from functools import partial

from echovessel import lazy_re as re
from echovessel import periods
from echovessel.llm.offline import event_dates
from echovessel.llm.offline.text import lexicon
from echovessel.periods import Leaning, Period
from memory.facts.rules.acts import Op, RuleAct

# Words that mean another day when they are read later; with a year of their own they do not.
_COUNTED = re.compile(
    r"^(?!.*(?:19|20)\d\d)(?:.*\b(?:ago|yesterday|today|tonight|tomorrow|last|past|previous|this|next|coming)\b|in (?!the\b)(?:\w+ ){1,2}\w+|.*[昨明前去上下这本后]|.*今[^年])",
    re.IGNORECASE,
)
# "Last year (2025)" says the year itself, "Monday, 12 April 2027" the day.
_DATED = re.compile(r"\s*[（(](?:19|20)\d\d|,? (?:\d{1,2} [A-Z]|[A-Z]\w+ \d)")
# "On Friday nights" is a habit, and so may "Friday choir" be.
_WEEKDAY = re.compile(r"(?P<on>on )?(?:mon|tues|wednes|thurs|fri|satur|sun)day", re.IGNORECASE)
# A day to which something moved may be each such day from now on, and one without a tense may be past: "fell off my bike on Monday".
_MOVED_TO, _IS = (
    re.compile(r"\bto $", re.IGNORECASE),
    re.compile(r"\b(?:is|are|am|been)\b|'(?:s|re|m)\b", re.IGNORECASE),
)
# What got moved has a day of its own, which is to come: "the scan got moved to Friday".
_GOT_MOVED = re.compile(
    r"\b(?:got|was|were|is|been|being)(?: \w+ly| now| just)? (?:moved|changed|pushed|put|rescheduled|postponed|brought)\b[^,.;]{0,12}\bto $",
    re.IGNORECASE,
)
_OF_ONE_DAY = re.compile(r"\W*$|[,.;!]| (?:morning|afternoon|evening|night|at|and|with|in|for|to|but|or)\b")
_PART_OF_DAY = re.compile(r" (?:morning|afternoon|evening)\b")
_PREPOSITION = re.compile(
    r"\b(?:(?P<since>since|from|after|before)|(?P<until>until|till|by|to)|on|in|for|over|around|during|of) $",
    re.IGNORECASE,
)
_THE = re.compile(r"\bthe $", re.IGNORECASE)
_CLAUSE = re.compile(r"((?:(?<!day)|(?!,\s(?:\d|[A-Z]\w+ \d)))[,;，；]\s*)")
# Of what is done each week "this week" is another one each time.
_EACH, _THIS = re.compile(r"\b(?:every|each)\b|每", re.IGNORECASE), re.compile(r"this\b|[这本]", re.IGNORECASE)
# What comes back each year does not end.
_EVERY_YEAR = re.compile(r"\b(?:birthday|anniversary)\b|生日|周年|忌日", re.IGNORECASE)
_OPEN_ENDED = re.compile(r"\b(?:since|until|till|by|from)\b|自从|以来|从|[到至]", re.IGNORECASE)
_YEAR = re.compile(r"(?:19|20)\d\d")
# A year, a month, a day, a week, other days.
_ENGLISH = ("{0:%Y}", "{0:%B %Y}", "{0.day} {0:%B %Y}", "the week of {0}", "{0} and {1}")
_CHINESE = ("{0.year}年", "{0.year}年{0.month}月", "{0.year}年{0.month}月{0.day}日", "{0}那周", "{0}到{1}")
# A season has days of its own, and reads ill with them.
_SEASON = re.compile(r"spring|summer|autumn|winter|[春夏秋冬][天季]?", re.IGNORECASE)
# Of 明年五一 the year alone is counted.
_YEAR_NAMED = re.compile(r"[明去前后]年(?=[^份的底初])")
_DAY, _MONTH = timedelta(1), timedelta(31)


def write_out(content: str, *, today: date) -> str:
    """Return a content with the days that it counts from today as days of the calendar."""
    return "".join(_write_clause(part, today=today) for part in _CLAUSE.split(content))


def write_out_act(act: RuleAct, *, today: date) -> RuleAct:
    """Return what a line asks for with its days written out, but for what it asks to forget in the words that told it."""
    if act.op == Op.FORGET:
        return act
    dated = partial(write_out, today=today)
    change = act.change and replace(act.change, denied=dated(act.change.denied), instead=dated(act.change.instead))
    return replace(act, content=dated(act.content), change=change)


def find_days(content: str, *, today: date) -> Period | None:
    """Return the coming days on which a content with days of the calendar holds; None where it names none or several, or no end of them."""
    is_once = _YEAR.search(content) and not _EVERY_YEAR.search(content)
    if not is_once or _OPEN_ENDED.search(content) or event_dates.find_leaning(content) is Leaning.PAST:
        return None
    found = periods.find_periods(content, today=today)
    is_coming = len(found) == 1 and found[0].end >= today and found[0].end - found[0].start <= _MONTH
    return found[0] if is_coming else None


def _write_clause(clause: str, *, today: date) -> str:
    is_chinese, leaning = lexicon.is_chinese(clause), event_dates.find_leaning(clause)
    is_timed = leaning is not None or _IS.search(clause) is not None

    def write(before: str, named: str, behind: str, meant: list[Period]) -> str:
        weekday, lead = _WEEKDAY.fullmatch(named), _PREPOSITION.search(before)
        if _THIS.match(named) and _EACH.search(clause.partition(named)[0]):
            return before + named
        is_put_off = _GOT_MOVED.search(before) is not None
        is_named_alone = weekday and (weekday["on"] or lead or not before)
        is_of_tense = is_put_off or (is_timed and not _MOVED_TO.search(before))
        is_one_day = is_of_tense and is_named_alone and _OF_ONE_DAY.match(behind)
        is_since = bool(lead and lead["since"])
        # "Since last year" is told as all the days until now.
        leans = Leaning.PAST if is_since else Leaning.FUTURE if is_put_off else leaning
        alone = periods.find_periods(named, today=today, leaning=leans)
        days = event_dates.choose_nearest(alone or meant, said_on=today)
        if days is None or _DATED.match(behind) or not (is_one_day if weekday else _COUNTED.match(named)):
            return before + named
        year = _YEAR_NAMED.match(named)
        if year and not _COUNTED.match(named[year.end() :]):
            return f"{before}{days.start.year}年{named[year.end() :]}"
        season = _SEASON.search(named)
        if is_chinese:
            return before + _word(days, (*_CHINESE[:-1], f"{days.start.year}年{season[0]}") if season else _CHINESE)
        forms = (*_ENGLISH[:-1], f"the {season[0].lower()} of {days.start.year}") if season else _ENGLISH
        joined = _join(_THE.sub("", before), days, forms, today=today)
        return joined + " in the" if _PART_OF_DAY.match(behind) else joined

    written = periods.replace_periods(clause, today=today, leaning=leaning, write=write)
    return written[:1].upper() + written[1:] if clause[:1].isupper() else written


def _join(before: str, days: Period, forms: tuple[str, ...], *, today: date) -> str:
    """Join days to the words before them, with the preposition that they need."""
    worded, lead = _word(days, forms), _PREPOSITION.search(before)
    is_span = " and " in worded
    if is_span and days.end == today:
        # "For the last two years" goes on.
        form = _ENGLISH[1] if days.end - days.start > _MONTH else _ENGLISH[2]
        return f"{_PREPOSITION.sub('', before)}since {form.format(days.start)}"
    if lead:
        edge = days.end if lead["until"] else days.start
        return before + (_ENGLISH[2].format(edge) if is_span else worded)
    return f"{before}{'between' if is_span else 'on' if days.start == days.end else 'in'} {worded}"


def _word(days: Period, forms: tuple[str, ...]) -> str:
    year, month, day, week, others = forms
    first, after = days.start, days.end + _DAY
    is_whole = first.day == after.day == 1
    if is_whole and (first.month, after.year) == (1, first.year + 1) and after.month == 1:
        return year.format(first)
    if is_whole and after - first <= _MONTH:
        return month.format(first)
    ends = [day.format(first), day.format(days.end)]
    return ends[0] if first == days.end else (week if after - first == 7 * _DAY else others).format(*ends)
