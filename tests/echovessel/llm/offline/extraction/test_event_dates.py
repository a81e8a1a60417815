from datetime import date

import pytest

from tests.support.extracting import extract


def _when(*lines):
    [event] = extract(*lines)["events"]
    window = event["event_time"]
    return window and (window["start"], window["end"])


# All is said on Saturday, 21 November 2026.
@pytest.mark.parametrize(
    ("said", "start", "end"),
    [
        ("My mother died yesterday", "2026-11-20", "2026-11-20"),
        ("I was fired on Thursday", "2026-11-19", "2026-11-19"),
        ("I will start my new job on Monday", "2026-11-23", "2026-11-23"),
        ("My exam is next Friday", "2026-11-27", "2026-11-27"),
        ("We moved to Lisbon last month", "2026-10-01", "2026-10-31"),
        ("I moved to Leeds in September to start a PhD", "2026-09-01", "2026-09-30"),
        ("My interview moved to Thursday", "2026-11-26", "2026-11-26"),
        ("on monday i was fired", "2026-11-16", "2026-11-16"),
        ("I have to move out in June", "2027-06-01", "2027-06-30"),
        ("My dog died three weeks ago", "2026-10-26", "2026-11-01"),
        ("My sister Anna got married in June", "2026-06-01", "2026-06-30"),
        ("My interview is on December 3rd", "2026-12-03", "2026-12-03"),
        ("We went to Rome last weekend and I was so happy", "2026-11-14", "2026-11-15"),
        ("我爷爷前天去世了", "2026-11-19", "2026-11-19"),
        ("我下周三面试", "2026-11-25", "2026-11-25"),
        ("我上个月搬到成都了", "2026-10-01", "2026-10-31"),
        ("我妹妹去年6月结婚了", "2025-06-01", "2025-06-30"),
        ("我12月3号要考试，很紧张", "2026-12-03", "2026-12-03"),
        ("They called, they want my dad in on the 6th of May for surgery", "2027-05-06", "2027-05-06"),
        ("She rang, we're having our baby in March", "2027-03-01", "2027-03-31"),
        ("They phoned to say my op has been put back to the 3rd of December", "2026-12-03", "2026-12-03"),
        ("I am to have a stent fitted on 9 November", "2027-11-09", "2027-11-09"),
        ("My daughter's birthday is on the 10th", "2026-12-10", "2026-12-10"),
        ("My op was on the 10th", "2026-11-10", "2026-11-10"),
        ("我面试过了，十二月二十号去合肥报到", "2026-12-20", "2026-12-20"),
        ("我三天前失业了", "2026-11-18", "2026-11-18"),
        ("我周四有个面试，紧张死了", "2026-11-26", "2026-11-26"),
        ("我想十月份跑半程马拉松", "2027-10-01", "2027-10-31"),
        ("We booked a cottage in St Ives for the 20th of February", "2027-02-20", "2027-02-20"),
        ("My sister's wedding is on 14 May", "2027-05-14", "2027-05-14"),
        ("I moved my driving test to the 8th of March", "2027-03-08", "2027-03-08"),
        ("My sister got married in June", "2026-06-01", "2026-06-30"),
        ("I fell off my bike on Saturday", "2026-11-14", "2026-11-14"),
        ("My mum rang today, she's got to have a bypass on the 3rd of December", "2026-12-03", "2026-12-03"),
        ("I booked a flight yesterday, for the 3rd of March", "2027-03-03", "2027-03-03"),
        ("雅思我改到3月13号考了", "2027-03-13", "2027-03-13"),
        ("婚礼定在5月20号，我好开心", "2027-05-20", "2027-05-20"),
        ("我昨天买了12月24号去上海的票", "2026-12-24", "2026-12-24"),
        ("我们6月结婚的", "2026-06-01", "2026-06-30"),
        ("The interview would be the 14th of december if i get shortlisted", "2026-12-14", "2026-12-14"),
        ("my MOT is booked for the 12th", "2026-12-12", "2026-12-12"),
        ("the trial was changed to the 8th of March", "2027-03-08", "2027-03-08"),
        ("he's home on the 19th", "2026-12-19", "2026-12-19"),
        (
            "My boss asked me if i'd do an extra day from january and i said i'd think about it",
            "2027-01-01",
            "2027-01-31",
        ),
        ("一鸣中考是六月十二号", "2027-06-12", "2027-06-12"),
        ("I've got the dentist at 2 on thursday", "2026-11-26", "2026-11-26"),
        ("She's got her driving test on Monday", "2026-11-23", "2026-11-23"),
        ("我爷爷三月份走的", "2026-03-01", "2026-03-31"),
        ("明天体检", "2026-11-22", "2026-11-22"),
        ("12月5号考试", "2026-12-05", "2026-12-05"),
        ("考试改到9号了", "2026-12-09", "2026-12-09"),
    ],
)
def test_days_are_counted_from_the_message_that_names_them(said, start, end):
    assert _when(said) == (start, end)


