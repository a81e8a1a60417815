"""What recaps and the story are made from."""

from collections.abc import Mapping
from dataclasses import dataclass

from echovessel.llm.inputs.consolidation import TranscriptLine


@dataclass(frozen=True, kw_only=True)
class BreakCandidate:
    """A line behind which a scene may end, by the number that it has: how deep the valley of shared terms is there, and
    whether somebody says goodbye or begins with something else.
    """

    number: int
    depth: float
    is_cue: bool = False


@dataclass(frozen=True, kw_only=True)
class SceneBreakInputs:
    """Lines of an open scene, cut where they are long; those that are no candidates have the number 0."""

    lines: tuple[TranscriptLine, ...]
    candidates: tuple[BreakCandidate, ...]
    # Of the whole scene, which may be longer than what is shown of it.
    line_count: int
    # Whether one must be taken, as the scene is too long.
    forced: bool = False


@dataclass(frozen=True, kw_only=True)
class SceneRecapInputs:
    """The lines of a scene, and the names of each person or thing in them that is known."""

    lines: tuple[TranscriptLine, ...]
    known: tuple[tuple[str, ...], ...] = ()


def build_cut_key(part: str, *, weight: int, is_own: bool = False) -> tuple[bool, bool, int]:
    """Build the key by which points of a story go, in a version and in a prompt: the lowest first, of equal ones the oldest.
    How things stand goes late, what a person wrote last.
    """
    return is_own, part == "state", weight


@dataclass(frozen=True, kw_only=True)
class StoryPoint:
    """A numbered line of the story so far; its part is happened, open or state."""

    number: int
    part: str
    text: str
    label: str = ""
    # How much that weighs which it tells of its scenes, 0 to 10.
    weight: int = 0
    # A person or a later scene wrote it: it is neither changed nor dropped.
    is_fixed: bool = False
    terms: frozenset[str] = frozenset()


@dataclass(frozen=True, kw_only=True)
class WeighedText:
    text: str
    # 0 to 10.
    weight: int = 0
    terms: frozenset[str] = frozenset()


@dataclass(frozen=True, kw_only=True)
class RecappedScene:
    """A numbered scene by its recap: what happened, what is open, and how things stand, by label."""

    number: int
    outcomes: tuple[WeighedText, ...] = ()
    open: tuple[WeighedText, ...] = ()
    state: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, kw_only=True)
class StoryMergeInputs:
    points: tuple[StoryPoint, ...]
    scenes: tuple[RecappedScene, ...]


@dataclass(frozen=True, kw_only=True)
class StoryCompactInputs:
    """A story that is too long, with the tokens of each point, and what it is to be brought to: points by part, tokens in all."""

    points: tuple[StoryPoint, ...]
    token_counts: tuple[int, ...]
    points_most: Mapping[str, int]
    tokens_most: int


@dataclass(frozen=True)
class LineToRecap:
    """A numbered message, by the sentence of it that says most."""

    number: int
    sentence: str


@dataclass(frozen=True)
class LineRecapInputs:
    lines: tuple[LineToRecap, ...]
