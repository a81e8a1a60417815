from datetime import date

import pytest

from echovessel.materials import Passage, diary

MARCH = date(2024, 3, 3)


@pytest.mark.parametrize(
    "line",
    [
        "2024-03-03",
        "# 2024-03-03",
        "**2024-03-03**",
        "2024/3/3",
        "3.3.2024",
        "3 March 2024",
        "3rd of March 2024",
        "March 3, 2024",
        "Sunday, March 3rd, 2024",
        "Sun, 3 Mar 2024",
        "2024年3月3日",
        "2024年三月三日 星期日",
        "2024年3月3号（周日）",
    ],
)
def test_a_line_that_is_a_date_begins_an_entry_of_that_day(line):
    assert diary.split_entries(f"{line}\nIt rained.") == [Passage("It rained.", MARCH, "")]


@pytest.mark.parametrize(
    ("line", "passage"),
    [
        ("2024-03-03: It rained.", Passage("It rained.", MARCH, "")),
        ("2024-03-03 It rained all day.", Passage("It rained all day.", MARCH, "")),
        ("2024年3月3日 晴", Passage("It ended.", MARCH, "晴")),
        ("## 3 March 2024 - At the lake", Passage("It ended.", MARCH, "- At the lake")),
    ],
)
def test_what_stands_beside_a_date_is_kept(line, passage):
    [found] = diary.split_entries(f"{line}\nIt ended." if passage.text == "It ended." else line)

    assert (found.text, found.said_on, found.title.strip("- ")) == (
        passage.text,
        passage.said_on,
        passage.title.strip("- "),
    )


@pytest.mark.parametrize(
    "text",
    [
        "It rained.\n\nIt ended.",
        "May I go? 5 people came.",
        "On 3 March 2024 we met.",
        "I was 3 years old.",
        "3 March and 4 June are my favourite days.",
        "",
    ],
)
def test_a_text_without_dates_and_headings_has_no_entries(text):
    assert diary.split_entries(text) == []


@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("Diary 2024\n3 March\nA.\n14 June\nB.", [None, MARCH, date(2024, 6, 14)]),
        ("2024\n3 March\nA.", [MARCH]),
        ("3 March\nA.\n2024-03-04\nB.", [None, date(2024, 3, 4)]),
        ("2023-12-30\nA.\n5 January\nB.", [date(2023, 12, 30), date(2024, 1, 5)]),
        ("2024年3月3日\n甲。\n\n6月14日 雨\n乙。", [MARCH, date(2024, 6, 14)]),
    ],
)
def test_a_date_without_its_year_takes_the_year_that_was_told(text, days):
    assert [passage.said_on for passage in diary.split_entries(text)] == days


@pytest.mark.parametrize(("title", "is_impossible"), [("31 February", True), ("2024-13-01", True), ("3 March", False)])
def test_a_date_that_cannot_be_is_known_as_one(title, is_impossible):
    assert diary.is_impossible_date(title) == is_impossible


def test_an_entry_of_an_impossible_date_keeps_its_line_and_has_no_day():
    assert diary.split_entries("2024-02-30: It rained.") == [Passage("2024-02-30: It rained.", None, "2024-02-30")]


@pytest.mark.parametrize(
    ("text", "months"),
    [("# March 2024\nA.\n# June\nB.", [(2024, 3), (2024, 6)]), ("2024年3月\n甲。\n6月\n乙。", [(2024, 3), (2024, 6)])],
)
def test_headings_of_months_are_told_by_their_titles(text, months):
    assert [diary.parse_month(passage.title) for passage in diary.split_entries(text)] == months


def test_headings_divide_notes_and_those_below_a_day_stay_in_it():
    text = "# 3 March 2024\nA.\n## Evening\nB.\n# Recipes\nC."

    assert diary.split_entries(text) == [
        Passage("A.", MARCH, ""),
        Passage("B.", MARCH, "Evening"),
        Passage("C.", None, "Recipes"),
    ]
