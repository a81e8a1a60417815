import pytest

from echovessel.llm.errors import BadAnswerError
from memory.models import Message
from memory.story.recaps import content

LINES = ["I met Lin at the harbour, we ate 3 pears.", "Oh, how nice!", "On Friday I will see her again.", "她叫小黑。"]


def build_lines(*texts, kept=()):
    return [
        Message(pk=100 + at, role="user", content=said, kept_at="now" if at in kept else None)
        for at, said in enumerate(texts or LINES, start=1)
    ]


def read(*, lines=None, known=(), **parts):
    answer = {"title": "Lin", "outcomes": [{"text": "Mara met Lin.", "lines": [1]}], **parts}
    return content.read_answer(answer, lines=lines or build_lines(), known_names=known)


def outcome(said, *lines):
    return {"text": said, "lines": list(lines)}


def test_an_answer_is_read_with_ids_for_numbers():
    recap, notes = read(
        open=[outcome("Mara will see Lin on Friday.", 3)],
        state=[{"label": "lin", "text": "They are friends.", "lines": [1, 3]}],
        quotes=[{"line": 1, "text": "we ate 3 pears"}],
        entities=[
            {
                "name": "Lin",
                "kind": "person",
                "aliases": ["小黑"],
                "remarks": [{"label": "met", "text": "Met at the harbour.", "line": 1}],
            }
        ],
    )

    assert notes == []
    assert recap.model_dump() == {
        "title": "Lin",
        "outcomes": [{"text": "Mara met Lin.", "lines": [101]}],
        "open": [{"text": "Mara will see Lin on Friday.", "lines": [103]}],
        "state": [{"label": "lin", "text": "They are friends.", "lines": [101, 103]}],
        "quotes": [{"line": 101, "text": "we ate 3 pears"}],
        "entities": [
            {
                "name": "Lin",
                "kind": "person",
                "aliases": ["小黑"],
                "remarks": [{"line": 101, "label": "met", "text": "Met at the harbour."}],
            }
        ],
    }
    assert recap.cited == {101, 103}


@pytest.mark.parametrize(
    ("part", "noted"),
    [
        (outcome("Mara ate 4 pears.", 1), "number or name"),
        (outcome("Mara ate five pears.", 1), "number or name"),
        (outcome("Mara met Ola.", 1), "number or name"),
        (outcome("Mara met 小黑.", 3), "number or name"),
        (outcome("Mara met somebody.", 9), "cites no line"),
        (outcome("Mara met somebody."), "cites no line"),
        ("rubbish", "dropped"),
    ],
)
def test_what_no_line_says_is_dropped_and_noted(part, noted):
    known = [("Lin",), ("Ola", "Ola B."), ("Mara's sister",), ("小黑",)]

    recap, notes = read(outcomes=[outcome("Mara met Lin.", 1), part], known=known)

    assert [one.text for one in recap.outcomes] == ["Mara met Lin."]
    assert noted in " ".join(notes)


@pytest.mark.parametrize(
    "told",
    [
        outcome("Mara met Lin and ate three pears.", 1),
        outcome("On 27 November 2026 Mara will see Lin.", 3, 1),
        outcome("Mara met Lin.", 1, 99),
    ],
)
def test_days_and_numbers_in_other_words_are_believed(told):
    recap, _ = read(outcomes=[told], known=[("Lin",)])

    assert [one.text for one in recap.outcomes] == [told["text"]]
    assert {line for one in recap.outcomes for line in one.lines} <= {101, 103}


def test_another_name_of_the_same_person_in_the_line_is_enough():
    recap, notes = read(outcomes=[outcome("Lin is called 小黑.", 4)], known=[("Lin", "小黑")])

    assert (recap.outcomes[0].lines, notes) == ([104], [])


def test_whom_a_line_only_points_to_is_cited_from_the_line_before():
    told = [outcome("Mara will see Lin again.", 3), outcome("Mara and she ate 3 pears.", 2), outcome("They ate 3.", 4)]

    recap, notes = read(outcomes=told, known=[("Lin",), ("小黑",)])

    assert ([one.lines for one in recap.outcomes], notes) == ([[101, 103], [101, 102], [101, 104]], [])


