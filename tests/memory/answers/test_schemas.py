from datetime import date

import pytest
from pydantic import BaseModel

from echovessel.llm import answers
from echovessel.llm.errors import BadAnswerError
from memory.answers import schemas
from memory.answers.fact_schemas import FactAnswer
from memory.answers.schemas import EntityAnswer, EventAnswer, ExtractionAnswer, MoodSignal, ThoughtAnswer
from memory.answers.slow_tick_schemas import SlowTickAnswer
from memory.answers.title_schema import TitleAnswer


def read_event(**more):
    parts, notes = schemas.parse_parts(
        [{"description": "A cat.", "emotional_impact": 3} | more], EventAnswer, what="event", most=3
    )
    return parts[0] if parts else notes[0]


@pytest.mark.parametrize(
    ("answer", "parsed"),
    [
        ('{"a": []}', {"a": []}),
        ('  \n{"a": 1}\n', {"a": 1}),
        ('[{"a": 1}]', {"a": 1}),
        ('```json\n{"a": 1}\n```', {"a": 1}),
        ('```\n{"a": 1}```', {"a": 1}),
        ('\n```JSON\n{"a":\n 1}\n```\n', {"a": 1}),
        ('Here is the JSON:\n```json\n{"a": 1,}\n```\nI hope it helps.', {"a": 1}),
        ("{“a”： “1”，}", {"a": "1"}),
        ('<think>{hm}</think>{"a": [1, 2,],\n"b": "x\ny"}', {"a": [1, 2], "b": "x\ny"}),
        ('{"a": 1}\n{"a": 2}', {"a": 1}),
        ('{"a": [1, // the first\n2], // all\n"b": "http://x"}', {"a": [1, 2], "b": "http://x"}),
        ("{'a': None, 'b': [true]}", {"a": None, "b": [True]}),
        ('[{"x": 1}, {"x": 2}]', {"a": [{"x": 1}, {"x": 2}]}),
        ('[{"x": 1}]', {"a": [{"x": 1}]}),
        ('{"a\\_b": 1, "a": 2}', {"a_b": 1, "a": 2}),
        ('{"a": [1], "b": "She said "no" to me"}', {"a": [1], "b": 'She said "no" to me'}),
        ('```json\n{"b": "a 5" screen", "a": [1]}\n```', {"a": [1], "b": 'a 5" screen'}),
        ('{"a"：[1]，"b"："他说"走吧"，就走了"}', {"a": [1], "b": '他说"走吧"，就走了'}),
        ('<|channel|>analysis<|message|>{hm}<|end|><|channel|>final<|message|>{"a": 1}', {"a": 1}),
    ],
)
def test_what_is_meant_as_an_object_of_the_shape_is_read(answer, parsed):
    class Shape(BaseModel):
        a: list[int]
        b: str = ""

    assert answers.read(answer, Shape) == parsed


def test_a_title_alone_is_read():
    assert answers.read(" A cat called Nimbus\n", TitleAnswer) == {"title": "A cat called Nimbus"}


@pytest.mark.parametrize(
    ("parsed", "fault"),
    [
        ({"events": []}, ""),
        ({"events": [{"description": "A cat.", "emotional_impact": 1}, "a dog"]}, ""),
        ({"session_summary": "A cat."}, "Your answer has no events."),
        ({"properties": {"title": {}}}, "Your answer has no events."),
        ({"events": ["A cat."]}, "Your answer is not what was asked for. events: Input should be a valid dictionary or instance of EventAnswer."),
        ({"events": [{"description": "A cat."}]}, "Your answer is not what was asked for. events.emotional_impact: Field required."),
    ],
)  # fmt: skip
def test_an_answer_with_nothing_of_what_was_asked_for_is_told_of(parsed, fault):
    assert answers.find_fault(parsed, ExtractionAnswer) == fault


def test_an_answer_under_other_names_is_told_of_where_nothing_has_to_be_there():
    assert answers.find_fault({"想法": []}, SlowTickAnswer).startswith(
        "Your answer has none of salient_questions, thoughts"
    )
    assert [answers.find_fault(one, SlowTickAnswer) for one in ({}, {"thoughts": []})] == ["", ""]


@pytest.mark.parametrize(
    "answer",
    [
        "",
        "Nothing much happened.",
        '{"events": [{"description": "cut o',
        "[]",
        "[1]",
        "[{}, {}",
        '"text"',
        "null",
        "[" * 100_000,
        "```json\n[]\n```",
        "```json\n" + "\n" * 10_000_000,
        "```",
    ],
    ids=[
        "empty",
        "prose",
        "truncated",
        "list",
        "numbers",
        "two",
        "string",
        "null",
        "deep",
        "fenced list",
        "blanks",
        "fence",
    ],
)
def test_what_is_no_object_is_refused(answer):
    with pytest.raises(BadAnswerError):
        answers.read(answer, ExtractionAnswer)


