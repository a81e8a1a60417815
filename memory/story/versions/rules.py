"""Merge and shorten a story by rules: what the offline voice answers, carried out at once."""

from collections.abc import Collection, Mapping, Sequence
from itertools import zip_longest

from echovessel import text, tokens
from echovessel.llm.inputs import RecappedScene, StoryCompactInputs, StoryMergeInputs, StoryPoint, WeighedText
from echovessel.llm.offline.story import story_compact, story_merge
from memory.models.story.made_by import MadeBy
from memory.story.recaps.content import Told
from memory.story.versions import merging, points
from memory.story.versions.limits import Limits
from memory.story.versions.merging import KnownNames, Order, ToldScene
from memory.story.versions.points import Point

# What sentences that are joined take at most: as much of a prompt in every language.
JOINED_TOKENS_MOST = 50


def build_merge_inputs(before: Sequence[Point], *, scenes: Sequence[ToldScene], order: Order) -> StoryMergeInputs:
    """Build what a call to merge scenes is given, beside its prompt."""
    fixed = merging.find_fixed(before, scenes=scenes, order=order)
    return StoryMergeInputs(
        points=build_points(before, fixed=fixed), scenes=tuple(build_scene(scene) for scene in scenes)
    )


def build_points(
    numbered: Sequence[Point], *, fixed: Collection[str], weights: Mapping[str, int] | None = None
) -> tuple[StoryPoint, ...]:
    return tuple(
        StoryPoint(
            number=number,
            part=point.part,
            text=point.text,
            label=point.label,
            weight=(weights or {}).get(point.id, 0),
            is_fixed=point.id in fixed,
            terms=frozenset(text.extract_terms(point.line)),
        )
        for number, point in enumerate(numbered, start=1)
    )


def build_scene(scene: ToldScene) -> RecappedScene:
    if scene.content is None:
        return RecappedScene(number=scene.number)
    return RecappedScene(
        number=scene.number,
        outcomes=tuple(build_text(one, weight) for one, weight in join_outcomes(scene.content.outcomes, scene.weights)),
        open=tuple(build_text(one.text) for one in scene.content.open),
        state=tuple((one.label, one.text) for one in scene.content.state),
    )


def join_outcomes(outcomes: Sequence[Told], weights: Sequence[int]) -> list[tuple[str, int]]:
    """Join sentences of one message that stand side by side, as far as they are short: one tells what the other means.

    Returns the texts with their weights.
    """
    joined: list[tuple[str, int]] = []
    before: Told | None = None
    for one, weight in zip_longest(outcomes, weights[: len(outcomes)], fillvalue=0):
        assert isinstance(one, Told)  # there are no more weights than outcomes
        said, most = joined[-1] if joined else ("", 0)
        both = f"{said}{'' if text.has_cjk(one.text) else ' '}{one.text}"
        if before is not None and before.lines == one.lines and tokens.estimate(both) <= JOINED_TOKENS_MOST:
            joined[-1] = both, max(most, weight)
        else:
            joined.append((one.text, weight))
        before = one
    return joined


def build_text(said: str, weight: int = 0) -> WeighedText:
    return WeighedText(text=said, weight=weight, terms=frozenset(text.extract_terms(said)))


def merge_by_rules(
    before: Sequence[Point], *, scenes: Sequence[ToldScene], order: Order, known_names: KnownNames = ()
) -> list[Point]:
    """Add scenes to a story: two outcomes of each, what is open and how things stand; what was settled goes."""
    answer = story_merge.merge(build_merge_inputs(before, scenes=scenes, order=order))
    found, _ = merging.apply_changes(
        before, answer, scenes=scenes, order=order, known_names=known_names, by=MadeBy.RULES
    )
    return found


def build_compact_inputs(before: Sequence[Point], *, limits: Limits, weights: Mapping[str, int]) -> StoryCompactInputs:
    """Build what a call to shorten a story is given; `weights` are by the ids of points, `limits` what it is brought to."""
    fixed = {point.id for point in before if point.is_by_person}
    return StoryCompactInputs(
        points=build_points(before, fixed=fixed, weights=weights),
        token_counts=tuple(points.count_tokens([point]) for point in before),
        points_most=dict(limits.points),
        tokens_most=limits.tokens,
    )


def compact_by_rules(before: Sequence[Point], *, limits: Limits, weights: Mapping[str, int]) -> list[Point]:
    """Bring a story within limits: the lightest points go, of equal weight the oldest; a person's stay."""
    answer = story_compact.compact(build_compact_inputs(before, limits=limits, weights=weights))
    found, _ = merging.join_points(before, answer, by=MadeBy.RULES)
    return found
