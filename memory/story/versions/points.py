"""The points of a story: how they are kept, counted, written as text, and read back from it."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from uuid import uuid4

from echovessel import tokens
from echovessel.errors import CodedError
from memory.models import StoryVersion

HAPPENED, OPEN, STATE = "happened", "open", "state"
# The parts in the order in which they are told, with their headings where the story is written as one text.
HEADINGS: Mapping[str, str] = {HAPPENED: "What happened", OPEN: "Still open", STATE: "How things stand"}
PARTS = tuple(HEADINGS)
TEXT_MOST = 200
LABEL_MOST = 30
PERSON = "person"
_BULLET = "- "


class PointRefused(CodedError):
    """A text that is no story: `invalid` or `too_long`, with a sentence that names the line."""


@dataclass(frozen=True, kw_only=True)
class Point:
    """One line of a story: `scenes` are the ids of those it tells, `by` is who wrote it: model, rules, person or import."""

    part: str
    text: str
    scenes: tuple[int, ...] = ()
    by: str
    label: str = ""
    id: str
    # 0 to 10, as of now: see `memory.story.versions.weights`. It says nothing of what the point tells.
    weight: int = field(default=0, compare=False)

    @property
    def is_by_person(self) -> bool:
        return self.by == PERSON

    @property
    def line(self) -> str:
        return join_label(self.label, self.text)


@dataclass(frozen=True)
class WrittenLine:
    """A line of a story as a person wrote it."""

    part: str
    text: str
    label: str = ""

    @property
    def line(self) -> str:
        return join_label(self.label, self.text)


def join_label(label: str, text: str) -> str:
    return f"{label}: {text}" if label else text


def make_id() -> str:
    return uuid4().hex[:12]


def load_points(version: StoryVersion | None) -> list[Point]:
    """Load the points of a version, in their order; of none there are none."""
    return [] if version is None else [read_point(row) for row in version.points]


def read_point(row: Mapping[str, Any]) -> Point:
    return Point(**{**row, "scenes": tuple(row["scenes"])})


def dump_points(points: Iterable[Point]) -> list[dict[str, object]]:
    return [{**vars(point), "scenes": list(point.scenes)} for point in points]


def count_tokens(points: Iterable[Point]) -> int:
    """Count the tokens of points as a prompt holds them, without the headings."""
    return sum(count_line_tokens(point.line) for point in points)


def count_line_tokens(line: str) -> int:
    return tokens.estimate(f"{_BULLET}{line}\n")


def select_part(points: Iterable[Point], part: str) -> list[Point]:
    return [point for point in points if point.part == part]


def render_text(points: Sequence[Point]) -> str:
    """Write points as one text, each part below its heading: what `read_text` reads."""
    blocks = []
    for part, heading in HEADINGS.items():
        lines = [f"{_BULLET}{point.line}" for point in select_part(points, part)]
        if lines:
            blocks.append("\n".join([f"# {heading}", *lines]))
    return "\n\n".join(blocks)


def read_text(content: str) -> list[WrittenLine]:
    """Read a story written as text: a line each, below the headings of the parts; lines before a heading happened.

    How things stand is written "label: text". Raises PointRefused: `invalid`, `too_long`.
    """
    part = HAPPENED
    found: list[WrittenLine] = []
    for row in content.splitlines():
        line = " ".join(row.split())
        if line.startswith("#"):
            part = find_part(line)
        elif line not in ("", "-"):
            found.append(read_line(line.removeprefix(_BULLET), part))
    return found


def find_part(heading: str) -> str:
    wanted = heading.lstrip("#").strip().rstrip(":").casefold()
    found = next((part for part, name in HEADINGS.items() if wanted in (name.casefold(), part)), None)
    if found is None:
        known = ", ".join(f"“# {name}”" for name in HEADINGS.values())
        raise PointRefused(
            "invalid",
            "The headings of a story are %(known)s; this one is not: %(heading)s",
            known=known,
            heading=heading[:60],
        )
    return found


def read_line(line: str, part: str) -> WrittenLine:
    label, mark, text = line.partition(": ") if part == STATE else ("", "", line)
    if not mark or len(label) > LABEL_MOST:
        label, text = "", line
    if len(text) > TEXT_MOST:
        raise PointRefused(
            "too_long",
            "A line of the story has %(most)s characters at most; this one has %(count)s: %(line)s…",
            most=TEXT_MOST,
            count=len(text),
            line=line[:60],
        )
    return WrittenLine(part, text, label)