@pytest.mark.parametrize(
    ("given", "read"),
    [
        (99, 10),
        (-99, -10),
        ("+4", 4),
        ("-7", -7),
        (3.7, 4),
        (-3.7, -4),
        (" 5 ", 5),
        ("6/10", 6),
        ("-7 (grief)", -7),
        (0, 0),
        (10**400, 10),
        (-(10**400), -10),
    ],
)
def test_impact_is_rounded_and_clamped(given, read):
    assert read_event(emotional_impact=given).emotional_impact == read


@pytest.mark.parametrize(
    ("given", "read"),
    [
        ("save", "add"),
        ("replace", "update"),
        ("delete", "skip"),
        ("end", "skip"),
        ("结束", "skip"),
        ("job", "add"),
        (3, "add"),
    ],
)
def test_a_fact_is_not_added_to_take_it_away(given, read):
    [fact], notes = schemas.parse_parts([{"op": given, "content": "Sam keeps bees."}], FactAnswer, what="fact", most=1)

    assert (fact.op, len(notes)) == (read, 1)


@pytest.mark.parametrize("given", ["high", "", None, True, [4], {"value": 4}, float("nan"), float("inf"), "NaN"])
def test_event_without_a_readable_impact_is_dropped(given):
    assert read_event(emotional_impact=given) == "event 0 dropped: Value error, is no number"


@pytest.mark.parametrize(
    ("field", "given", "read"),
    [
        ("description", "  A cat.\x00\ud800 ", "A cat."),
        ("description", "x" * 3000, "x" * 2000),
        ("emotion_tags", ["Joy", " DEEP  love ", "joy", 7, "", "a", "b", "c"], ["joy", "deep love", "a", "b"]),
        ("emotion_tags", ["喜悦", "x" * 50], ["喜悦", "x" * 40]),
        ("emotion_tags", "joy", []),
        ("emotion_tags", None, []),
        ("relational_tags", ["turning-point", "wendepunkt", "转折", ["commitment"], None], ["turning-point"]),
        (
            "relational_tags",
            ["unresolved", "unresolved", "correction", "commitment", "vulnerability"],
            ["unresolved", "correction", "commitment"],
        ),
        ("relational_tags", {"unresolved": True}, []),
        ("subject", "shared", "shared"),
        ("subject", "the user", "user"),
        ("subject", ["persona"], "user"),
        ("subject", None, "user"),
        ("source_lines", [3, 3, "4", 5.0, 5.5, "six", " 3 ", True, None, -1, 10**400], [3, 4, 5, -1, 10**400]),
        ("source_lines", [float("nan"), float("inf"), "9" * 40, {}, [1]], []),
        ("source_lines", 3, [3]),
        ("source_lines", "4", [4]),
        ("source_lines", "[13], 14", [13, 14]),
        ("source_lines", ["[13]", "#14", "thesis"], [13, 14]),
        ("source_lines", "the last", []),
        ("supersedes", None, []),
        ("event_time", None, None),
        ("event_time", "tomorrow", None),
        ("event_time", {"start": "2026-02-30", "end": "2026-03-01"}, None),
        ("event_time", {"start": "2026-03-02", "end": "2026-03-01"}, None),
        ("event_time", {"start": 10**400, "end": 10**400}, None),
        ("event_time", {"start": 20261127, "end": 20261128}, None),
        ("event_time", {"start": "1795737600", "end": "1795737600"}, None),
        ("event_time", {"start": None, "end": None}, None),
        ("event_time", ["2026-03-01", "2026-03-02"], None),
    ],
)
def test_what_is_readable_in_an_event_is_kept(field, given, read):
    assert getattr(read_event(**{field: given}), field) == read


@pytest.mark.parametrize(
    "given",
    [
        {"start": "2026-11-27", "end": "2026-11-27"},
        {"start": "2026-11-27", "end": None},
        {"end": "2026-11-27"},
        "2026-11-27",
    ],
)
def test_event_time_may_be_one_day(given):
    window = read_event(event_time=given).event_time

    assert (window.start, window.end) == (date(2026, 11, 27), date(2026, 11, 27))


@pytest.mark.parametrize(
    ("given", "days"),
    [
        ("2026-02", (date(2026, 2, 1), date(2026, 2, 28))),
        ({"start": "2026-11", "end": "2026-12"}, (date(2026, 11, 1), date(2026, 12, 31))),
        ({"start": "2026", "end": None}, (date(2026, 1, 1), date(2026, 12, 31))),
        ("2026-13", None),
    ],
)
def test_event_time_may_be_a_month_or_a_year(given, days):
    window = read_event(event_time=given).event_time

    assert (window and (window.start, window.end)) == days


@pytest.mark.parametrize("given", ["", "  ", "\x00", None, 7, ["A cat."]])
def test_event_without_text_is_dropped(given):
    assert read_event(description=given).startswith("event 0 dropped: ")


