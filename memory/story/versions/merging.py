"""Carry out the changes that an answer proposes for a story. Pure: rows and calls are elsewhere.

A merge is a list of changes, so that what is not changed stays byte for byte. What a person wrote is neither changed nor
dropped, and telling a scene anew changes nothing that a later scene wrote.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from echovessel import text
from memory.answers import story_schemas as schemas
from memory.answers.schemas import parse_parts
from memory.story import grounding
from memory.story.recaps.content import RecapContent, cut_text
from memory.story.versions.comparison import fold_line
from memory.story.versions.points import LABEL_MOST, STATE, Point, make_id

CHANGES_MOST = 60
KnownNames = Iterable[Sequence[str]]


@dataclass(frozen=True, kw_only=True)
class ToldScene:
    """A scene that is added to a story: its number in the bond, its recap, and how much each outcome weighs, 0 to 10.

    A scene without a recap has nothing to tell.
    """

    id: int
    number: int
    recap_id: int | None
    content: RecapContent | None
    weights: tuple[int, ...] = ()

    @property
    def heard(self) -> str:
        """All that its recap says."""
        if self.content is None:
            return ""
        states = [f"{one.label}: {one.text}" for one in self.content.state]
        told = [one.text for one in (*self.content.outcomes, *self.content.open)]
        told += [quote.text for quote in self.content.quotes]
        return "\n".join([self.content.title, *told, *states])


@dataclass(frozen=True, kw_only=True)
class Order:
    """Where the scenes of a bond stand, by id; scenes that are no more have no place."""

    places: Mapping[int, int] = field(default_factory=dict)

    def is_later(self, point: Point, scene: int) -> bool:
        """Whether a scene behind `scene` wrote something of a point."""
        place = self.places[scene]
        return any(self.places.get(one, -1) > place for one in point.scenes)

    def is_all_later(self, point: Point, place: int) -> bool:
        places = [self.places[one] for one in point.scenes if one in self.places]
        return bool(places) and min(places) > place


def leave_scene(points: Iterable[Point], scene: int) -> list[Point]:
    """Take out of a story what a scene alone told, and the scene out of what others told too; a person's points stay."""
    kept = []
    for point in points:
        if scene not in point.scenes or point.is_by_person:
            kept.append(point)
        elif len(point.scenes) > 1:
            kept.append(replace(point, scenes=tuple(one for one in point.scenes if one != scene)))
    return kept


def find_fixed(points: Iterable[Point], *, scenes: Sequence[ToldScene], order: Order) -> set[str]:
    """Find the ids of the points that stay as they are: a person's, and those of scenes behind the ones that are added."""
    last = max(scenes, key=lambda one: order.places[one.id]).id
    return {point.id for point in points if point.is_by_person or order.is_later(point, last)}


def apply_changes(
    points: Sequence[Point],
    answer: Mapping[str, Any],
    *,
    scenes: Sequence[ToldScene],
    order: Order,
    known_names: KnownNames = (),
    by: str,
) -> tuple[list[Point], list[str]]:
    """Carry out the `add`, `change` and `drop` of an answer, in which points are numbered from 1 and scenes by their
    numbers. Returns the points, and notes on what was not believed.

    An unknown number is dropped; numbers and known names of a text must stand in the cited recaps or in the text it replaces.
    """
    merge = _Merge(points, scenes=scenes, order=order, known_names=known_names, by=by)
    for change in merge.parse(answer, "change", schemas.PointChange):
        merge.change(change)
    for drop in merge.parse(answer, "drop", schemas.PointDrop):
        merge.drop(drop.point)
    for addition in merge.parse(answer, "add", schemas.PointAddition):
        merge.add(addition)
    return merge.points, merge.notes


