from datetime import date

import pytest

from echovessel.periods import Leaning, Period, find_periods, remove_periods

# A Wednesday.
TODAY = date(2026, 3, 18)


def read(text, *, today=TODAY, leaning=None):
    """The periods as text, days as one date."""
    found = find_periods(text, today=today, leaning=leaning)
    return [str(period.start) if period.start == period.end else str(period) for period in found]


def test_a_period_is_days_and_says_so():
    assert find_periods("It was in March 2025.", today=TODAY) == [Period(date(2025, 3, 1), date(2025, 3, 31))]
    assert str(Period(date(2025, 3, 1), date(2025, 3, 31))) == "2025-03-01/2025-03-31"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("What did I do yesterday?", ["2026-03-17"]),
        ("last night was bad", ["2026-03-17"]),
        ("the day before yesterday", ["2026-03-16"]),
        ("I am tired today", ["2026-03-18"]),
        ("tonight", ["2026-03-18"]),
        ("Tomorrow's exam", ["2026-03-19"]),
        ("the day after tomorrow", ["2026-03-20"]),
        ("last week", ["2026-03-09/2026-03-15"]),
        ("this week", ["2026-03-16/2026-03-22"]),
        ("next week", ["2026-03-23/2026-03-29"]),
        ("the week before last", ["2026-03-02/2026-03-08"]),
        ("last weekend", ["2026-03-14/2026-03-15"]),
        ("this weekend", ["2026-03-21/2026-03-22"]),
        ("next weekend", ["2026-03-28/2026-03-29"]),
        ("last month", ["2026-02-01/2026-02-28"]),
        ("next month", ["2026-04-01/2026-04-30"]),
        ("last year", ["2025-01-01/2025-12-31"]),
        ("next year", ["2027-01-01/2027-12-31"]),
        ("the past week", ["2026-03-11/2026-03-18"]),
        ("the last three months", ["2025-12-18/2026-03-18"]),
        ("last Friday", ["2026-03-13"]),
        ("this Friday", ["2026-03-20"]),
        ("this past Friday", ["2026-03-13"]),
        ("last Wednesday", ["2026-03-11"]),
        ("on Friday last week", ["2026-03-13"]),
        ("next week on Monday", ["2026-03-23"]),
        ("3 days ago", ["2026-03-15"]),
        ("a couple of days ago", ["2026-03-15/2026-03-16"]),
        ("two weeks ago", ["2026-03-01/2026-03-07"]),
        ("a fortnight ago", ["2026-03-01/2026-03-07"]),
        ("3 months ago", ["2025-12-01/2025-12-31"]),
        ("two years ago", ["2024-01-01/2024-12-31"]),
        ("two years ago this March", ["2024-03-01/2024-03-31"]),
        ("in three days", ["2026-03-21"]),
        ("in two weeks", ["2026-03-29/2026-04-04"]),
        ("2026-03-02", ["2026-03-02"]),
        ("on 2.3.2026", ["2026-03-02"]),
        ("May 3, 2025", ["2025-05-03"]),
        ("on 20 November 2026", ["2026-11-20"]),
        ("on Friday, 20 November 2026", ["2026-11-20"]),
        ("on Friday the 20th of November 2026", ["2026-11-20"]),
        ("Friday, Nov 20, 2026", ["2026-11-20"]),
        ("the 3rd of May last year", ["2025-05-03"]),
        ("the second of May 2024", ["2024-05-02"]),
        ("in March 2025", ["2025-03-01/2025-03-31"]),
        ("March of last year", ["2025-03-01/2025-03-31"]),
        ("last March", ["2025-03-01/2025-03-31"]),
        ("last August", ["2025-08-01/2025-08-31"]),
        ("early August 2025", ["2025-08-01/2025-08-10"]),
        ("at the end of last month", ["2026-02-20/2026-02-28"]),
        ("in the first week of May 2025", ["2025-05-01/2025-05-07"]),
        ("the last week of May last year", ["2025-05-25/2025-05-31"]),
        ("the first weekend of October 2025", ["2025-10-04/2025-10-05"]),
        ("on the last Monday in May 2025", ["2025-05-26"]),
        ("the fifth Saturday of May 2025", ["2025-05-31"]),
        ("the last weekend of May 2025", ["2025-05-31/2025-06-01"]),
        ("the week of July 6th, 2026", ["2026-07-06/2026-07-12"]),
        ("the week of 4 March 2026", ["2026-03-02/2026-03-08"]),
        ("in spring 2024", ["2024-03-01/2024-05-31"]),
        ("last summer", ["2025-06-01/2025-08-31"]),
        ("last winter", ["2025-12-01/2026-02-28"]),
        ("next summer", ["2026-06-01/2026-08-31"]),
        ("back in 2024", ["2024-01-01/2024-12-31"]),
        ("the 1990s", ["1990-01-01/1999-12-31"]),
        ("last Christmas", ["2025-12-24/2025-12-26"]),
        ("Christmas Eve 2024", ["2024-12-24"]),
        ("Easter 2025", ["2025-04-18/2025-04-21"]),
        ("since January", ["2026-01-01/2026-03-18"]),
        ("我 told you since January", ["2026-01-01/2026-03-18"]),
        ("from 3 May 2025 to 10 May 2025", ["2025-05-03/2025-05-10"]),
        ("between March and May 2025", ["2025-03-01/2025-05-31"]),
        ("3-10 May 2025", ["2025-05-03/2025-05-10"]),
        ("from 2019 to 2021", ["2019-01-01/2021-12-31"]),
        ("yesterday and in March 2025", ["2026-03-17", "2025-03-01/2025-03-31"]),
    ],
)
def test_english_periods(text, expected):
    assert read(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("昨天我去了医院", ["2026-03-17"]),
        ("前天", ["2026-03-16"]),
        ("大前天", ["2026-03-15"]),
        ("今天好累", ["2026-03-18"]),
        ("明天考试", ["2026-03-19"]),
        ("后天", ["2026-03-20"]),
        ("大后天", ["2026-03-21"]),
        ("昨晚没睡好", ["2026-03-17"]),
        ("上周", ["2026-03-09/2026-03-15"]),
        ("上上周", ["2026-03-02/2026-03-08"]),
        ("这个星期", ["2026-03-16/2026-03-22"]),
        ("上周三", ["2026-03-11"]),
        ("上个星期天", ["2026-03-15"]),
        ("下周五", ["2026-03-27"]),
        ("这周五", ["2026-03-20"]),
        ("这周末", ["2026-03-21/2026-03-22"]),
        ("上周末", ["2026-03-14/2026-03-15"]),
        ("上个月", ["2026-02-01/2026-02-28"]),
        ("上个月15号", ["2026-02-15"]),
        ("下个月初", ["2026-04-01/2026-04-10"]),
        ("今年三月", ["2026-03-01/2026-03-31"]),
        ("去年12月份", ["2025-12-01/2025-12-31"]),
        ("去年五月第一周", ["2025-05-01/2025-05-07"]),
        ("去年五月的第二个星期", ["2025-05-08/2025-05-14"]),
        ("去年五月的最后一周", ["2025-05-25/2025-05-31"]),
        ("去年十月的第一个周末", ["2025-10-04/2025-10-05"]),
        ("去年五月最后一个星期一", ["2025-05-26"]),
        ("去年夏天", ["2025-06-01/2025-08-31"]),
        ("前年的冬天", ["2024-12-01/2025-02-28"]),
        ("3天前", ["2026-03-15"]),
        ("三天以前", ["2026-03-15"]),
        ("前几天", ["2026-03-12/2026-03-17"]),
        ("两个星期前", ["2026-03-01/2026-03-07"]),
        ("三个月前", ["2025-12-01/2025-12-31"]),
        ("半年前", ["2025-09-01/2025-09-30"]),
        ("十年前", ["2016-01-01/2016-12-31"]),
        ("两周后", ["2026-03-29/2026-04-04"]),
        ("过两天", ["2026-03-20"]),
        ("2025年3月2号", ["2025-03-02"]),
        ("去年五月二十那天", ["2025-05-20"]),
        ("去年10月8晚上", ["2025-10-08"]),
        ("去年八月十五前后", ["2025-08-15"]),
        ("去年五月二十万", ["2025-05-01/2025-05-31"]),
        ("2026年11月20日星期五", ["2026-11-20"]),
        ("2026年11月20日（周五）", ["2026-11-20"]),
        ("去年十二月二十五日", ["2025-12-25"]),
        ("去年3月2号到4月5号", ["2025-03-02/2025-04-05"]),
        ("2024年", ["2024-01-01/2024-12-31"]),
        ("二〇二四年", ["2024-01-01/2024-12-31"]),
        ("去年年底", ["2025-11-02/2025-12-31"]),
        ("去年上半年", ["2025-01-01/2025-06-30"]),
        ("九十年代", ["1990-01-01/1999-12-31"]),
        ("去年国庆", ["2025-10-01/2025-10-07"]),
        ("从一月开始", ["2026-01-01/2026-03-18"]),
        ("自从去年十二月", ["2025-12-01/2026-03-18"]),
        ("去年以来", ["2025-01-01/2026-03-18"]),
        ("马上周末了", ["2026-03-14/2026-03-15", "2026-03-21/2026-03-22"]),
        ("上周一起吃饭", ["2026-03-09/2026-03-15"]),
    ],
)
def test_chinese_periods(text, expected):
    assert read(text) == expected


