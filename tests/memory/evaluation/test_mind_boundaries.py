import pytest

from memory.evaluation.mind import boundaries
from memory.evaluation.mind.boundaries import LabelledTalk
from memory.evaluation.tally import Tally

LINES = (
    "Peg walked along the cliffs of Dover on Sunday.",
    "Peg told me about the winter when the harbour froze.",
    "By the way, Tom passed the theory part of his driving test.",
    "Tom wants to buy a tiny old car from our neighbour.",
    "Dover was on the news with the old ferries tonight.",
)


def talk(*marked):
    return LabelledTalk(names=["Peg", "Tom", "Dover"], together=[["Peg", "Dover"]], lines=LINES, boundaries=marked)


def test_a_change_is_found_by_names_and_by_words():
    assert boundaries.find_boundaries(talk()) == [2, 4]


@pytest.mark.parametrize(("marked", "value"), [((2, 4), 1.0), ((1, 4), 1.0), ((0, 4), 0.5), ((2,), 2 / 3), ((), 0.0)])
def test_a_boundary_is_found_within_a_turn(marked, value):
    counted = Tally()

    boundaries.count_talk(talk(*marked), counted, name="F1")

    assert counted.value("F1") == pytest.approx(value)


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_there_are_fifteen_labelled_talks_a_language(lang):
    talks = list(boundaries.load_talks(lang))

    assert len(talks) == 15
    assert all(line and not line.startswith(">") for talk in talks for line in talk.lines)
    assert all(0 < at < len(talk.lines) for talk in talks for at in talk.boundaries)
