"""Shortens a story: the lightest points go, of equal weight the oldest."""

from collections.abc import Iterable

from pydantic import JsonValue

from echovessel.llm.inputs import StoryCompactInputs, StoryPoint, build_cut_key


def compact(inputs: StoryCompactInputs) -> dict[str, JsonValue]:
    left = dict(zip(inputs.points, inputs.token_counts, strict=True))
    for part, most in inputs.points_most.items():
        beyond = sum(point.part == part for point in left) - most
        for point in rank([point for point in left if point.part == part])[: max(0, beyond)]:
            del left[point]
    for point in rank(left):
        if sum(left.values()) > inputs.tokens_most:
            del left[point]
    gone = [point.number for point in inputs.points if point not in left]
    return {"join": [], "drop": [{"point": number, "reason": "light"} for number in gone]}


def rank(points: Iterable[StoryPoint]) -> list[StoryPoint]:
    """Rank the points that may go, the first to go first; the oldest stand first in a story."""
    movable = [point for point in points if not point.is_fixed]
    return sorted(movable, key=lambda point: (build_cut_key(point.part, weight=point.weight), point.number))