@pytest.mark.parametrize(
    ("text", "past", "future"),
    [
        ("on Friday", "2026-03-13", "2026-03-20"),
        ("Wednesday", "2026-03-11", "2026-03-25"),
        ("in December", "2025-12-01/2025-12-31", "2026-12-01/2026-12-31"),
        ("the first week of June", "2025-06-01/2025-06-07", "2026-06-01/2026-06-07"),
        ("the first weekend of June", "2025-06-07/2025-06-08", "2026-06-06/2026-06-07"),
        ("in may", "2025-05-01/2025-05-31", "2026-05-01/2026-05-31"),
        ("on 3 May", "2025-05-03", "2026-05-03"),
        ("May 3rd", "2025-05-03", "2026-05-03"),
        ("on the 5th", "2026-03-05", "2026-04-05"),
        ("at Christmas", "2025-12-24/2025-12-26", "2026-12-24/2026-12-26"),
        ("in the summer", "2025-06-01/2025-08-31", "2026-06-01/2026-08-31"),
        ("over the weekend", "2026-03-14/2026-03-15", "2026-03-21/2026-03-22"),
        ("for the weekend", "2026-03-14/2026-03-15", "2026-03-21/2026-03-22"),
        ("on 29 February", "2024-02-29", "2028-02-29"),
        ("周五", "2026-03-13", "2026-03-20"),
        ("十二月", "2025-12-01/2025-12-31", "2026-12-01/2026-12-31"),
        ("5号", "2026-03-05", "2026-04-05"),
        ("改到二十七号", "2026-02-27", "2026-03-27"),
        ("I'll ask you on the 26th what it was", "2026-02-26", "2026-03-26"),
        ("圣诞节", "2025-12-24/2025-12-26", "2026-12-24/2026-12-26"),
    ],
)
def test_what_may_lie_on_either_side_of_today_is_both_unless_it_leans(text, past, future):
    assert read(text) == [past, future]
    assert read(text, leaning=Leaning.PAST) == [past]
    assert read(text, leaning=Leaning.FUTURE) == [future]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "hi",
        "May I sit down for a second?",
        "maybe, may be, he may go",
        "They march on.",
        "only 3 may come",
        "I last sat down here.",
        "April and June told me.",
        "a gift for June",
        "every Friday, on Fridays, each weekend",
        "Merry Christmas!",
        "Happy New Year!",
        "I fall, I spring up, I fall in love",
        "2024 steps, in 2024 steps, $2024, 1.2024",
        "day 2000 on the rig, room 1984, chapter 2010",
        "on the 5th floor",
        "on 31 June",
        "February 30th",
        "2026-02-30",
        "24/7",
        "a day in the life",
        "Dad called, first time in two years",
        "一下子就好了",
        "一天到晚",
        "然后天黑了",
        "以前天天跑步",
        "如今天气冷",
        "每周三跑步，一周三次",
        "一周五天",
        "周一起床",
        "5号线，3号楼",
        "十号线，二号人物，第三号",
        "晚上月亮很圆",
        "五月天的歌",
        "圣诞快乐",
        "三个月大",
        "第三天后",
        "通过三年的努力",
    ],
)
def test_false_friends_name_no_time(text):
    assert read(text) == []


