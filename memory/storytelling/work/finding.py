"""How work on the story itself comes to be due: merges, shortening, a rebuild."""

from collections.abc import Iterable

from memory.facts import firm_tokens
from memory.models import Scene, StoryStep
from memory.story.inclusion import budget
from memory.story.versions import due as next_scenes
from memory.story.versions.points import load_points
from memory.storytelling import compacting, rebuilding
from memory.storytelling.work.due import Sight
from memory.storytelling.work.steps import Work

Kind = StoryStep.Kind


def find_merges(sight: Sight) -> Iterable[Work]:
    """Find the next merge. Where the model failed for good, rules make it once `# Further scenes` is full."""
    story = sight.story
    batch = next_scenes.find_batch(story=story, base=story.current)
    if batch is None:
        return
    since = batch.scenes[0].created_at
    work = Work(kind=Kind.MERGE, source_hash=batch.source_hash, since=since, can_grow=not batch.is_full)
    if work.key in sight.failed_for_good and are_further_scenes_full(sight):
        work = Work(kind=Kind.MERGE, source_hash=batch.rules_hash, since=since, needs_model=False)
    yield work


def are_further_scenes_full(sight: Sight) -> bool:
    """Whether the recaps of the scenes that are not in the story take all the room that a prompt has for them."""
    caps = budget.plan_caps(sight.story, firm_tokens=firm_tokens.load(sight.bond))
    told = {int(pk) for pk in sight.story.current.recaps} if sight.story.current else set()
    further = Scene.objects.for_bond(sight.bond).exclude(pk__in=told).select_related("bond", "recap")
    return sum(next_scenes.count_tokens(scene) for scene in further) > caps.scenes


def find_compaction(sight: Sight) -> Iterable[Work]:
    """Find whether the story is too long; where the model failed for good, rules shorten it."""
    story = sight.story
    if story.current is None or not compacting.is_too_long(story, load_points(story.current)):
        return
    since = story.current.created_at
    work = Work(kind=Kind.COMPACT, source_hash=compacting.hash_compaction(story), since=since)
    if work.key in sight.failed_for_good:
        work = Work(kind=Kind.COMPACT, source_hash=compacting.hash_rules(story), since=since, needs_model=False)
    yield work


def find_rebuild(sight: Sight) -> Iterable[Work]:
    """Find whether the story is to be told anew: it has begun to be, or sixteen merges have been made since.

    Without a model it would lose what a model wrote, so it does not begin by itself.
    """
    story = sight.story
    if story.current is None:
        return
    if rebuilding.find_link(story) or (sight.has_model and rebuilding.is_due(story)):
        yield Work(kind=Kind.REBUILD, source_hash=rebuilding.hash_rebuild(story), since=story.current.created_at)