def test_a_number_is_cited_from_the_next_line_that_has_it():
    lines = build_lines("Mum has to have her hip done.", "Oh.", "She's 71 and pretends it's nothing.")

    recap, notes = read(lines=lines, outcomes=[outcome("Mara's mother, 71, is to have her hip done.", 1)])

    assert (recap.outcomes[0].lines, notes) == ([101, 103], [])


def test_a_known_name_stays_with_the_name_in_the_lines_that_means_the_same():
    recap, _ = read(entities=[{"name": "Linda Berg", "kind": "person", "aliases": ["Lin"]}], known=[("Linda Berg",)])

    assert [(one.name, one.aliases) for one in recap.entities] == [("Lin", ["Linda Berg"])]


@pytest.mark.parametrize(
    ("quote", "kept"),
    [
        ({"line": 1, "text": "WE  ATE 3 pears."}, True),
        ({"line": 1, "text": "“I met Lin”"}, True),
        ({"line": 1, "text": "we ate three pears"}, False),
        ({"line": 2, "text": "we ate 3 pears"}, False),
        ({"line": 9, "text": "we ate 3 pears"}, False),
        ({"line": 1, "text": "..."}, False),
    ],
)
def test_a_quote_must_be_in_its_line(quote, kept):
    recap, notes = read(quotes=[quote])

    assert (len(recap.quotes) == 1, notes == []) == (kept, kept)


def test_an_entity_must_be_named_in_a_line_once():
    named = [
        {"name": "Ola"},
        {"name": "Lin", "kind": "dragon", "aliases": ["Ola"]},
        {"name": "lin"},
        {"name": "小黑", "remarks": [{"text": "Has 9 lives.", "line": 4}]},
    ]

    recap, notes = read(entities=named)

    assert [(one.name, one.kind, one.aliases, one.remarks) for one in recap.entities] == [
        ("Lin", "other", [], []),
        ("小黑", "other", [], []),
    ]
    assert len(notes) == 4


@pytest.mark.parametrize("outcomes", [None, [], "x", [outcome("Mara met Ola.", 9)], [outcome("", 1)], {"text": 3}])
def test_no_outcome_is_a_bad_answer(outcomes):
    with pytest.raises(BadAnswerError, match="No outcome is left"):
        read(outcomes=outcomes)


def test_a_kept_line_that_no_outcome_cites_is_added_in_its_own_words():
    lines = build_lines(kept=(1, 3))

    recap, _ = read(lines=lines)

    assert [(one.text, one.lines) for one in recap.outcomes] == [
        ("Mara met Lin.", [101]),
        ("On Friday I will see her again.", [103]),
    ]


def test_kept_lines_take_the_places_of_the_last_outcomes():
    lines = build_lines(*[f"Line {at} says something." for at in range(1, 11)], kept=(9, 10))
    outcomes = [outcome(f"Thing {word}.", at) for at, word in enumerate("abcdef", start=1)]

    recap, _ = read(lines=lines, outcomes=outcomes)

    assert [one.lines for one in recap.outcomes] == [[101], [102], [103], [104], [109], [110]]


@pytest.mark.parametrize(("length", "cut"), [(50, 50), (51, 48)])
def test_a_title_has_at_most_fifty_characters(length, cut):
    recap, _ = read(title="x" * length)

    assert recap.title == ("x" * 50 if length == 50 else "x" * 47 + "…")
    assert len(recap.title) == cut


def test_a_long_title_ends_with_a_whole_word():
    recap, _ = read(title="Scott fixed my bicycle and would not take any money for it.")

    assert recap.title == "Scott fixed my bicycle and would not take any…"


def test_without_a_title_the_first_outcome_is_it():
    assert read(title=None)[0].title == "Mara met Lin."


def test_long_texts_are_cut_and_secrets_masked():
    said = "My password is hunter2."

    recap, _ = read(lines=build_lines(said), outcomes=[outcome("word " * 60, 1), outcome(said, 1)])

    assert len(recap.outcomes[0].text) <= 200
    assert recap.outcomes[0].text.endswith("word…")
    assert recap.outcomes[1].text == "My password is [secret]."
