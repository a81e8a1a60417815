"""Scenes that the story tells in place of their messages: a row each on the page, which opens in place."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from itertools import groupby
from typing import NamedTuple

from django.conf import settings
from django.db.models import Count, Max, Min, OuterRef, QuerySet, Subquery
from django.utils import timezone

from memory.models import Message, Scene, Story
from memory.story.inclusion import window
from memory.story.inclusion.window import Break
from memory.story.settings import find_story
from personas.models import Bond

# How many rows are shown at once, and how many scenes the list beside the conversation has.
FOLDS_MOST = 20
LISTED_MOST = 500


@dataclass(frozen=True)
class Gap:
    """Messages that are not on the page, between these two; without `after`, all earlier ones."""

    after: int | None
    before: int | None


class Measured(NamedTuple):
    """How many visible messages a scene has, when it began, and the id of the first."""

    line_count: int = 0
    began: datetime | None = None
    first: int | None = None


NOTHING = Measured()


@dataclass(frozen=True)
class FoldedScene:
    """A row in place of a scene's messages, which lie in its gap."""

    id: int
    title: str
    gap: Gap
    line_count: int
    began: datetime | None
    first_message: int | None
    outcome: str
    # It was withdrawn from the story, as something of it was forgotten, and waits to be told anew.
    is_untold: bool

    @property
    def day(self) -> date | None:
        return None if self.began is None else timezone.localdate(self.began)


def find_last_folded(bond: Bond) -> int:
    """Find the last message that the page folds; 0 where nothing is folded."""
    story = load_story(bond)
    version = story.current if story is not None else None
    if story is None or version is None or version.to_scene is None:
        return 0
    scenes = list(Scene.objects.for_bond(bond).in_order().values_list("pk", "last_message_id"))
    ends = dict(scenes)
    told = ends.get(version.to_scene, 0)
    untold = set(version.untold)
    breaks = [Break(pk, last, last <= told and pk not in untold) for pk, last in scenes]
    said = Message.objects.for_bond(bond).visible()
    is_open = bool(scenes) and said.filter(pk__gt=scenes[-1][1]).exists()
    return window.find_fold(breaks, keep_scenes=story.keep_scenes, is_open=is_open)


def find_end_before(bond: Bond, up_to: int) -> int:
    """Find the last message of the newest scene that ends up to a message; 0 where there is none."""
    ends = Scene.objects.for_bond(bond).filter(last_message_id__lte=up_to)
    return ends.aggregate(newest=Max("last_message_id"))["newest"] or 0


def load_story(bond: Bond) -> Story | None:
    if not settings.STORY_ENABLED:
        return None
    story = find_story(bond)
    return story if story is not None and story.enabled else None


def load_folds(bond: Bond, *, up_to: int, most: int = FOLDS_MOST) -> tuple[list[FoldedScene], Gap | None]:
    """Load the newest scenes that end up to a message, oldest first, and the gap of those before them."""
    found = list(filter_scenes(bond).filter(last_message_id__lte=up_to)[: most + 1])
    shown = list(reversed(found[:most]))
    story = find_story(bond)
    untold = set(story.current.untold) if story is not None and story.current is not None else set()
    measured = measure(bond, shown)
    folds = [build(scene, measured.get(scene.pk, NOTHING), is_untold=scene.pk in untold) for scene in shown]
    above = Gap(None, folds[0].gap.after + 1) if len(found) > most and folds[0].gap.after is not None else None
    return folds, above


def filter_scenes(bond: Bond) -> QuerySet[Scene]:
    """Filter closed scenes, newest first, each annotated `after`: the last message before it."""
    earlier = Scene.objects.for_bond(bond).filter(last_message_id__lt=OuterRef("last_message_id"))
    after = earlier.order_by("-last_message_id").values("last_message_id")[:1]
    scenes = Scene.objects.for_bond(bond).select_related("recap").annotate(after=Subquery(after))
    return scenes.order_by("-last_message_id")


def measure(bond: Bond, scenes: Sequence[Scene]) -> dict[int, Measured]:
    """Count the visible messages of neighbouring scenes, oldest first, and find with which and when each began."""
    if not scenes:
        return {}
    holding = Scene.objects.for_bond(bond).filter(last_message_id__gte=OuterRef("pk")).order_by("last_message_id")
    said = Message.objects.for_bond(bond).visible()
    said = said.filter(pk__gt=get_after(scenes[0]), pk__lte=scenes[-1].last_message_id)
    grouped = said.annotate(scene=Subquery(holding.values("pk")[:1])).order_by().values("scene")
    rows = grouped.annotate(count=Count("pk"), began=Min("created_at"), first=Min("pk"))
    return {row["scene"]: Measured(row["count"], row["began"], row["first"]) for row in rows}


def get_after(scene: Scene) -> int:
    """Return the last message before a scene that `load_folds` loaded; 0 for the first."""
    after: int | None = scene.after  # type: ignore[attr-defined]  # an annotation
    return after or 0


def build(scene: Scene, measured: Measured, *, is_untold: bool) -> FoldedScene:
    content = scene.recap.content if scene.recap is not None else {}
    title = scene.title or content.get("title", "")
    return FoldedScene(
        id=scene.pk,
        title=title,
        gap=Gap(get_after(scene), scene.last_message_id + 1),
        line_count=measured.line_count,
        began=measured.began,
        first_message=measured.first,
        outcome=choose_outcome([outcome["text"] for outcome in content.get("outcomes", ())], title=title),
        is_untold=is_untold,
    )


def choose_outcome(outcomes: Sequence[str], *, title: str) -> str:
    """Choose the first outcome that says more than the title, which by rules is the beginning of one."""
    others = [said for said in outcomes if not title or not said.startswith(title.rstrip("…"))]
    longer = [said for said in outcomes if said != title]
    return next(iter(others or longer), "")


def load_ends(bond: Bond, messages: Sequence[Message]) -> dict[int, Scene]:
    """Load the scenes that end with one of these messages, by its id."""
    if not settings.STORY_ENABLED or not messages:
        return {}
    ends = Scene.objects.for_bond(bond).filter(last_message_id__in=[message.pk for message in messages])
    return {scene.last_message_id: scene for scene in ends}


@dataclass(frozen=True)
class SceneMonth:
    month: date
    scenes: list[FoldedScene]


def list_months(bond: Bond) -> list[SceneMonth]:
    scenes = list(reversed(filter_scenes(bond)[:LISTED_MOST]))
    measured = measure(bond, scenes)
    rows = [build(scene, measured[scene.pk], is_untold=False) for scene in reversed(scenes) if scene.pk in measured]
    by_month = groupby(rows, key=lambda row: row.day.replace(day=1) if row.day else date.min)
    return [SceneMonth(month, list(scenes)) for month, scenes in by_month]


def has_scenes(bond: Bond) -> bool:
    return settings.STORY_ENABLED and Scene.objects.for_bond(bond).exists()
