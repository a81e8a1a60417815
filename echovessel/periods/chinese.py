"""Chinese periods: the pattern and the meaning of each expression.

Chinese has no spaces, so patterns exclude neighbours with which a common word would be cut in two:
然后天 holds no 后天, 马上周末 no 上周末, 周五一起 no 五一.
"""

from dataclasses import replace
from datetime import date, timedelta

from echovessel import lazy_re as re
from echovessel import text
from echovessel.periods import days, holidays, lunar
from echovessel.periods.days import Leaning, Period, PeriodContext, Rule, YearlyPeriod

_RELATIVE_DAYS = {
    -3: ("大前天",),
    -2: ("前天", "前晚", "前儿个", "前儿"),
    -1: ("昨天", "昨日", "昨晚", "昨夜", "昨儿个", "昨儿"),
    0: ("今天", "今日", "今晚", "今早", "今夜", "今儿个", "今儿"),
    1: ("明天", "明日", "明晚", "明早", "明儿个", "明儿"),
    2: ("后天", "后晚"),
    3: ("大后天",),
}
_AWAY = {word: away for away, words in _RELATIVE_DAYS.items() for word in words}
_YEARS = {"大前": -3, "前": -2, "去": -1, "今": 0, "明": 1, "后": 2}
_TURNS = {"上上": -2, "上": -1, "这": 0, "本": 0, "下": 1, "下下": 2}
_UNITS = {"天": "day", "日": "day", "周": "week", "星期": "week", "礼拜": "week", "月": "month", "年": "year"}
_SEASONS = {"春": 3, "夏": 6, "秋": 9, "冬": 12}
_PARTS = {"初": 0, "上": 0, "中": 1, "底": 2, "末": 2, "下": 2}
# The range of 几.
_SOME = (2, 5)
_TENS = "[一二两三四五六七八九]?十[一二三四五六七八九]?|廿[一二三四五六七八九]?|[一二两三四五六七八九]"
_NUMERALS = "一二两三四五六七八九十百几半整每"
_COUNT = rf"(?<![\d第月年一二两三四五六七八九十百千万])(?P<count>\d{{1,3}}|几|俩|{_TENS})个?"
_UNIT = "(?P<unit>天|日|周|星期|礼拜|月|年)"
_DAY = rf"(?P<day>[0-3]?\d|{_TENS})"
# 五月二十那天: in talk the word for the day may be left out.
_DAY_END = "(?:[号日]|(?=那[天晚]|[早晚]上|[上下中]午|凌晨|前后|左右|[我你咱]))"
_WEEKDAY = "(?P<weekday>一(?![起直样定共般些会下次])|[二三四五六日天](?![次个回遍]|天(?![气天])))"
_WEEK = "(?:周|星期|礼拜)"
# Not the end of 马上, 晚上, 一下 and similar words.
_TURN = r"(?<![马晚早网路手身线一楼地])(?P<turn>上上|上|这|本|下下|下)一?个?"
_WHICH_YEAR = (
    r"(?:(?:(?P<year>(?<!\d)(?:(?:19|20)\d\d|\d\d(?=年\d{1,2}月))|[一二][〇零一二三四五六七八九]{3})年?"
    r"|(?<![之以目如现至然最随往先])(?P<which>大前|前|去|今|明|后)年)的?)"
)
_MONTH = r"(?<![\d一二三四五六七八九十几每])(?P<month>1[0-2]|0?[1-9]|十[一二]?|[一二三四五六七八九])月"
_PART = "(?:份|(?P<part>[上中下]旬|初(?![一二三四五六七八九十])|中(?!学)|底|末))"
_NO_MOON = "(?![亮光球饼台经色子])"
_NOT_EACH = "(?<!每)(?<!每个)(?<!每逢)(?<!每到)(?<!每年)(?<!每年的)"

_BESIDE_DAYS = "那[天晚几会阵时段]|那两天|当天|期间|假期|长假|小长假|黄金周"
_TURN_OF_TIME = "(?<![之以目如现至然最随往先])(?:大前|前|去)年|上上个?月|上个?月|上上?个?(?:周|星期|礼拜)"

# A weekday beside its date adds nothing.
_NO_DATE = "(?<![号日])(?<![号日][，,（( ])"


