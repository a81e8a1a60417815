import pytest

from personas.cards import parsing
from personas.cards.card import Card, Lore

CUT = "the rest was left out."


def problems(**data):
    return parsing.parse(data)[1]


def entry(**fields):
    return {"character_book": {"entries": [{"keys": ["k"], "content": "c", **fields}]}}


def test_an_empty_card_is_empty():
    assert parsing.parse({}) == (Card(), [])


@pytest.mark.parametrize(
    ("data", "said"),
    [
        ({"description": 5}, "description must be a text; it was left out."),
        ({"scenario": ["a"]}, "scenario must be a text; it was left out."),
        ({"first_mes": {}}, "first_mes must be a text; it was left out."),
        ({"alternate_greetings": "Hi."}, "alternate_greetings must be a list of texts; it was left out."),
        ({"alternate_greetings": ["Hi.", 3]}, "alternate_greetings must be a list of texts; it was left out."),
        ({"tags": "bees"}, "tags must be of the kind list; it was left out."),
        ({"extensions": []}, "extensions must be of the kind object; it was left out."),
        ({"creator": 1}, "creator must be of the kind text; it was left out."),
        ({"character_book": []}, "character_book must be of the kind object; it was left out."),
        ({"character_book": {"entries": {}}}, "character_book.entries must be of the kind list; it was left out."),
        ({"character_book": {"entries": ["x"]}}, "Lore entry 1 must be an object; it was left out."),
        (entry(keys="k"), "character_book.entries[1].keys must be a list of texts; it was left out."),
        (entry(content=1), "character_book.entries[1].content must be a text; it was left out."),
        (entry(enabled="yes"), "character_book.entries[1].enabled must be true or false; it was left out."),
        (entry(priority="high"), "character_book.entries[1].priority must be a whole number; it was left out."),
        (
            entry(insertion_order=2**40),
            "character_book.entries[1].insertion_order must be a whole number; it was left out.",
        ),
        (
            entry(keys=["k" * 101]),
            "character_book.entries[1].keys can have 50 keys of 100 characters; the others were left out.",
        ),
        (
            entry(keys=["k"] * 51),
            "character_book.entries[1].keys can have 50 keys of 100 characters; the others were left out.",
        ),
        ({"name": "x" * 81}, f"name has 81 characters. A name can have 80; {CUT}"),
        ({"mes_example": "x" * 5001}, f"mes_example has 5001 characters. A text can have 5000; {CUT}"),
        ({"first_mes": "x" * 2**20}, f"first_mes has 1048576 characters. A text can have 2000; {CUT}"),
        (
            entry(content="x" * 2001),
            f"character_book.entries[1].content has 2001 characters. A text can have 2000; {CUT}",
        ),
        ({"odd": float("nan")}, "odd holds values that cannot be stored, or is nested too deeply; it was left out."),
        (
            {"assets": ["x" * 100_001]},
            "assets has 100005 characters; 100000 are kept of all further fields. It was left out.",
        ),
    ],
)
def test_what_is_wrong_is_told_with_its_field_and_what_is_allowed(data, said):
    card, told = parsing.parse({"creator_notes": "Good."} | data)

    assert told == [said]
    assert card.kept["creator_notes"] == "Good."


@pytest.mark.parametrize(
    "data",
    [
        {"description": "x" * 5000, "first_mes": "x" * 2000, "name": "x" * 80},
        {"alternate_greetings": ["x"] * 10},
        entry(content="x" * 2000, keys=["k" * 100] * 50),
        {"character_book": {"entries": [{"keys": ["k"], "content": "c"}] * 1000}},
        {"description": None, "tags": None, "character_book": None},
    ],
)
def test_what_is_just_allowed_is_taken_without_a_word(data):
    assert problems(**data) == []


def test_a_long_text_is_cut_where_a_sentence_ends():
    card, _ = parsing.parse({"first_mes": "First. " * 300})

    assert card.greetings == [("First. " * 285).rstrip()]


def test_of_eleven_greetings_ten_are_taken():
    card, told = parsing.parse({"first_mes": "0", "alternate_greetings": [str(n) for n in range(1, 11)]})

    assert card.greetings == [str(n) for n in range(10)]
    assert told == ["The card has 11 greetings. A companion can have 10; the others were left out."]


def test_of_ten_thousand_entries_the_first_thousand_are_taken():
    entries = [{"keys": [f"k{n}"], "content": str(n)} for n in range(10_000)]

    card, told = parsing.parse({"character_book": {"entries": entries}})

    assert [one.content for one in card.lore] == [str(n) for n in range(1000)]
    assert told == ["The card has 10000 lore entries. A companion can have 1000; the others were left out."]


def test_lore_has_a_bound_of_its_own():
    card, told = parsing.parse({"character_book": {"entries": [{"keys": ["k"], "content": "x" * 1999}] * 151}})

    assert len(card.lore) == 150
    assert told == ["The lore of this card has more than 300000 characters; from entry 151 on it was left out."]


def test_many_faults_are_told_in_few_sentences():
    told = problems(character_book={"entries": [{"keys": 1}] * 100})

    assert len(told) == 13
    assert told[-1] == "88 more entries have faults of this kind."


def test_what_is_nested_too_deeply_is_left_out_and_the_rest_kept():
    deep = []
    for _ in range(500):
        deep = [deep]

    card, told = parsing.parse({"extensions": {"a": deep}, "tags": ["x"]})

    assert told == ["extensions holds values that cannot be stored, or is nested too deeply; it was left out."]
    assert card.kept == {"tags": ["x"]}


def test_what_postgresql_cannot_hold_is_taken_out_of_texts():
    card, told = parsing.parse({"name": "Il\0se", "description": "a\ud800b", "tags": ["x\0"], "k\0": {"\0": "\0"}})

    assert (card.name, card.description, card.kept) == ("Ilse", "ab", {"tags": ["x"], "k": {"": ""}})
    assert told == []


def test_what_echovessel_wrote_is_taken_out_of_the_extensions():
    card, _ = parsing.parse({"extensions": {"echovessel": {"tagline": "T"}, "other": 1}})

    assert (card.own, card.kept) == ({"tagline": "T"}, {"extensions": {"other": 1}})


def test_an_entry_keeps_all_its_fields_as_they_came():
    card, _ = parsing.parse(entry(position="after_char", extensions={"x": 1}, priority=3, enabled=False))

    assert card.lore == [
        Lore(
            keys=["k"],
            content="c",
            enabled=False,
            priority=3,
            kept={"position": "after_char", "extensions": {"x": 1}, "priority": 3, "enabled": False},
        )
    ]
