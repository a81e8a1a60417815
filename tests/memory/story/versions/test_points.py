import pytest

from memory.story.versions import points
from memory.story.versions.points import Point, PointRefused, WrittenLine


def build(text, *, part="happened", label="", id="p1", by="model", scenes=()):
    return Point(id=id, part=part, label=label, text=text, scenes=scenes, by=by)


TOLD = [
    build("Mara left the bank.", id="a"),
    build("The loft in Porto.", part="open", id="b"),
    build("Lisbon", part="state", label="home", id="c"),
]


def test_points_are_written_as_text_and_read_back():
    said = points.render_text(TOLD)

    assert said == (
        "# What happened\n- Mara left the bank.\n\n# Still open\n- The loft in Porto.\n\n# How things stand\n- home: Lisbon"
    )
    assert points.read_text(said) == [
        WrittenLine("happened", "Mara left the bank."),
        WrittenLine("open", "The loft in Porto."),
        WrittenLine("state", "Lisbon", "home"),
    ]


def test_lines_before_a_heading_happened():
    assert points.read_text("  She  moved. \n\n-\n## still open:\nThe car") == [
        WrittenLine("happened", "She moved."),
        WrittenLine("open", "The car"),
    ]


def test_a_label_of_more_than_thirty_characters_is_part_of_the_text():
    label = "x" * 30

    assert points.read_text(f"# state\n{label}: on\n{label}x: on") == [
        WrittenLine("state", "on", label),
        WrittenLine("state", f"{label}x: on"),
    ]


def test_an_unknown_heading_is_refused_by_name():
    with pytest.raises(PointRefused, match=r"The headings of a story are .*this one is not: # Gossip"):
        points.read_text("# Gossip\n- They met.")


def test_a_line_has_200_characters_at_most():
    assert points.read_text("- " + "x" * 200) == [WrittenLine("happened", "x" * 200)]
    with pytest.raises(PointRefused, match="has 200 characters at most; this one has 201") as refused:
        points.read_text("- " + "x" * 201)
    assert refused.value.code == "too_long"


def test_tokens_count_the_label_and_the_mark():
    # "- home: Lisbon\n" has 15 characters.
    assert points.count_tokens(TOLD[2:]) == 4
    assert points.count_tokens([]) == 0