def parse_number(numeral: str) -> int:
    """Parse a number below a hundred, or a year as single digits, in Arabic or Chinese digits."""
    return int(text.read_number(numeral.replace("廿", "二十").replace("俩", "两")))


def _parse_span(match: re.Match[str]) -> tuple[int, int]:
    return _SOME if match["count"] == "几" else (parse_number(match["count"]), parse_number(match["count"]))


def _resolve_in_year(match: re.Match[str], view: PeriodContext, made: YearlyPeriod) -> list[Period]:
    """Resolve in the named year, else the nearest one."""
    if match["year"]:
        return days.to_list(made(days.parse_year(str(parse_number(match["year"])))))
    if match["which"]:
        return days.to_list(made(view.today.year + _YEARS[match["which"]]))
    return view.nearest(made)


def _narrow_to_part(match: re.Match[str], whole: list[Period]) -> list[Period]:
    return [period.part(_PARTS[match["part"][0]]) for period in whole] if match["part"] else whole


def _resolve_day(match: re.Match[str], view: PeriodContext) -> list[Period]:
    return [days.make_day(view.today + timedelta(_AWAY[match["named"]]))]


def _parse_weekday(match: re.Match[str]) -> int:
    return "一二三四五六日".index(match["weekday"].replace("天", "日"))


def _resolve_turned_week(match: re.Match[str], view: PeriodContext) -> list[Period]:
    at = view.today + timedelta(7 * _TURNS[match["turn"]])
    if match["weekday"]:
        return [days.make_weekday(at, _parse_weekday(match))]
    return [days.make_weekend(at) if match["weekend"] else days.make_week(at)]


def _resolve_turned_month(match: re.Match[str], view: PeriodContext) -> list[Period]:
    month = view.shifted("month", _TURNS[match["turn"]])
    if match["day"]:
        return days.to_list(days.make_valid_day(month.start.year, month.start.month, parse_number(match["day"])))
    return _narrow_to_part(match, [month])


def _resolve_turned_season(match: re.Match[str], view: PeriodContext) -> list[Period]:
    return view.turned(lambda year: days.make_season(year, _SEASONS[match["season"]]), _TURNS[match["turn"]])


def _resolve_month(match: re.Match[str], view: PeriodContext) -> list[Period]:
    month = parse_number(match["month"])
    return _narrow_to_part(match, _resolve_in_year(match, view, lambda year: days.make_month(year, month)))


def _resolve_weekday_of_month(match: re.Match[str], view: PeriodContext) -> list[Period]:
    month, nth = parse_number(match["month"]), parse_number(match["nth"]) - 1 if match["nth"] else None
    number, length = (_parse_weekday(match), 1) if match["weekday"] else (days.SATURDAY, 2)
    return _resolve_in_year(
        match, view, lambda year: days.pick_in_month(days.make_month(year, month), number, nth=nth, length=length)
    )


def _resolve_month_day(match: re.Match[str], view: PeriodContext) -> list[Period]:
    first = parse_number(match["day"])
    last = parse_number(match["until"]) if match["until"] else first
    return _resolve_in_year(match, view, days.repeat_yearly(parse_number(match["month"]), first, last))


def _resolve_half_year(match: re.Match[str], view: PeriodContext) -> list[Period]:
    first = 1 if match["half"] == "上" else 7
    return _resolve_in_year(
        match, view, lambda year: Period(date(year, first, 1), days.make_month(year, first + 5).end)
    )


def _resolve_season(match: re.Match[str], view: PeriodContext) -> list[Period]:
    return _resolve_in_year(match, view, lambda year: days.make_season(year, _SEASONS[match["season"]]))


def _resolve_holiday(match: re.Match[str], view: PeriodContext) -> list[Period]:
    return _resolve_in_year(match, view, (holidays.CHINESE | holidays.CHINESE_BESIDE_DAYS)[match["holiday"]])


def _resolve_lunar(match: re.Match[str], view: PeriodContext) -> list[Period]:
    """正月初五, 腊月二十三, 农历八月十五, 大年初一."""
    moon = match["moon"]
    month = {None: 1, "正月": 1, "冬月": 11, "腊月": 12}.get(moon) or parse_number(moon)
    day = parse_number(match["day"].removeprefix("初")) if match["day"] else None
    return _resolve_in_year(match, view, lunar.repeat_yearly(month, day))


