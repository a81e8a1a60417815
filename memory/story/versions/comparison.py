"""Compare a story with another, or with what a person wrote in its place."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from echovessel import text
from memory.answers.coercion import one_line
from memory.story.versions import points as story_points
from memory.story.versions.points import PERSON, Point, WrittenLine

# Of the terms of two lines together, so many are in both where one was written anew as the other.
ALIKE_FROM = 0.3


@dataclass(frozen=True)
class StoryDiff:
    """What became of the points of one version in another. `changed` has each point as it was and as it is."""

    added: tuple[Point, ...]
    changed: tuple[tuple[Point, Point], ...]
    dropped: tuple[Point, ...]


def diff_points(before: Sequence[Point], after: Sequence[Point]) -> StoryDiff:
    """Compare points by their ids; those that say the same in the same part are the same, whatever their ids."""
    by_id = {point.id: point for point in before}
    by_text = {fold_line(point.part, point.line): point for point in before}
    same = {point.id: by_id.get(point.id) or by_text.get(fold_line(point.part, point.line)) for point in after}
    kept = {old.id for old in same.values() if old is not None}
    pairs = [(old, point) for point in after if (old := same[point.id]) is not None]
    return StoryDiff(
        added=tuple(point for point in after if same[point.id] is None),
        changed=tuple((old, new) for old, new in pairs if (old.part, old.line) != (new.part, new.line)),
        dropped=tuple(point for point in before if point.id not in kept),
    )


def fold_line(part: str, line: str) -> tuple[str, str]:
    return part, text.fold(line)


def match_lines(lines: Iterable[WrittenLine], before: Sequence[Point]) -> list[Point]:
    """Make points of what a person wrote. A line that stands unchanged keeps its point; another becomes the person's.

    One that was written anew keeps the id and the scenes of the point that it replaces, so that forgetting reaches it.
    """
    lines = unite(lines)
    left = {(point.part, one_line(point.line)): point for point in before}
    kept = [left.pop((line.part, line.line), None) for line in lines]
    gone = list(left.values())
    made: list[Point] = []
    for line, point in zip(lines, kept, strict=True):
        made.append(point or write_anew(line, gone))
    return made


def unite(lines: Iterable[WrittenLine]) -> list[WrittenLine]:
    """Leave out lines that say the same in the same part as one before them."""
    found: dict[tuple[str, str], WrittenLine] = {}
    for line in lines:
        found.setdefault(fold_line(line.part, line.line), line)
    return list(found.values())


def write_anew(line: WrittenLine, gone: list[Point]) -> Point:
    """Make a point of a new line, in place of the one among `gone` that is most like it; that is taken out."""
    made = Point(id=story_points.make_id(), part=line.part, label=line.label, text=line.text, by=PERSON)
    alike = [(compute_likeness(line, point), -at) for at, point in enumerate(gone) if point.part == line.part]
    likeness, at = max(alike, default=(0.0, 0))
    if likeness < ALIKE_FROM:
        return made
    replaced = gone.pop(-at)
    return replace(made, id=replaced.id, scenes=replaced.scenes)


def compute_likeness(line: WrittenLine, point: Point) -> float:
    """The share of terms that a line and a point have in common; all of it for how a thing of the same label stands."""
    if line.label and text.fold(line.label) == text.fold(point.label):
        return 1.0
    a, b = set(text.extract_terms(line.line)), set(text.extract_terms(point.line))
    return len(a & b) / len(a | b) if a | b else 0.0
