from dataclasses import replace
from datetime import date

import pytest

from memory.importing import parse_answer
from memory.importing.parse_answer import ChunkSource, extract_user_text, find_quote
from tests.memory.importing.files import thought, told

TODAY = date(2026, 11, 21)
TEXT = "I have a white cat called Nimbus.\n\nHe jumps on my face\nat night & <purrs>."


def source(text=TEXT, *, said_on=None, known=()):
    return ChunkSource(text=text, of_user=text, said_on=said_on, today=TODAY, known_names=frozenset(known))


def read(source_=None, **answer):
    return parse_answer.parse(answer, source=source_ or source())


def times(event, **more):
    [found] = read(source(**more), events=[event]).events.values()
    return found.event_time and (str(found.event_time.start), str(found.event_time.end))


@pytest.mark.parametrize(
    ("quote", "found"),
    [
        ("a white cat", "a white cat"),
        ("He jumps on my face at night", "He jumps on my face\nat night"),
        ("Nimbus. He jumps", "Nimbus.\n\nHe jumps"),
        ("night &amp; &lt;purrs>", "night & <purrs>"),
        ("night & <purrs>", "night & <purrs>"),
        ("jumps ... at night", "jumps on my face\nat night"),
        ("… a white cat…", "a white cat"),
        ("...", ""),
        ("at night ... jumps", ""),
        ("A white cat", ""),
        ("a black cat", ""),
        ("I a", ""),
        ("", ""),
        (".*", ""),
        (" a  w ", ""),
        ("cat", "cat"),
    ],
)
def test_a_quote_counts_where_its_words_stand_in_the_text(quote, found):
    assert find_quote(quote, TEXT) == found


def test_of_a_chat_only_what_the_user_says_is_quoted():
    chat = "User: I have a cat.\n\nAssistant: So you live in Graz?\n\nUser: Yes."

    assert extract_user_text(chat, is_chat=True) == "User: I have a cat.\n\nUser: Yes."
    assert extract_user_text(chat, is_chat=False) == chat

    line = {"content": "Lives in Graz.", "source_quote": "you live in Graz"}
    found = read(
        replace(source(chat), of_user=extract_user_text(chat, is_chat=True)),
        events=[told(quote="I have a cat."), told(quote="you live in Graz")],
        thoughts=[thought(quote="you live in Graz")],
        about_user=[line],
    )
    assert (list(found.events), found.thoughts, found.lines, found.dropped_count) == ([0], {}, [], 3)


def test_an_event_without_its_words_is_dropped():
    found = read(events=[told(quote="I have two cats."), told(), {"description": "No quote.", "emotional_impact": 1}])

    assert list(found.events) == [1]
    assert (found.dropped_count, found.notes) == (
        2,
        [
            "event 2 dropped: Field required",
            "event 0 dropped: its quote is not in what the user says here",
        ],
    )


def test_the_quote_is_kept_as_it_stands_there():
    found = read(events=[told(quote="He jumps on my face at night")])

    assert found.events[0].source_quote == "He jumps on my face\nat night"


def test_a_thought_rests_on_kept_events_alone():
    events = [told(quote="Nothing of it"), told()]
    thoughts = [told("On both.", filling=[0, 1]), told("On what is gone.", filling=[0])]

    found = read(events=events, thoughts=thoughts)

    assert {at: thought.filling for at, thought in found.thoughts.items()} == {0: [1]}
    assert found.notes == [
        "event 0 dropped: its quote is not in what the user says here",
        "thought 1 dropped: it cites no event that is kept",
    ]


def test_whom_the_piece_does_not_name_is_dropped():
    named = [
        {"canonical_name": "Nimbus", "kind": "pet", "aliases": ["Nim"]},
        {"canonical_name": "Anna", "kind": "person"},
        {"canonical_name": "Wolkerl", "kind": "pet", "aliases": ["Nimbus"]},
    ]

    found = read(mentioned_entities=named)
    known = read(source(known=["wolkerl"]), mentioned_entities=named[2:])

    assert [(one.canonical_name, one.aliases) for one in found.entities] == [
        ("Nimbus", ["Nimbus"]),
        ("Nimbus", ["Nimbus"]),
    ]
    assert found.notes == ["entity 1 dropped: the piece does not name it"]
    assert [(one.canonical_name, one.aliases) for one in known.entities] == [("Wolkerl", ["Nimbus"])]


def test_a_line_for_the_user_needs_its_words_too():
    lines = [
        {"content": "Has a white cat.", "source_quote": "a white cat"},
        {"content": "Has a dog.", "source_quote": "a dog"},
    ]

    found = read(about_user=lines)

    assert [line.content for line in found.lines] == ["Has a white cat."]
    assert found.dropped_count == 1


@pytest.mark.parametrize(
    ("named", "said_on", "expected"),
    [
        (None, None, None),
        (None, date(2019, 5, 4), ("2019-05-04", "2019-05-04")),
        ({"start": "2019-05-01", "end": "2019-05-02"}, date(2019, 5, 4), ("2019-05-01", "2019-05-02")),
        ({"start": "1700-01-01", "end": "1700-01-01"}, date(2019, 5, 4), ("2019-05-04", "2019-05-04")),
        ({"start": "2019-05-01", "end": "2019-05-02"}, None, ("2019-05-01", "2019-05-02")),
        ({"start": "2019-02-30", "end": "2019-02-30"}, None, None),
    ],
)
def test_an_event_is_of_the_days_it_names_or_of_the_day_it_was_told(named, said_on, expected):
    assert times(told(event_time=named), said_on=said_on) == expected


@pytest.mark.parametrize("answer", [{}, {"events": "none", "thoughts": 3, "mentioned_entities": None}, {"events": {}}])
def test_an_answer_of_another_shape_says_nothing(answer):
    found = read(**answer)

    assert (found.events, found.thoughts, found.entities, found.lines) == ({}, {}, [], [])


def test_over_long_lists_are_cut_and_said():
    found = read(events=[told()] * 7)

    assert (len(found.events), found.dropped_count, found.notes) == (5, 2, ["2 of event over 5 dropped"])