def _resolve_same_time(match: re.Match[str], view: PeriodContext) -> list[Period]:
    """去年今天, 上个月的今天; 去年这个时候 is the days around that day."""
    turn, is_year = match["which"], match["which"].endswith("年")
    if is_year:
        same = view.stretch("year", _YEARS[turn.removesuffix("年")]).start
    else:
        count = -2 if turn.startswith("上上") else -1
        same = view.stretch("month" if turn.endswith("月") else "week", count).start
    slack = timedelta(7 if is_year and match["same"].startswith("这") else 0)
    return [Period(same - slack, same + slack)]


def _resolve_half_month(match: re.Match[str], view: PeriodContext) -> list[Period]:
    far = 20 if match["more"] else 17
    if match["side"].endswith("前"):
        return [view.distance("day", -13, -far)]
    return [] if view.leaning is Leaning.PAST else [view.distance("day", 13, far)]


def _resolve_distance(match: re.Match[str], view: PeriodContext) -> list[Period]:
    (low, high), unit = _parse_span(match), _UNITS[match["unit"]]
    if match["side"].endswith("前"):
        return [view.distance(unit, -low, -high)]
    # In the past, 两天后 counts from a day other than today.
    return [] if view.leaning is Leaning.PAST else [view.distance(unit, low, high)]


def _resolve_just_before(match: re.Match[str], view: PeriodContext) -> list[Period]:
    """前几天, 前两天: these end before today."""
    _, high = _parse_span(match)
    return [view.distance(_UNITS[match["unit"]], -1, -high - 1)]


def _resolve_until_now(match: re.Match[str], view: PeriodContext) -> list[Period]:
    _, high = _parse_span(match)
    return [view.stretch(_UNITS[match["unit"]], -high)]


def _resolve_soon(match: re.Match[str], view: PeriodContext) -> list[Period]:
    (low, high), unit = _parse_span(match), _UNITS[match["unit"]]
    if view.leaning is Leaning.PAST:
        return []
    return [view.stretch(unit, high) if match["whole"] else view.distance(unit, low, high)]


def _resolve_day_of_month(match: re.Match[str], view: PeriodContext) -> list[Period]:
    found = view.day_of_month(parse_number(match["day"]))
    if not match["until"]:
        return found
    last = parse_number(match["until"])
    ends = [days.make_valid_day(day.start.year, day.start.month, last) for day in found]
    return [Period(day.start, end.end) for day, end in zip(found, ends, strict=True) if end and day <= end]


def _resolve_decade(match: re.Match[str], _: PeriodContext) -> list[Period]:
    first = 1900 + parse_number(match["decade"]) * 10
    return [Period(date(first, 1, 1), date(first + 9, 12, 31))]


