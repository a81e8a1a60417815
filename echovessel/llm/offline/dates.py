"""When something told happens: the days its words name, counted from the day it is said."""

import re
from calendar import monthrange
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, timedelta

DAY = timedelta(days=1)
_YEAR_DAYS = 365


@dataclass(frozen=True)
class Days:
    start: date
    end: date


_WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_MONTHS = (
    "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november", "december",
)  # fmt: skip
_NUMBERS = {word: at for at, word in enumerate("zero one two three four five six seven eight nine ten".split())} | {  # noqa: SIM905  (reads better)
    "a": 1, "an": 1, "twelve": 12, "couple of": 2, "a couple of": 2,
    **{character: at for at, character in enumerate("零一二三四五六七八九十")}, "两": 2,
}  # fmt: skip
_NUMBER = r"(?P<n>\d{1,3}|a couple of|couple of|an?|one|two|three|four|five|six|seven|eight|nine|ten|twelve)"
_HAN_NUMBER = r"(?P<n>\d{1,3}|[一二两三四五六七八九十])"
_WEEKDAY = rf"(?P<weekday>{'|'.join(_WEEKDAYS)})"
_MONTH = rf"(?P<month>{'|'.join(_MONTHS)})"
_NTH = r"(?P<day>\d{1,2})(?:st|nd|rd|th)?"
_HAN_DAY = r"(?:[1-3]\d|\d|[二三]?十[一二三四五六七八九]?|[一二三四五六七八九])"
_HAN_WEEKDAYS = "一二三四五六日天"
_AWAY = {"the day before yesterday": -2, "yesterday": -1, "last night": -1, "today": 0, "tonight": 0, "this morning": 0, "this afternoon": 0, "this evening": 0,
         "the day after tomorrow": 2, "tomorrow": 1, "大前天": -3, "前天": -2, "昨天": -1, "昨晚": -1, "昨夜": -1, "今天": 0, "今早": 0, "今晚": 0, "今晨": 0, "大后天": 3, "后天": 2, "明天": 1, "明早": 1, "明晚": 1}  # fmt: skip
_SIDE = {"last": -1, "this": 0, "next": 1, "上上": -2, "上": -1, "这": 0, "本": 0, "下": 1, "下下": 2}
_UNIT = {"day": 1, "week": 7, "天": 1, "周": 7, "星期": 7, "个星期": 7, "礼拜": 7, "个礼拜": 7}


def of(text: str, *, said_on: date, leaning: str) -> Days | None:
    """The days the first words of time in the text name, if any.

    `leaning` is "past", "future", or "" for the nearest, where "on Friday" or "in June" may be either.
    """
    found = []
    for pattern, days in _RULES:
        if match := pattern.search(text):
            found.append((match.start(), -len(match.group()), days, match))
    for _, _, days, match in sorted(found, key=lambda one: one[:2]):
        try:
            return days(match, said_on, leaning)
        except (ValueError, OverflowError):
            continue
    return None


def _day(at: date) -> Days:
    return Days(at, at)


def _month(year: int, month: int) -> Days:
    year, month = year + (month - 1) // 12, (month - 1) % 12 + 1
    return Days(date(year, month, 1), date(year, month, monthrange(year, month)[1]))


def _number(match: re.Match[str]) -> int:
    word = match["n"].lower()
    return int(word) if word.isdecimal() else _NUMBERS[word]


def _counted(number: str) -> int:
    """A number up to 39 in digits or Chinese characters."""
    if number.isdecimal():
        return int(number)
    tens, ten, ones = number.rpartition("十")
    return (_NUMBERS[tens] if tens else 1 if ten else 0) * 10 + (_NUMBERS[ones] if ones else 0)


def _away(match: re.Match[str], today: date, leaning: str) -> Days:
    return _day(today + _AWAY[match.group().lower()] * DAY)


def _ago_or_in(match: re.Match[str], today: date, leaning: str) -> Days:
    direction = -1 if re.search(r"ago|前", match.group()) else 1
    unit = match["unit"].lower()
    if unit in ("month", "个月"):
        return _month(today.year, today.month + direction * _number(match))
    if unit in ("year", "年"):
        return Days(
            date(today.year + direction * _number(match), 1, 1), date(today.year + direction * _number(match), 12, 31)
        )
    middle = today + direction * _number(match) * _UNIT[unit] * DAY
    return _day(middle) if _UNIT[unit] == 1 else _week(middle)


def _week(inside: date) -> Days:
    monday = inside - inside.weekday() * DAY
    return Days(monday, monday + 6 * DAY)


def _side(match: re.Match[str], today: date, leaning: str) -> Days:
    """Last, this or next week, weekend, month, year."""
    side, unit = _SIDE[match["side"].lower()], match["unit"].lower()
    if unit in ("month", "个月", "月"):
        return _month(today.year, today.month + side)
    if unit == "year":
        return Days(date(today.year + side, 1, 1), date(today.year + side, 12, 31))
    week = _week(today + 7 * side * DAY)
    return Days(week.end - DAY, week.end) if unit in ("weekend", "周末") else week