@pytest.mark.parametrize(
    "said",
    [
        "I may lose my job",
        "My brother is second in line and I am so proud",
        "我家有一只猫",
        "I started swimming on Tuesday and Friday mornings",
        "My cat knocked over the Christmas tree already",
    ],
)
def test_no_days_where_none_are_named(said):
    assert _when(said) is None


def test_days_that_do_not_exist_are_no_days():
    assert _when("My exam is on February 30th") is None


def _promises(*lines):
    answer = extract(*lines)
    return [
        (event["description"], event["event_time"]["start"], event["source_lines"])
        for event in answer["events"]
        if event["subject"] == "persona"
    ]


@pytest.mark.parametrize(
    ("lines", "promises"),
    [
        (
            ["My exam is on Friday", "P: I'll ask you on Friday how it went.", "Do."],
            [("I'll ask you on Friday how it went.", "2026-11-27", [12])],
        ),
        (["我周三面试", "P: 周三晚上我会问你结果。", "好"], [("周三晚上我会问你结果。", "2026-11-25", [12])]),
        (
            ["明天问我面试怎么样。", "P: 好，我会明天问你面试怎么样。不过我没法先开口。", "好"],
            [("我会明天问你面试怎么样。", "2026-11-22", [12])],
        ),
        (["My exam is on Friday", "P: I'll ask you on Friday how it went.", "Please don't."], []),
        (["我周三面试", "P: 周三我会问你结果。", "不用"], []),
        (["We moved on Saturday", "P: I'll remember that you moved on Saturday."], []),
        (["My exam is on Friday", "P: I'll be here."], []),
        (["My exam is on Friday", "P: Shall I ask you on Friday?"], []),
        (["I'll call you on Friday"], []),
        (
            [
                "I'm going to my exam on Friday",
                "P: The nearest I have is: “I'm going to my exam on Friday. I fear it.”",
            ],
            [],
        ),
        (["我周三会去面试", "P: 你说过：“我周三会去面试。有点怕。”"], []),
    ],
)
def test_promises_of_the_persona_have_a_day_and_are_not_refused(lines, promises):
    assert _promises(*lines) == promises


def test_promise_gives_way_to_what_weighs_more():
    answer = extract(
        "I live in Berlin", "My mother died", "P: I'll ask you tomorrow.", "We have a dog called Rex", "I was fired"
    )

    assert [(event["subject"], event["emotional_impact"]) for event in answer["events"]] == [
        ("user", -9),
        ("user", -7),
        ("user", 2),
        ("user", 1),
        ("persona", 1),
    ]


def test_promise_comes_after_three_that_weigh_much():
    answer = extract("My mother died", "P: I'll ask you tomorrow.", "I got engaged", "My husband Jonas was fired")

    assert [event["subject"] for event in answer["events"]] == ["user", "user", "user"]


def test_days_are_those_of_the_strongest_sentence():
    assert _when("My cat died on Thursday. She was with me the day before yesterday too") == (
        date(2026, 11, 19).isoformat(),
        date(2026, 11, 19).isoformat(),
    )