@pytest.mark.parametrize(
    ("given", "notes"),
    [
        (None, []),
        ([], []),
        ("prose", ["event is no list"]),
        (
            ["prose", None, 3, [[]]],
            ["event 0 dropped: Input should be a valid dictionary or instance of EventAnswer"] * 3,
        ),
    ],
)
def test_what_is_no_list_of_events_holds_none(given, notes):
    parts, said = schemas.parse_parts(given, EventAnswer, what="event", most=3)

    assert parts == []
    assert len(said) == len(notes) + (given == ["prose", None, 3, [[]]])


def test_one_that_stands_alone_is_a_list_of_one():
    parts, notes = schemas.parse_parts(
        {"description": "A cat.", "emotional_impact": 1}, EventAnswer, what="event", most=3
    )

    assert ([part.description for part in parts], notes) == (["A cat."], [])


@pytest.mark.parametrize(
    ("parsed", "read"),
    [
        ({"events": [1]}, {"events": [1]}),
        ({"extraction": {"events": [1], "session_summary": "A cat."}}, {"events": [1], "session_summary": "A cat."}),
        ({"answer": {"extraction": {"events": [1]}}}, {"events": [1]}),
        ({"events": {"events": [1]}}, {"events": [1]}),
        ({"a": {"b": {"c": {"events": [1]}}}}, {"a": {"b": {"c": {"events": [1]}}}}),
        ({"a": {"events": [1]}, "b": {"events": [2]}}, {"a": {"events": [1]}, "b": {"events": [2]}}),
        ({"a": {"cats": [1]}}, {"a": {"cats": [1]}}),
        ({"a": []}, {"a": []}),
        ({}, {}),
    ],
    ids=str,
)
def test_an_answer_inside_another_object_is_found(parsed, read):
    assert answers.unwrap(parsed, ExtractionAnswer) == read


def test_one_bad_event_never_loses_the_others_and_the_list_is_cut():
    good = {"description": "A cat.", "emotional_impact": 1}

    parts, notes = schemas.parse_parts(
        [good, {"emotional_impact": 1}, good, good, good], EventAnswer, what="event", most=3
    )

    assert [part.description for part in parts] == ["A cat.", "A cat."]
    assert notes == ["event 1 dropped: Field required", "2 of event over 3 dropped"]


@pytest.mark.parametrize(
    ("given", "read"),
    [
        ({"canonical_name": " Aunt\n May "}, ("Aunt May", "other", [])),
        ({"canonical_name": "Nimbus", "kind": "cat"}, ("Nimbus", "other", [])),
        (
            {"canonical_name": "Nimbus", "kind": "pet", "aliases": ["Nim", "", 4, "x" * 121, "the\tcat"]},
            ("Nimbus", "pet", ["Nim", "the cat"]),
        ),
        ({"canonical_name": "Nimbus", "aliases": "Nim", "in_events": "0"}, ("Nimbus", "other", [])),
    ],
)
def test_entities_are_read_leniently(given, read):
    parts, _ = schemas.parse_parts([given], EntityAnswer, what="entity", most=40)

    assert [(part.canonical_name, part.kind, part.aliases) for part in parts] == [read]


@pytest.mark.parametrize("name", ["", " \n", "x" * 121, None, 3])
def test_entity_without_a_usable_name_is_dropped(name):
    parts, notes = schemas.parse_parts([{"canonical_name": name}], EntityAnswer, what="entity", most=40)

    assert (parts, len(notes)) == ([], 1)


@pytest.mark.parametrize(
    ("given", "read"),
    [
        ({"mood": "tender", "energy": 6, "last_user_signal": "warm"}, ("tender", 6, "warm")),
        ({"mood": " quietly \n glad ", "energy": "99", "last_user_signal": "happy"}, ("quietly glad", 10, None)),
        ({"mood": "x" * 99, "energy": -3.2}, ("x" * 60, 0, None)),
        ({"mood": "", "energy": 5}, None),
        ({"mood": "tender"}, None),
        ({"mood": 3, "energy": 3}, None),
        ("tender", None),
        (None, None),
    ],
)
def test_mood_is_read_whole_or_not_at_all(given, read):
    signal, _ = schemas.parse_part(given, MoodSignal, what="mood")

    assert (signal and (signal.mood, signal.energy, signal.last_user_signal)) == read


@pytest.mark.parametrize(
    ("filling", "is_kept"), [([1], True), (["1"], True), ([], False), (["one"], False), (None, False)]
)
def test_thought_needs_evidence(filling, is_kept):
    thought = {"description": "They keep it for the night.", "filling": filling}

    parts, _ = schemas.parse_parts([thought], ThoughtAnswer, what="thought", most=2)

    assert [part.emotional_impact for part in parts] == [0] * is_kept
