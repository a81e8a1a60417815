"""Steps of the work on a story, in words."""

from collections.abc import Mapping
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from chat.pages.display import errors
from memory.models import StoryStep
from memory.models.story.made_by import MadeBy

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
    row: StoryStep


def describe_made_by(made_by: str) -> str:
    words = {
        MadeBy.MODEL: _("by the model"),
        MadeBy.RULES: _("by the offline rules"),
        MadeBy.PERSON: _("by you"),
        MadeBy.IMPORT: _("imported"),
    }
    return words[MadeBy(made_by)]


def describe_step(row: StoryStep, titles: Mapping[int, str]) -> StepItem:
    is_scene = row.kind == StoryStep.Kind.SCENE_RECAP and row.target in titles
    return StepItem(
        what=str(KINDS[StoryStep.Kind(row.kind)]),
        scene=row.target if is_scene else None,
        title=titles.get(row.target, "") if is_scene else "",
        why=explain(row),
        row=row,
    )


def explain(row: StoryStep) -> str:
    if row.state == StoryStep.State.FAILED:
        return errors.translate(row.error, row.detail, about="chat")
    is_wish = row.state == StoryStep.State.WAITING and row.by == StoryStep.By.PERSON
    return _("You asked for it.") if is_wish else ""
