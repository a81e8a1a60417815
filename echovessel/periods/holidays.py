"""Holidays by their English and Chinese names, each as the days of a year."""

from datetime import date, timedelta

from echovessel.periods import days, lunar
from echovessel.periods.days import Period, YearlyPeriod

_MONDAY, _THURSDAY, _SUNDAY = 0, 3, 6


def _repeat_weekday(month: int, weekday: int, nth: int | None) -> YearlyPeriod:
    """Return a weekday of a month in every year, by its place from 0 (None: the last)."""
    return lambda year: days.pick_in_month(days.make_month(year, month), weekday, nth=nth)


def _repeat_easter(first: int, last: int) -> YearlyPeriod:
    """Return days in every year, counted from Easter Sunday."""
    return lambda year: Period(
        days.compute_easter(year) + timedelta(first), days.compute_easter(year) + timedelta(last)
    )


def _make_black_friday(year: int) -> Period:
    first = date(year, 11, 1)
    return days.make_day(first + timedelta((_THURSDAY - first.weekday()) % 7 + 22))


ENGLISH: dict[str, YearlyPeriod] = {
    "christmas": days.repeat_yearly(12, 24, 26),
    "xmas": days.repeat_yearly(12, 24, 26),
    "christmas day": days.repeat_yearly(12, 25),
    "christmas eve": days.repeat_yearly(12, 24),
    "boxing day": days.repeat_yearly(12, 26),
    "new year's": lambda year: Period(date(year - 1, 12, 31), date(year, 1, 1)),
    "new year's eve": days.repeat_yearly(12, 31),
    "new year's day": days.repeat_yearly(1, 1),
    "lunar new year": lunar.make_new_year,
    "chinese new year": lunar.make_new_year,
    "halloween": days.repeat_yearly(10, 31),
    "bonfire night": days.repeat_yearly(11, 5),
    "valentine's": days.repeat_yearly(2, 14),
    "valentine's day": days.repeat_yearly(2, 14),
    "st patrick's day": days.repeat_yearly(3, 17),
    "april fools' day": days.repeat_yearly(4, 1),
    "april fool's day": days.repeat_yearly(4, 1),
    "good friday": _repeat_easter(-2, -2),
    "easter": _repeat_easter(-2, 1),
    "easter sunday": _repeat_easter(0, 0),
    "easter monday": _repeat_easter(1, 1),
    "mother's day": _repeat_weekday(5, _SUNDAY, 1),
    "father's day": _repeat_weekday(6, _SUNDAY, 2),
    "memorial day": _repeat_weekday(5, _MONDAY, None),
    "labor day": _repeat_weekday(9, _MONDAY, 0),
    "independence day": days.repeat_yearly(7, 4),
    "thanksgiving": _repeat_weekday(11, _THURSDAY, 3),
    "black friday": _make_black_friday,
}
CHINESE: dict[str, YearlyPeriod] = {
    "圣诞": days.repeat_yearly(12, 24, 26),
    "平安夜": days.repeat_yearly(12, 24),
    "元旦": days.repeat_yearly(1, 1),
    "跨年": days.repeat_yearly(12, 31),
    "情人节": days.repeat_yearly(2, 14),
    "妇女节": days.repeat_yearly(3, 8),
    "三八节": days.repeat_yearly(3, 8),
    "愚人节": days.repeat_yearly(4, 1),
    "清明": days.repeat_yearly(4, 4, 5),
    "五一": days.repeat_yearly(5, 1, 5),
    "劳动节": days.repeat_yearly(5, 1, 5),
    "青年节": days.repeat_yearly(5, 4),
    "母亲节": _repeat_weekday(5, _SUNDAY, 1),
    "儿童节": days.repeat_yearly(6, 1),
    "父亲节": _repeat_weekday(6, _SUNDAY, 2),
    "暑假": lambda year: Period(date(year, 7, 1), date(year, 8, 31)),
    "教师节": days.repeat_yearly(9, 10),
    "国庆": days.repeat_yearly(10, 1, 7),
    "黄金周": days.repeat_yearly(10, 1, 7),
    "万圣节": days.repeat_yearly(10, 31),
    "双十一": days.repeat_yearly(11, 11),
    "双11": days.repeat_yearly(11, 11),
    "光棍节": days.repeat_yearly(11, 11),
    "感恩节": _repeat_weekday(11, _THURSDAY, 3),
    "双十二": days.repeat_yearly(12, 12),
    "双12": days.repeat_yearly(12, 12),
    "冬至": days.repeat_yearly(12, 21, 22),
    # The holidays around the lunar New Year.
    "寒假": lambda year: Period(date(year, 1, 10), days.make_month(year, 2).end),
    "腊八": lunar.repeat_yearly(12, 8),
    "除夕": lunar.make_new_years_eve,
    "大年夜": lunar.make_new_years_eve,
    "大年三十": lunar.make_new_years_eve,
    "年三十": lunar.make_new_years_eve,
    "春节": lunar.make_new_year,
    "元宵": lunar.repeat_yearly(1, 15),
    "端午": lunar.repeat_yearly(5, 5),
    "七夕": lunar.repeat_yearly(7, 7),
    "中元节": lunar.repeat_yearly(7, 15),
    "中秋": lunar.repeat_yearly(8, 15),
    "重阳": lunar.repeat_yearly(9, 9),
}
# Names that are other words elsewhere: 十一 is eleven.
CHINESE_BESIDE_DAYS: dict[str, YearlyPeriod] = {
    "十一": days.repeat_yearly(10, 1, 7),
    "五四": days.repeat_yearly(5, 4),
    "六一": days.repeat_yearly(6, 1),
    "三八": days.repeat_yearly(3, 8),
    "520": days.repeat_yearly(5, 20),
    "618": days.repeat_yearly(6, 18),
    "小年": lunar.repeat_yearly(12, 23, 24),
    "过年": lunar.make_new_year,
}
