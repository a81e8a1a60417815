"""How much a story holds."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from memory.models import Story
from memory.story.inclusion import budget
from memory.story.versions import points as story_points
from memory.story.versions.points import HAPPENED, OPEN, STATE, Point

POINTS_MOST: Mapping[str, int] = {HAPPENED: 40, OPEN: 10, STATE: 15}
# What a story that is too long is shortened to, in percent: so that the next merges find room.
SHORTENED_PERCENT = 80


@dataclass(frozen=True, kw_only=True)
class Limits:
    """The most points of each part, and the most tokens of all of them."""

    points: Mapping[str, int]
    tokens: int

    def find_excess(self, points: Iterable[Point]) -> list[str]:
        """Name what is over its limit: parts, or `tokens`."""
        points = list(points)
        parts = [part for part, most in self.points.items() if len(story_points.select_part(points, part)) > most]
        return parts + (["tokens"] if story_points.count_tokens(points) > self.tokens else [])

    def shorten(self, excess: Iterable[str]) -> "Limits":
        """Return what to shorten to: four fifths of what is over, the rest as it is."""
        over = set(excess)

        def cut(name: str, most: int) -> int:
            return most * SHORTENED_PERCENT // 100 if name in over else most

        return Limits(
            points={part: cut(part, most) for part, most in self.points.items()}, tokens=cut("tokens", self.tokens)
        )


def get_limits(story: Story, *, firm_tokens: int) -> Limits:
    """Return the limits of a story: 1 200 tokens, or 15 % of what a prompt may hold besides its `firm_tokens`."""
    return Limits(points=POINTS_MOST, tokens=budget.plan_caps(story, firm_tokens=firm_tokens).story)
