"""The words around a period that change it ("early", "the week of", 前一天), and those that only go with it (那几天)."""

from collections.abc import Callable
from datetime import timedelta

from echovessel import lazy_re as re
from echovessel.periods import days
from echovessel.periods.days import Period, PeriodContext

LOOKED_AROUND = 24
_NTH = {word: at for words in (["first", "second", "third", "fourth"], "一二三四") for at, word in enumerate(words)}
_COUNTS = {"one": 1, "two": 2, "three": 3, "four": 4, "five": 5}
_UNIT_DAYS = {"week": 7, "weekend": 7, "周": 7, "星期": 7, "礼拜": 7}
# A feast of three days lies around its middle: "the day after Christmas".
_FEAST = 3

# Changes a period, by the match of the words around it.
Change = Callable[[re.Match[str], Period, PeriodContext], Period]


def _take_week(match: re.Match[str], period: Period, _: PeriodContext) -> Period:
    return period.week(_NTH.get((match["nth"] or "").lower()))


def _take_weekend_around(_: re.Match[str], period: Period, __: PeriodContext) -> Period:
    return days.make_weekend(period.start)


def _take_week_around(_: re.Match[str], period: Period, __: PeriodContext) -> Period:
    return period.week(None) if (period.end - period.start).days < 7 else period


def _take_half(match: re.Match[str], period: Period, _: PeriodContext) -> Period:
    middle = period.start + (period.end - period.start) // 2
    if match["half"].lower() in ("first", "上"):
        return Period(period.start, middle)
    return Period(min(middle + timedelta(1), period.end), period.end)


def _take_edge(match: re.Match[str], period: Period, _: PeriodContext) -> Period:
    return days.make_day(period.end if match["edge"].lower() in ("last", "最后", "最后一") else period.start)


def _take_up_to_now(match: re.Match[str], period: Period, view: PeriodContext) -> Period:
    if not period.start <= view.today <= period.end:
        return period
    earlier = match["side"].lower() == "earlier"
    return Period(period.start, view.today) if earlier else Period(view.today, period.end)


def _move_beside(period: Period, *, length: int, unit_days: int, is_before: bool) -> Period:
    """Return the days of a unit before or behind a period; of days only the farthest."""
    if (period.end - period.start).days + 1 == _FEAST:
        period = days.make_day(period.start + timedelta(1))
    away = timedelta(length * unit_days)
    edge = period.start - away if is_before else period.end + away
    if unit_days == 1:
        return days.make_day(edge)
    return Period(edge, period.start - timedelta(1)) if is_before else Period(period.end + timedelta(1), edge)


def _take_beside(match: re.Match[str], period: Period, _: PeriodContext) -> Period:
    unit_days = _UNIT_DAYS.get(match["unit"].lower().removesuffix("s"), 1)
    length = _COUNTS.get((match["count"] or "one").lower(), 1)
    return _move_beside(period, length=length, unit_days=unit_days, is_before=match["side"].lower() == "before")


def _take_beside_in_chinese(match: re.Match[str], period: Period, _: PeriodContext) -> Period:
    is_before = match["side"] == "前"
    return _move_beside(period, length=1, unit_days=_UNIT_DAYS.get(match["unit"], 1), is_before=is_before)


def _keep(_: re.Match[str], period: Period, __: PeriodContext) -> Period:
    return period


_BEFORE: tuple[tuple[re.Pattern[str], Change], ...] = tuple(
    (re.compile(rf"\b(?:{pattern})$", re.IGNORECASE), change)
    for pattern, change in (
        (
            r"(?:(?P<first>early|beginning of|start of)|(?P<middle>mid|middle of)|late|end of)[-\s]+(?:in\s+|the\s+)?",
            lambda match, period, _: period.part(0 if match["first"] else 1 if match["middle"] else 2),
        ),
        (r"(?:(?P<nth>first|second|third|fourth|last)\s+)?week\s+of\s+(?:the\s+)?", _take_week),
        (r"weekend\s+of\s+(?:the\s+)?", _take_weekend_around),
        (r"(?P<half>first|second)\s+half\s+of\s+(?:the\s+)?", _take_half),
        (r"(?:very\s+)?(?P<edge>first|last)\s+day\s+of\s+(?:the\s+)?", _take_edge),
        (
            r"(?:the\s+)?(?:(?P<count>one|two|three|four|five)\s+)?(?P<unit>day|night|evening|morning|week)s?\s+(?P<side>before|after)\s+(?:the\s+)?",
            _take_beside,
        ),
        (r"(?P<side>earlier|later)\s+(?:on\s+|in\s+)?", _take_up_to_now),
        (r"(?:that\s+)?(?:mon|tues|wednes|thurs|fri|satur|sun)day,?\s+", _keep),
        (r"(?:around|(?:morning|afternoon|evening|night)\s+of)\s+(?:the\s+)?", _keep),
    )
)
_BEHIND: tuple[tuple[re.Pattern[str], Change], ...] = tuple(
    (re.compile(pattern), change)
    for pattern, change in (
        ("的?(?:第(?P<nth>[一二三四])个?|(?P<last>最后一?个?))(?:周(?!末)|星期|礼拜)", _take_week),
        ("(?:的?那一?个?|的?当)(?:周(?!末|[一二三四五六日])|星期(?![一二三四五六日天])|礼拜(?![一二三四五六日天]))", _take_week_around),
        ("的?(?:那个?|当个?)周末", _take_weekend_around),
        ("的?(?P<side>[前后])一(?P<unit>天|晚|周(?!年|末)|个?星期|个?礼拜)", _take_beside_in_chinese),
        # The second day of a holiday, or the day after one day.
        ("的?(?:第二|次)[天日]", lambda _, period, __: days.make_day(period.start + timedelta(1))),
        ("的?(?P<edge>第一|头一|最后一?)天", _take_edge),
        ("的?(?P<half>[上下前后])半(?:月|个月|段)", _take_half),
        ("(?<=[号日])[，,（( ]?(?:周|星期|礼拜)[一二三四五六日天][）)]?", _keep),
        ("头上", lambda _, period, __: period.part(0)),
        (
            "的?(?:那一?[天晚夜]|那几[天日]|那两天|那会儿?|那时候?|那阵子?|当[天日晚]|期间|假期|长假|小长假|前后|左右|的时候|里)",
            _keep,
        ),
    )
)  # fmt: skip


def qualify(
    text: str, start: int, end: int, periods: list[Period], view: PeriodContext
) -> tuple[int, int, list[Period]]:
    """Apply the words around a period, of which the nearest before it and behind it count.

    Return where they begin and end, and what they make of it.
    """
    before = text[max(0, start - LOOKED_AROUND) : start]
    for pattern, change in _BEHIND:
        if found := pattern.match(text, end):
            end = found.end()
            periods = [change(found, period, view) for period in periods]
            break
    for pattern, change in _BEFORE:
        if found := pattern.search(before):
            start -= len(before) - found.start()
            periods = [change(found, period, view) for period in periods]
            break
    return start, end, list(dict.fromkeys(periods))
