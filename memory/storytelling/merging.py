"""Add scenes to a bond's story: the call `story_merge`. No transaction is held across it."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import date, datetime, timedelta
from pathlib import Path
from typing import Any

from django.db.models import OuterRef, Subquery

from echovessel import periods
from echovessel.llm.errors import BadAnswerError
from echovessel.prompts import escape, render
from memory.answers.story_schemas import StoryMergeAnswer
from memory.consolidation.asking import Asker
from memory.entities.names import name_user
from memory.models import Message, Scene, Story, StoryVersion
from memory.models.story.made_by import MadeBy
from memory.story import settings
from memory.story.known_names import load_known_names
from memory.story.recaps.content import RecapContent
from memory.story.versions import due, merging, rules, writing
from memory.story.versions.due import SCENES_MOST, TOKENS_MOST, Batch
from memory.story.versions.merging import ToldScene
from memory.story.versions.points import OPEN, Point
from memory.story.versions.writing import VersionContent
from memory.storytelling.work.running import RunningStep, StepChanged
from personas.models import Bond

PROMPT = Path(__file__).parent.parent / "prompts" / "story_merge.md"
FEATURE = "story_merge"
# What happened in a scene and weighs so much is told, whatever a model leaves out.
TOLD_FROM = 6
# What is open and was in no scene for so long is open no more: nobody took it up again.
OPEN_FOR = timedelta(days=45)


def merge_next(*, bond: Bond, asker: Asker, step: RunningStep, now: datetime, target: int = 0) -> None:
    """Add the next scenes to the current version, or tell one anew, and make the result current.

    By rules where the step says so. Raises LLMError, and what a step raises.
    """
    story = settings.get_story(bond)
    batch = find_batch(story, story.current, step=step)
    if batch is None:
        return
    before = writing.load_content(story.current)
    content, made_by = add_scenes(
        bond=bond, before=before, batch=batch, asker=None if step.is_by_rules(batch.source_hash) else asker
    )
    with step.transaction() as locked:
        require_unchanged(locked.current, before, batch)
        version = writing.create_version(
            bond=locked.bond, content=content, made_by=made_by, base=story.current, now=now
        )
        writing.make_current(locked, version, now=now)


def find_batch(story: Story, base: StoryVersion | None, *, step: RunningStep) -> Batch | None:
    """Find what is to be added to a version: less, where the server found it too long."""
    return due.find_batch(
        story=story, base=base, scenes_most=step.shrink(SCENES_MOST), tokens_most=step.shrink(TOKENS_MOST)
    )


def require_unchanged(base: StoryVersion | None, before: VersionContent, batch: Batch) -> None:
    """Raise StepChanged where the version or the recaps are not what was read."""
    recaps = dict(Scene.objects.filter(pk__in=batch.recaps).values_list("pk", "recap"))
    if (base.pk if base else None) != batch.base_id or writing.load_content(base) != before or recaps != batch.recaps:
        raise StepChanged


def add_scenes(*, bond: Bond, before: VersionContent, batch: Batch, asker: Asker | None) -> tuple[VersionContent, str]:
    """Add scenes to what a version holds: by the model, else by rules. Returns that, and who made it. Raises LLMError."""
    points: Sequence[Point] = before.points
    if batch.is_anew:
        points = merging.leave_scene(points, batch.scenes[0].pk)
    scenes = [scene for scene in due.load_told_scenes(batch) if scene.content is not None]
    made_by: str = MadeBy.RULES
    if scenes:
        points, made_by = ask(points, bond=bond, scenes=scenes, batch=batch, asker=asker)
    content = replace(
        before,
        points=leave_out_old(points, scenes=batch.scenes),
        recaps={**before.recaps, **batch.recaps},
        untold=before.untold - batch.recaps.keys(),
        excluded_count=batch.excluded_count,
    )
    return content, made_by


def leave_out_old(points: Sequence[Point], *, scenes: Sequence[Scene]) -> list[Point]:
    """Leave out what is open since long before these scenes, or for a day that is over: "I must pay the bill tomorrow". A person's point stays."""
    old = [point for point in points if point.part == OPEN and not point.is_by_person]
    asked = {scene.pk for scene in scenes}.union(*(point.scenes for point in old))
    ends = Message.objects.filter(pk=OuterRef("last_message_id"))
    found = Scene.objects.filter(pk__in=asked).annotate(day=Subquery(ends.values("day"))).exclude(day=None)
    days = dict(found.values_list("pk", "day")) if old else {}
    last = max((days[scene.pk] for scene in scenes if scene.pk in days), default=None)
    over = {
        point.id
        for point in old
        if last and all(one in days and is_past(point.text, told_on=days[one], today=last) for one in point.scenes)
    }
    return [point for point in points if point.id not in over]