def test_what_begins_on_a_day_lasts_until_today_or_is_to_come():
    assert read("从周五开始放假") == ["2026-03-13/2026-03-18"]
    assert read("从周五开始放假", leaning=Leaning.FUTURE) == ["2026-03-20"]
    assert read("周五开始放假") == ["2026-03-13", "2026-03-20"]


@pytest.mark.parametrize(
    ("text", "asked", "told"),
    [
        ("two weeks ago", "2026-03-01/2026-03-07", "2026-03-02/2026-03-08"),
        ("两个星期前", "2026-03-01/2026-03-07", "2026-03-02/2026-03-08"),
    ],
)
def test_weeks_away_are_the_days_around_that_day_or_as_told_its_week(text, asked, told):
    assert read(text) == [asked]
    assert read(text, leaning=Leaning.PAST) == [told]


@pytest.mark.parametrize("text", ["in two weeks", "两周后", "过两天", "半个月后"])
def test_what_took_so_long_is_no_time_in_the_past(text):
    assert read(text, leaning=Leaning.PAST) == []


@pytest.mark.parametrize(
    ("text", "expected"), [("3/5/2026", ["2026-03-05", "2026-05-03"]), ("13/5/2026", ["2026-05-13"])]
)
def test_slashes_are_read_both_ways_where_both_are_dates(text, expected):
    assert read(text) == expected
    assert read(text, leaning=Leaning.PAST) == ([] if len(expected) == 2 else expected)


@pytest.mark.parametrize(
    ("text", "rest"),
    [
        ("What did we do on 3 May?", "What did we do ?"),
        ("the first week of March and last summer", "the   and  "),
        ("三月上旬我说过什么", "   我说过什么"),
        ("Nothing of the kind.", "Nothing of the kind."),
    ],
)
def test_a_text_without_its_periods(text, rest):
    assert " ".join(remove_periods(text, today=date(2026, 6, 1)).split()) == " ".join(rest.split())