def _year(match: re.Match[str], today: date, leaning: str) -> Days:
    year = today.year + {"前年": -2, "去年": -1, "今年": 0, "明年": 1, "后年": 2}[match["year"]]
    return _month(year, _counted(match["month"])) if match["month"] else Days(date(year, 1, 1), date(year, 12, 31))


def _weekday(match: re.Match[str], today: date, leaning: str) -> Days:
    """ "On Friday" is the nearest one in the direction leant to; "next Friday" is next week's, "last Friday" the one before."""
    wanted = _WEEKDAYS.index(match["weekday"].lower())
    side = (match["side"] or "").lower()
    if side == "next":
        return _day(_week(today + 7 * DAY).start + wanted * DAY)
    if side == "last" or (side != "this" and leaning == "past"):
        return _day(today - ((today.weekday() - wanted) % 7 or (7 if side else 0)) * DAY)
    return _day(today + ((wanted - today.weekday()) % 7) * DAY)


def _han_weekday(match: re.Match[str], today: date, leaning: str) -> Days:
    wanted = min(_HAN_WEEKDAYS.index(match["weekday"]), 6)
    if match["side"]:
        return _day(_week(today + 7 * _SIDE[match["side"]] * DAY).start + wanted * DAY)
    away = -((today.weekday() - wanted) % 7) if leaning == "past" else (wanted - today.weekday()) % 7
    return _day(today + away * DAY)


def _calendar(match: re.Match[str], today: date, leaning: str) -> Days:
    """A day of a month, or a month; without a year the nearest in the direction leant to."""
    parts = match.groupdict()
    month = (
        _MONTHS.index(parts["month"].lower()) + 1
        if parts["month"].isascii() and parts["month"].isalpha()
        else _counted(parts["month"])
    )
    year = int(parts["year"]) if parts.get("year") else today.year
    days = _day(date(year, month, _counted(parts["day"]))) if parts.get("day") else _month(year, month)
    if parts.get("year"):
        return days
    step = 1 if leaning == "future" and days.end < today else -1 if leaning == "past" and days.start > today else 0
    if not leaning:
        step = min((-1, 0, 1), key=lambda years: abs((days.start - today).days + years * _YEAR_DAYS))
    return Days(days.start.replace(year=year + step), days.end.replace(year=year + step)) if step else days


def _nth(match: re.Match[str], today: date, leaning: str) -> Days:
    """ "On the 12th": of this month, or of the one next to it in the direction leant to."""
    day = _counted(match["day"])
    step = 1 if leaning == "future" and day < today.day else -1 if leaning == "past" and day > today.day else 0
    return _day(_month(today.year, today.month + step).start.replace(day=day))


_Rule = Callable[[re.Match[str], date, str], Days]
_RULES: list[tuple[re.Pattern[str], _Rule]] = [
    (re.compile(pattern, re.IGNORECASE), rule)
    for pattern, rule in (
        (
            rf"\b(?:{'|'.join(word for word in _AWAY if word.isascii())})\b|{'|'.join(word for word in _AWAY if not word.isascii())}",
            _away,
        ),
        (rf"\b{_NUMBER} (?P<unit>day|week|month|year)s? ago\b", _ago_or_in),
        (rf"\bin {_NUMBER} (?P<unit>day|week|month)s?\b", _ago_or_in),
        (r"\b(?P<side>last|this|next) (?P<unit>week|weekend|month|year)\b(?! end)", _side),
        (rf"\b(?:(?P<side>last|this|next) |on )?{_WEEKDAY}\b", _weekday),
        (rf"\b{_MONTH} {_NTH}(?:,? (?P<year>\d{{4}}))?\b", _calendar),
        (rf"\b{_NTH} (?:of )?{_MONTH}(?:,? (?P<year>\d{{4}}))?\b", _calendar),
        (rf"\b(?:in|since|last|next|this) {_MONTH}(?: (?P<year>\d{{4}}))?\b", _calendar),
        (r"\b(?P<year>\d{4})-(?P<month>\d\d)-(?P<day>\d\d)\b", _calendar),
        (
            r"\b(?:on|by) the (?P<day>\d{1,2})(?:st|nd|rd|th)\b(?! (?:of )?(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec))",
            _nth,
        ),
        (rf"{_HAN_NUMBER}(?P<unit>天|周|个?星期|个?礼拜|个月|年)(?:以|之)?[前后]", _ago_or_in),
        (r"(?P<side>上上|下下|[上这本下])个?(?P<unit>周末|周|星期|礼拜|月)(?![一二三四五六日天])", _side),
        (rf"(?P<year>前年|去年|今年|明年|后年)(?:(?P<month>{_HAN_DAY})月)?", _year),
        (rf"(?:(?P<side>上上|下下|[上这本下])个?)?(?:周|星期|礼拜)(?P<weekday>[{_HAN_WEEKDAYS}])", _han_weekday),
        (rf"(?:(?P<year>\d{{4}})年)?(?P<month>{_HAN_DAY})月(?P<day>{_HAN_DAY})[号日]", _calendar),
        (rf"(?<![\d一二三四五六七八九十])(?P<day>{_HAN_DAY})号(?!线|楼|院|店|码|床|桌)", _nth),
    )
]
