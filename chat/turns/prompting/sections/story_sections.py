"""The sections of a prompt about earlier talks: the story, scenes that it does not tell yet, and what this talk began with."""

from collections.abc import Iterable, Sequence
from itertools import groupby

from chat.turns.prompting.sections.rendering import one_line, render_list, render_section, wrap_in_tag
from echovessel.llm.inputs import SaidMessage, SceneDigest, StoryLine

STORY_HEAD = (
    "What has been between you until lately, in short. It is past, and days are days of then. Where “What you know” or "
    "“Noted in this talk” say otherwise, they hold."
)
SCENES_HEAD = "Talks since then, in short, the oldest first."
LINES_HEAD = "What was said before the messages that follow, in short."
HEADINGS = {"happened": "What happened", "open": "Still open", "state": "How things stand"}


def render_told(story: Sequence[StoryLine], scenes: Sequence[str], lines: Sequence[str]) -> list[str]:
    """Render the sections about earlier talks; scenes and lines are rendered."""
    return [
        *render_section("Our story so far", join(STORY_HEAD, wrap_in_tag("story", render_story(story)))),
        *render_section("Further scenes", join(SCENES_HEAD, wrap_in_tag("scenes", "\n".join(scenes)))),
        *render_section("Earlier in this talk", join(LINES_HEAD, wrap_in_tag("earlier", render_list(lines)))),
    ]


def join(head: str, content: str) -> str:
    return f"{head}\n{content}" if content else ""


def render_story(points: Sequence[StoryLine]) -> str:
    blocks = []
    for part, heading in HEADINGS.items():
        of_part = [point for point in points if point.part == part]
        if of_part:
            items = render_months(of_part) if part == "happened" else [f"- {render_point(point)}" for point in of_part]
            blocks.append("\n".join([f"{heading}:", *items]))
    return "\n\n".join(blocks)


def render_months(points: Iterable[StoryLine]) -> list[str]:
    """Render points below the month that they were in; what a person added has none and stands where they put it."""
    rendered, last = [], ""
    for month, of_month in groupby(points, key=lambda point: f"{point.at:%B %Y}" if point.at else ""):
        if month and month != last:
            rendered.append(f"{month}:")
            last = month
        rendered += [f"- {render_point(point)}" for point in of_month]
    return rendered


def render_point(point: StoryLine) -> str:
    label = f"{one_line(point.label)}: " if point.label else ""
    return f"{label}{one_line(point.text)}{' (then)' if point.is_past else ''}"


def render_scene(scene: SceneDigest) -> str:
    """Render a scene: its title and day, what came of it, what stayed open."""
    items = [*map(one_line, scene.outcomes), *(f"still open: {one_line(thread)}" for thread in scene.open)]
    day = f"{scene.at:%A} {scene.at.day} {scene.at:%B %Y}"
    return f"{one_line(scene.title)} ({day}):\n{render_list(items)}"


def render_line_recap(said: SaidMessage) -> str:
    return f"{'user' if said.is_user else 'you'}: {one_line(said.text)}"
