from datetime import date
from itertools import pairwise

import pytest

from echovessel.materials import Material, Passage
from memory.importing.chunks import CHARACTERS_MOST, OVERLAP_CHARACTERS, Piece, cut


def texts(text):
    return [piece.text for piece in cut(Material("txt", text))]


def passages(*said, kind="txt"):
    return cut(Material(kind, "", [Passage(*one) for one in said]))


def test_paragraphs_stay_together_while_they_fit():
    assert texts("One.\n\nTwo.\n \n\nThree.\n") == ["One.\n\nTwo.\n\nThree."]


@pytest.mark.parametrize(("second", "count"), [(998, 1), (999, 2)])
def test_a_piece_holds_at_most_2000_characters(second, count):
    found = texts("a" * 1000 + "\n\n" + "b" * second)

    assert (len(found), max(map(len, found)) <= CHARACTERS_MOST) == (count, True)


def test_a_paragraph_of_2000_characters_is_whole():
    assert texts("a" * 2000) == ["a" * 2000]


def test_a_longer_one_is_cut_and_each_part_begins_with_the_end_of_the_one_before():
    words = [f"word{number:04}" for number in range(600)]

    found = texts(" ".join(words))

    assert max(map(len, found)) <= CHARACTERS_MOST
    assert {word for part in found for word in part.split()} == set(words)
    for before, part in pairwise(found):
        shared = [word for word in part.split() if word in before.split()]
        assert OVERLAP_CHARACTERS - 20 <= len(" ".join(shared)) <= OVERLAP_CHARACTERS
        assert part.startswith(shared[0])


def test_a_long_paragraph_of_lines_is_cut_between_lines():
    lines = [f"Line {number} " + "x" * 90 for number in range(50)]

    found = texts("\n".join(lines))

    assert [line for piece in found for line in piece.split("\n\n")] == lines


def test_chinese_without_a_space_is_cut_too():
    text = "我养了一只白猫，叫小黑。" * 300

    found = texts(text)

    assert max(map(len, found)) <= CHARACTERS_MOST
    assert all(part.startswith("我养了") for part in found)


def test_what_was_said_on_another_day_or_under_another_title_is_another_piece():
    monday, tuesday = date(2024, 5, 6), date(2024, 5, 7)

    found = passages(("One.", monday, "A"), ("Two.", monday, "A"), ("Three.", tuesday, "A"), ("Four.", tuesday, "B"))

    assert found == [
        Piece("One.\n\nTwo.", monday, "A"),
        Piece("Three.", tuesday, "A"),
        Piece("Four.", tuesday, "B"),
    ]


def test_each_paragraph_of_a_chat_says_who_speaks():
    said = "User: I lost my job.\n\nThat was in May.\n\nAssistant: I am sorry.\n\nWhat now?"

    assert [piece.text for piece in passages((said, None, "Work"), kind="chatgpt")] == [
        "User: I lost my job.\n\nUser: That was in May.\n\nAssistant: I am sorry.\n\nAssistant: What now?"
    ]


def test_pieces_in_which_a_program_speaks_alone_are_left_out():
    said = f"User: I lost my job.\n\nAssistant: {'word ' * 1000}\n\nUser: Thank you."

    found = [piece.text for piece in passages((said, None, "Work"), kind="chatgpt")]

    assert found == ["User: I lost my job.", "User: Thank you."]


def test_a_title_holds_no_secret_and_is_short():
    [piece] = passages(("One.", None, "My password is hunter2! " + "x" * 300))

    assert (piece.title.startswith("My password is [secret]!"), len(piece.title)) == (True, 200)


def test_the_same_words_of_another_day_are_another_piece():
    digests = {Piece("One.", day, title).digest for day in (None, date(2024, 5, 6)) for title in ("A", "B")}

    assert len(digests) == 2