class _Merge:
    """One answer being carried out: the points as they are by now, and notes."""

    def __init__(
        self, points: Sequence[Point], *, scenes: Sequence[ToldScene], order: Order, known_names: KnownNames, by: str
    ) -> None:
        self.points = list(points)
        self.ids = {number: point.id for number, point in enumerate(points, start=1)}
        self.scenes = {scene.number: scene for scene in scenes}
        self.fixed = find_fixed(points, scenes=scenes, order=order)
        self.order = order
        self.known_names = [tuple(names) for names in known_names]
        self.by = by
        self.notes: list[str] = []

    def parse(self, answer: Mapping[str, Any], what: str, shape: type[Any]) -> list[Any]:
        parts, notes = parse_parts(answer.get(what), shape, what=what, most=CHANGES_MOST)
        self.notes += notes
        return parts

    def change(self, change: schemas.PointChange) -> None:
        point = self._find(change.point)
        if point is None or not self._may_touch(point):
            return
        cited = self._cite(change.scenes, change.text)
        if not cited or not self._believe(change.text, cited, old=point.line):
            return
        self._put(point, replace(unite(point, cited), text=cut_text(change.text), by=self.by))

    def drop(self, number: int) -> None:
        point = self._find(number)
        if point is not None and self._may_touch(point):
            self.points.remove(point)

    def add(self, addition: schemas.PointAddition) -> None:
        cited = self._cite(addition.scenes, addition.text)
        if not cited or not self._believe(addition.text, cited):
            return
        label = cut_text(addition.label, LABEL_MOST) if addition.part == STATE else ""
        if addition.part == STATE and not label:
            self.notes.append(f"dropped, as it has no label: {addition.text[:60]}")
            return
        made = Point(
            id=make_id(),
            part=addition.part,
            label=label,
            text=cut_text(addition.text),
            scenes=tuple(scene.id for scene in cited),
            by=self.by,
        )
        same = self._find_same(made)
        if same is None:
            self.points.insert(self._find_place(made), made)
        elif fold_line(same.part, same.line) == fold_line(made.part, made.line):
            if same.id not in self.fixed:
                self._put(same, unite(same, cited))
        elif self.order.is_later(same, cited[-1].id):
            self.notes.append(f"dropped, as a later scene says how this stands: {addition.text[:60]}")
        elif self._may_touch(same):
            self._put(same, replace(made, id=same.id))

    def _find(self, number: int) -> Point | None:
        found = next((point for point in self.points if point.id == self.ids.get(number)), None)
        if found is None:
            self.notes.append(f"dropped: there is no point {number}")
        return found

    def _find_same(self, made: Point) -> Point | None:
        """Find the point that says the same, or how the thing of the same label stands."""
        line = fold_line(made.part, made.line)
        same = next((point for point in self.points if fold_line(point.part, point.line) == line), None)
        if same is not None or made.part != STATE:
            return same
        label = text.fold(made.label)
        return next((point for point in self.points if point.part == STATE and text.fold(point.label) == label), None)

    def _find_place(self, made: Point) -> int:
        """Find where a point goes: behind what earlier scenes wrote, before what later ones did."""
        place = max(self.order.places[scene] for scene in made.scenes)
        later = (
            at
            for at, point in enumerate(self.points)
            if point.part == made.part and self.order.is_all_later(point, place)
        )
        return next(later, len(self.points))

    def _may_touch(self, point: Point) -> bool:
        if point.id not in self.fixed:
            return True
        whose = "a person's" if point.is_by_person else "of a later scene"
        self.notes.append(f"left as it is, as it is {whose}: point {point.id}")
        return False

    def _cite(self, numbers: Sequence[int], said: str) -> list[ToldScene]:
        """Find the scenes that a change cites; where one alone was given, that one is meant."""
        cited = [scene for number, scene in sorted(self.scenes.items()) if number in numbers]
        if not cited and not numbers and len(self.scenes) == 1:
            cited = [*self.scenes.values()]
        if not cited:
            self.notes.append(f"dropped, as it cites no scene that was given: {said[:60]}")
        return cited

    def _believe(self, said: str, cited: Iterable[ToldScene], *, old: str = "") -> bool:
        heard = "\n".join([old, *(scene.heard for scene in cited)])
        missing = grounding.find_missing(said, heard, known_names=self.known_names)
        if missing:
            self.notes.append(f"dropped, as {', '.join(missing)} is in no recap it cites: {said[:60]}")
        return not missing

    def _put(self, old: Point, new: Point) -> None:
        """Put a point in the place of another; one that says the same by then is one with it."""
        self.points[self.points.index(old)] = new
        line = fold_line(new.part, new.line)
        same = [one for one in self.points if one is not new and fold_line(one.part, one.line) == line]
        for one in same:
            if one.id in self.fixed:
                self.points.remove(new)
                return
            self.points.remove(one)
            merged = replace(new, scenes=tuple(dict.fromkeys((*one.scenes, *new.scenes))))
            self.points[self.points.index(new)] = merged
            new = merged


def unite(point: Point, cited: Iterable[ToldScene]) -> Point:
    return replace(point, scenes=tuple(dict.fromkeys((*point.scenes, *(scene.id for scene in cited)))))


def join_points(
    points: Sequence[Point], answer: Mapping[str, Any], *, known_names: KnownNames = (), by: str
) -> tuple[list[Point], list[str]]:
    """Carry out the `join` and `drop` of an answer that shortens a story. Returns the points, and notes.

    Points of one part become one, which cites the scenes of all of them and says nothing that none of them did.
    """
    notes: list[str] = []
    names = [tuple(one) for one in known_names]
    by_number = {number: point for number, point in enumerate(points, start=1) if not point.is_by_person}
    left = {point.id: point for point in points}
    joins, unread = parse_parts(answer.get("join"), schemas.PointJoin, what="join", most=CHANGES_MOST)
    drops, more_unread = parse_parts(answer.get("drop"), schemas.PointDrop, what="drop", most=CHANGES_MOST)
    for join in joins:
        numbers = dict.fromkeys(join.points)
        joined = [by_number[one] for one in numbers if one in by_number and by_number[one].id in left]
        fault = find_fault(join.text, joined, names)
        if fault:
            notes.append(f"not joined, {fault}: {join.text[:60]}")
            continue
        scenes = tuple(dict.fromkeys(scene for point in joined for scene in point.scenes))
        first, *others = sorted(joined, key=points.index)
        left[first.id] = replace(first, text=cut_text(join.text), scenes=scenes, by=by)
        for point in others:
            del left[point.id]
        for number in numbers:
            by_number.pop(number, None)
    for drop in drops:
        if drop.point in by_number:
            left.pop(by_number[drop.point].id, None)
        else:
            notes.append(f"not dropped: point {drop.point} is not there, is a person's, or was joined")
    return list(left.values()), [*unread, *more_unread, *notes]


def find_fault(said: str, joined: Sequence[Point], known_names: Sequence[Sequence[str]]) -> str:
    """Say why points cannot be joined to this text, or nothing."""
    if not joined:
        return "as none of its points is there"
    if len({point.part for point in joined}) > 1 or len({text.fold(point.label) for point in joined}) > 1:
        return "as its points are of different parts or labels"
    missing = grounding.find_missing(said, "\n".join(point.line for point in joined), known_names=known_names)
    return f"as {', '.join(missing)} is in none of its points" if missing else ""
