"""Steps of the work on a story, in words."""

from collections.abc import Mapping
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from chat.pages.display import errors
from memory.models import StoryStep
from memory.models.story.made_by import MadeBy
from memory.storytelling.work.steps import Work

KINDS = {
    StoryStep.Kind.CARDS: gettext_lazy("Note what a scene tells of people and things"),
    StoryStep.Kind.COMPACT: gettext_lazy("Shorten the story"),
    StoryStep.Kind.MERGE: gettext_lazy("Add scenes to the story"),
    StoryStep.Kind.SCENE_RECAP: gettext_lazy("Recap a scene"),
    StoryStep.Kind.LINE_RECAPS: gettext_lazy("Recap messages that leave the prompt"),
    StoryStep.Kind.DETECT: gettext_lazy("Look for the end of a scene"),
    StoryStep.Kind.REBUILD: gettext_lazy("Rebuild the story"),
}


@dataclass(frozen=True)
class StepItem:
    """A step as a reader sees it: what it does, to which scene, and why it does not go on."""

    what: str
    scene: int | None
    title: str
    why: str
    row: StoryStep | None = None


def describe_made_by(made_by: str) -> str:
    words = {
        MadeBy.MODEL: _("by the model"),
        MadeBy.RULES: _("by the offline rules"),
        MadeBy.PERSON: _("by you"),
        MadeBy.IMPORT: _("imported"),
    }
    return words[MadeBy(made_by)]


def describe_work(work: Work, titles: Mapping[int, str]) -> StepItem:
    why = _("You asked for it.") if work.by == StoryStep.By.PERSON else ""
    return build(work.kind, work.target, titles, why=why)


def describe_step(row: StoryStep, titles: Mapping[int, str]) -> StepItem:
    why = errors.translate(row.error, row.detail, about="chat") if row.state == StoryStep.State.FAILED else ""
    return build(row.kind, row.target, titles, why=why, row=row)


def build(kind: str, target: int, titles: Mapping[int, str], *, why: str, row: StoryStep | None = None) -> StepItem:
    is_scene = kind == StoryStep.Kind.SCENE_RECAP and target in titles
    return StepItem(
        what=str(KINDS[StoryStep.Kind(kind)]),
        scene=target if is_scene else None,
        title=titles.get(target, "") if is_scene else "",
        why=why,
        row=row,
    )
