from memory.story.versions import comparison
from memory.story.versions.points import WrittenLine
from tests.memory.story.versions.test_points import build

BEFORE = [
    build("Mara left the bank in Lisbon.", id="a", scenes=(1,)),
    build("The loft in Porto is not sold.", part="open", id="b", scenes=(2,)),
    build("Lisbon", part="state", label="home", id="c", scenes=(1, 2)),
]


def written(point):
    return WrittenLine(point.part, point.text, point.label)


def test_lines_that_stay_keep_their_points():
    assert comparison.match_lines(map(written, BEFORE), BEFORE) == BEFORE


def test_a_line_written_anew_becomes_the_persons_with_the_scenes_it_had():
    lines = [WrittenLine("happened", "Mara left the bank in Lisbon for good."), *map(written, BEFORE[1:])]

    assert comparison.match_lines(lines, BEFORE) == [
        build("Mara left the bank in Lisbon for good.", id="a", scenes=(1,), by="person"),
        *BEFORE[1:],
    ]


def test_a_state_of_the_same_label_is_written_anew_whatever_it_says():
    found = comparison.match_lines([WrittenLine("state", "Berlin", "Home")], BEFORE)

    assert found == [build("Berlin", part="state", label="Home", id="c", scenes=(1, 2), by="person")]


def test_a_new_line_has_an_id_of_its_own_and_no_scenes():
    [found] = comparison.match_lines([WrittenLine("happened", "They adopted a parrot.")], BEFORE)

    assert (found.scenes, found.by, found.id in {"a", "b", "c"}) == ((), "person", False)


def test_lines_that_say_the_same_become_one():
    found = comparison.match_lines([*map(written, BEFORE), WrittenLine("state", "LISBON", "Home")], BEFORE)

    assert found == BEFORE


def test_a_diff_names_what_was_added_changed_and_dropped():
    changed = build("Mara left her bank.", id="a", scenes=(1,))
    added = build("Mara bought a boat.", id="d")

    found = comparison.diff_points(BEFORE, [changed, BEFORE[2], added])

    assert (found.added, found.changed, found.dropped) == ((added,), ((BEFORE[0], changed),), (BEFORE[1],))


def test_a_diff_takes_what_says_the_same_for_the_same_whatever_its_id():
    again = build("Mara left the bank in LISBON.", id="z", scenes=(1,))

    found = comparison.diff_points(BEFORE[:1], [again])

    assert (found.added, found.dropped) == ((), ())