RULES: tuple[Rule, ...] = tuple(
    (re.compile(pattern), means)
    for pattern, means in (
        (
            rf"(?<![之以目提如现至文证表声然最随往])(?P<named>{'|'.join(_AWAY)})(?![性之]|因素|努力|培养|形成)",
            _resolve_day,
        ),
        (rf"{_TURN}{_WEEK}(?:{_WEEKDAY}|(?P<weekend>末))?(?!年)", _resolve_turned_week),
        (
            rf"{_NOT_EACH}(?<![{_NUMERALS}\d])(?<![{_NUMERALS}\d]个){_NO_DATE}{_WEEK}{_WEEKDAY}",
            lambda match, view: view.weekday(_parse_weekday(match)),
        ),
        (rf"{_NOT_EACH}(?<![{_NUMERALS}\d])周末", lambda _, view: view.weekend()),
        (
            rf"{_NOT_EACH}{_WHICH_YEAR}?{_MONTH}份?的?(?:第(?P<nth>[一二三四五])|最后一)个?(?:周末|{_WEEK}{_WEEKDAY})",
            _resolve_weekday_of_month,
        ),
        (rf"{_TURN}月(?:{_PART}|{_DAY}[号日])?(?(part)|(?(day)|{_NO_MOON}))", _resolve_turned_month),
        (rf"{_TURN}(?P<season>[春夏秋冬])[天季]", _resolve_turned_season),
        (rf"{_NOT_EACH}{_WHICH_YEAR}?{_MONTH}{_PART}?(?!天|怀胎|{_DAY}{_DAY_END}){_NO_MOON}", _resolve_month),
        (
            rf"{_NOT_EACH}{_WHICH_YEAR}?{_MONTH}{_DAY}(?:[号日]?[到至~-](?P<until>[0-3]?\d|{_TENS}))?{_DAY_END}",
            _resolve_month_day,
        ),
        (
            rf"{_WHICH_YEAR}(?<=[年的])(?:年?(?P<part>初|中(?!学)|底|末))?",
            lambda match, view: _narrow_to_part(match, _resolve_in_year(match, view, days.make_year)),
        ),
        (rf"{_WHICH_YEAR}?(?P<half>[上下])半年", _resolve_half_year),
        (rf"{_WHICH_YEAR}(?P<season>[春夏秋冬])[天季]", _resolve_season),
        (
            rf"{_NOT_EACH}{_WHICH_YEAR}?(?<![周期拜一二三四五六七八九十\d])(?P<holiday>{'|'.join(holidays.CHINESE)})(?!快乐|上河|路|[起次直样定树歌])节?",
            _resolve_holiday,
        ),
        (
            rf"{_NOT_EACH}{_WHICH_YEAR}?(?<![第周期拜月一二三四五六七八九十\d])(?P<holiday>{'|'.join(holidays.CHINESE_BESIDE_DAYS)})(?=节|{_BESIDE_DAYS})节?",
            _resolve_holiday,
        ),
        (
            rf"{_WHICH_YEAR}?(?:[农阴旧]历)?(?:大年|(?P<moon>[正腊冬]月))(?P<day>初[一二三四五六七八九十]|\d\d?|{_TENS})?(?(moon)|(?(day)|(?!)))",
            _resolve_lunar,
        ),
        (
            rf"{_WHICH_YEAR}?[农阴旧]历(?P<moon>{_TENS}|1?\d)月(?P<day>初[一二三四五六七八九十]|[0-3]?\d|{_TENS})?",
            _resolve_lunar,
        ),
        (rf"(?P<which>{_TURN_OF_TIME})的?(?P<same>今天|同一天|这个?时候|这会儿)", _resolve_same_time),
        (r"半个(?P<more>多)?月(?P<side>[之以]?[前后])", _resolve_half_month),
        (r"刚(?:刚)?过去的?(?:这个|那个)?周末", lambda _, view: replace(view, leaning=Leaning.PAST).weekend()),
        (
            rf"(?<![\d年个上下这本去今明前后每])(?P<season>[春夏秋冬])天(?={_BESIDE_DAYS}|的时候)(?P<year>)(?P<which>)",
            _resolve_season,
        ),
        (rf"{_COUNT}{_UNIT}(?P<side>[之以]?[前后])", _resolve_distance),
        (
            r"(?<!大)半年(?P<side>[之以]?[前后])",
            lambda match, view: [view.shifted("month", -6 if match["side"].endswith("前") else 6)],
        ),
        (rf"(?<![之以目提])前(?P<count>几|两)个?{_UNIT}", _resolve_just_before),
        (rf"(?:这|最近|过去|近)(?P<count>\d{{1,3}}|几|{_TENS})个?{_UNIT}", _resolve_until_now),
        (
            rf"(?:再?(?<![通经超不度渡路])过|(?P<whole>未来|接下来)的?)(?P<count>\d{{1,3}}|几|{_TENS})个?{_UNIT}",
            _resolve_soon,
        ),
        (
            r"(?<![\d年个上下这本一二三四五六七八九十正腊冬蜜岁明花])月(?P<part>初(?![一二三四五六七八九十])|中(?![间旬学])|底|末)",
            lambda match, view: _narrow_to_part(match, [view.shifted("month", 0)]),
        ),
        (
            r"(?<![\d今去明前后每大])年(?P<part>初(?![一二三四五六七八九十])|底|末)",
            lambda match, view: _narrow_to_part(match, [view.shifted("year", 0)]),
        ),
        (
            rf"(?<![\d月至~第一二三四五六七八九十百千-])(?:(?<!到)|(?<=[推改延挪]到)){_DAY}(?:号?[到至~-](?P<until>[0-3]?\d|{_TENS}))?号(?![线楼店门房院机选球电池桌位车馆厅站码床人])",
            _resolve_day_of_month,
        ),
        (r"(?<![\d一二])(?P<decade>[5-9](?=0)|[五六七八九](?=十))[0十]年代", _resolve_decade),
    )
)
