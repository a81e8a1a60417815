"""Shorten a bond's story that has grown too long: the call `story_compact`, and rules where that is not enough."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from functools import partial
from hashlib import sha256
from pathlib import Path

from echovessel.prompts import escape, render
from memory.answers.story_schemas import StoryCompactAnswer
from memory.consolidation.asking import Asker
from memory.entities.names import name_user
from memory.facts import firm_tokens
from memory.models import Story
from memory.models.story.made_by import MadeBy
from memory.story import settings
from memory.story.known_names import load_known_names
from memory.story.versions import due, limits, merging, rules, weights, writing
from memory.story.versions import points as story_points
from memory.story.versions.limits import Limits
from memory.story.versions.points import Point
from memory.story.versions.writing import VersionContent
from memory.storytelling.merging import render_point
from memory.storytelling.work.running import RunningStep, StepChanged
from personas.models import Bond

PROMPT = Path(__file__).parent.parent / "prompts" / "story_compact.md"
FEATURE = "story_compact"


def compact(*, bond: Bond, asker: Asker, step: RunningStep, now: datetime, target: int = 0) -> None:
    """Shorten the current version to four fifths of what is allowed, and make the result current.

    By rules alone where the step says so. Raises LLMError, and what a step raises.
    """
    story = settings.get_story(bond)
    base = story.current
    before = writing.load_content(base)
    if base is None or not is_too_long(story, before.points):
        return
    may_ask = None if step.is_by_rules(hash_compaction(story)) else asker
    points, made_by = shorten(before, story=story, bond=bond, asker=may_ask)
    with step.transaction() as locked:
        if locked.current_id != base.pk or writing.load_content(locked.current) != before:
            raise StepChanged
        content = replace(before, points=points)
        version = writing.create_version(bond=locked.bond, content=content, made_by=made_by, base=base, now=now)
        writing.make_current(locked, version, now=now)


def is_too_long(story: Story, points: Sequence[Point]) -> bool:
    """Whether a story is over a limit, and something in it is not a person's."""
    return bool(get_limits(story).find_excess(points)) and not all(point.is_by_person for point in points)


def get_limits(story: Story) -> Limits:
    return limits.get_limits(story, firm_tokens=firm_tokens.load(Bond(pk=story.pk)))


def hash_compaction(story: Story) -> str:
    return sha256(f"{story.current_id}".encode()).hexdigest()


def shorten(before: VersionContent, *, story: Story, bond: Bond, asker: Asker | None) -> tuple[list[Point], str]:
    """Shorten a story that is over a limit: one call, then rules until it holds. Returns who did it, too. Raises LLMError."""
    points, allowed = before.points, get_limits(story)
    aim = allowed.shorten(allowed.find_excess(points))
    load_weights = partial(weights.load_point_weights, bond, recaps=before.recaps, scenes=due.load_scenes(story))
    weighed = load_weights(points)
    found, made_by = list(points), MadeBy.RULES
    if asker is not None:
        inputs = rules.build_compact_inputs(points, limits=aim, weights=weighed)
        prompt = render_prompt(bond, points, allowed=allowed, aim=aim, weighed=weighed)
        answer = asker.ask(prompt, feature=FEATURE, schema=StoryCompactAnswer, inputs=inputs)
        made_by = MadeBy.RULES if answer.offline else MadeBy.MODEL
        names = load_known_names(bond)
        found, _ = merging.join_points(points, answer.parsed, known_names=names, by=made_by)
        weighed = load_weights(found)
    return rules.compact_by_rules(found, limits=aim, weights=weighed), made_by


def render_prompt(
    bond: Bond, points: Sequence[Point], *, allowed: Limits, aim: Limits, weighed: Mapping[str, int]
) -> str:
    excess = allowed.find_excess(points)
    lines = [
        render_point(point, number, mark=f" (weight {weighed[point.id]})")
        for number, point in enumerate(points, start=1)
    ]
    return render(
        PROMPT,
        persona_name=escape(bond.persona.name),
        user_name=escape(name_user(bond)),
        excess=", ".join(say_count(points, excess)),
        aim=", ".join(say_limit(aim, excess)),
        points="\n".join(lines),
    )


def say_count(points: Sequence[Point], excess: Iterable[str]) -> Iterable[str]:
    for name in excess:
        if name == "tokens":
            yield f"{story_points.count_tokens(points)} tokens"
        else:
            yield f"{len(story_points.select_part(points, name))} lines of {name}"


def say_limit(aim: Limits, excess: Iterable[str]) -> Iterable[str]:
    for name in excess:
        yield f"{aim.tokens} tokens at most" if name == "tokens" else f"{aim.points[name]} lines of {name} at most"