def is_past(opened: str, *, told_on: date, today: date) -> bool:
    """Whether what was open on a day is over on another: the days that it names ahead are, or it is long ago."""
    named = periods.find_periods(opened, today=told_on, leaning=periods.Leaning.FUTURE)
    ahead = [period.end for period in named if period.end >= told_on]
    return told_on + OPEN_FOR < today or bool(ahead and max(ahead) < today)


def ask(
    points: Sequence[Point], *, bond: Bond, scenes: Sequence[ToldScene], batch: Batch, asker: Asker | None
) -> tuple[list[Point], str]:
    names = load_known_names(bond)
    if asker is None:
        return rules.merge_by_rules(points, scenes=scenes, order=batch.order, known_names=names), MadeBy.RULES
    inputs = rules.build_merge_inputs(points, scenes=scenes, order=batch.order)
    prompt = render_prompt(bond, points, scenes=scenes, fixed={one.number for one in inputs.points if one.is_fixed})

    def apply(parsed: Mapping[str, Any], by: str = MadeBy.MODEL) -> list[Point]:
        changed, notes = merging.apply_changes(
            points, parsed, scenes=scenes, order=batch.order, known_names=names, by=by
        )
        has_changes = any(isinstance(parsed.get(name), list) for name in StoryMergeAnswer.model_fields)
        if not has_changes or (notes and changed == [*points]):
            raise BadAnswerError("; ".join(["Nothing in the answer could be added to the story", *notes])[:500])
        return changed

    answer = asker.ask(prompt, feature=FEATURE, schema=StoryMergeAnswer, inputs=inputs, check=apply)
    made_by = MadeBy.RULES if answer.offline else MadeBy.MODEL
    found = apply(answer.parsed, made_by)
    missed = find_missed(found, scenes)
    if missed:
        found = rules.merge_by_rules(found, scenes=missed, order=batch.order, known_names=names)
    return found, made_by


def find_missed(points: Iterable[Point], scenes: Iterable[ToldScene]) -> list[ToldScene]:
    """Find the scenes in which something weighty happened and that no point cites, with that alone."""
    cited = {scene for point in points for scene in point.scenes}
    missed = []
    for scene in scenes:
        heavy = [
            (one, weight)
            for one, weight in zip(scene.content.outcomes if scene.content else [], scene.weights, strict=True)
            if weight >= TOLD_FROM
        ]
        if scene.id not in cited and heavy:
            content = RecapContent(outcomes=[one for one, _ in heavy])
            missed.append(replace(scene, content=content, weights=tuple(weight for _, weight in heavy)))
    return missed


def render_prompt(bond: Bond, points: Sequence[Point], *, scenes: Sequence[ToldScene], fixed: set[int]) -> str:
    lines = [render_point(point, number, is_fixed=number in fixed) for number, point in enumerate(points, start=1)]
    days = load_days(scenes)
    return render(
        PROMPT,
        persona_name=escape(bond.persona.name),
        user_name=escape(name_user(bond)),
        points="\n".join(lines) or "(nothing yet)",
        scenes="\n".join(render_scene(scene, day=days.get(scene.id)) for scene in scenes),
    )


def load_days(scenes: Iterable[ToldScene]) -> dict[int, date]:
    """Load the days on which scenes end, where the user lives."""
    last = Message.objects.filter(pk=OuterRef("last_message_id")).values("day")
    found = Scene.objects.filter(pk__in=[scene.id for scene in scenes]).annotate(day=Subquery(last))
    return dict(found.exclude(day=None).values_list("pk", "day"))


def render_point(point: Point, number: int, *, is_fixed: bool = False, mark: str = "") -> str:
    """Render a point; what is fixed and no person's was told by later scenes."""
    stays = "(stays) " if point.is_by_person else "(stays, told later) " if is_fixed else ""
    part = f"{point.part} ({point.label})" if point.label else point.part
    return escape(f"[{number}] {stays}{part}{mark}: {point.text}")


def render_scene(scene: ToldScene, *, day: date | None) -> str:
    content = scene.content
    assert content is not None  # scenes that tell nothing are left out
    told = [
        *(f"happened: {one.text}" for one in content.outcomes),
        *(f"open: {one.text}" for one in content.open),
        *(f"state ({one.label}): {one.text}" for one in content.state),
        *(f"said: “{one.text}”" for one in content.quotes),
    ]
    lines = "\n".join(f"- {escape(line)}" for line in told)
    said_on = f' day="{day:%Y-%m-%d}"' if day else ""
    return f'<scene number="{scene.number}"{said_on}>\n{escape(content.title)}\n{lines}\n</scene>'
