"""How work comes to be due: on the story, merges, shortening, a rebuild; on scenes, a look for their ends, recaps, cards."""

from collections.abc import Iterable

from memory.facts import firm_tokens
from memory.models import Scene, SceneRecap, StoryStep
from memory.models.story.made_by import MadeBy
from memory.story.inclusion import budget
from memory.story.scenes import closing, listing
from memory.story.versions import due as next_scenes
from memory.story.versions.points import load_points
from memory.storytelling import compacting, detecting, rebuilding
from memory.storytelling.work.due import FinderContext
from memory.storytelling.work.steps import Work

Kind = StoryStep.Kind


def find_merges(context: FinderContext) -> Iterable[Work]:
    """Find the next merge. Where the model failed for good, rules make it once `# Further scenes` is full."""
    story = context.story
    batch = next_scenes.find_batch(story=story, base=story.current)
    if batch is None:
        return
    since = batch.scenes[0].created_at
    work = Work(kind=Kind.MERGE, source_hash=batch.source_hash, since=since, can_grow=not batch.is_full)
    if work.key in context.failed_for_good and are_further_scenes_full(context):
        work = work.by_rules
    yield work


def are_further_scenes_full(context: FinderContext) -> bool:
    """Whether the recaps of the scenes that are not in the story take all the room that a prompt has for them."""
    caps = budget.plan_caps(context.story, firm_tokens=firm_tokens.load(context.bond))
    told = {int(pk) for pk in context.story.current.recaps} if context.story.current else set()
    further = Scene.objects.for_bond(context.bond).exclude(pk__in=told).select_related("bond", "recap")
    return sum(next_scenes.count_tokens(scene) for scene in further) > caps.scenes


def find_compaction(context: FinderContext) -> Iterable[Work]:
    """Find whether the story is too long; where the model failed for good, rules shorten it."""
    story = context.story
    if story.current is None or not compacting.is_too_long(story, load_points(story.current)):
        return
    source_hash = compacting.hash_compaction(story)
    work = Work(kind=Kind.COMPACT, source_hash=source_hash, since=story.current.created_at)
    yield work.by_rules if work.key in context.failed_for_good else work


def find_rebuild(context: FinderContext) -> Iterable[Work]:
    """Find whether the story is to be told anew: it has begun to be, or sixteen merges have been made since.

    Without a model it would lose what a model wrote, so it does not begin by itself.
    """
    story = context.story
    if story.current is None:
        return
    if rebuilding.find_link(story) or (context.has_model and rebuilding.is_due(story)):
        yield Work(kind=Kind.REBUILD, source_hash=rebuilding.hash_rebuild(story), since=story.current.created_at)


def find_detecting(context: FinderContext) -> Iterable[Work]:
    """Find whether the detector has something to look at: eight new borders, or a scene that is too long, which rules
    end where the model failed for good. A backlog of more than 50 scenes waits for a person, as it is not cut before.
    """
    talk = detecting.load_talk(context.bond)
    source_hash = detecting.hash_talk(talk, context.story)
    if source_hash is None:
        return
    firm = firm_tokens.load(context.bond)
    if closing.is_backlog_long(bond=context.bond, firm_tokens=firm, now=context.now):
        return
    work = Work(kind=Kind.DETECT, source_hash=source_hash, since=talk.lines[-1].created_at)
    if work.key in context.failed_for_good and detecting.is_forced(talk, context.story):
        work = work.by_rules
    yield work


def find_recaps(context: FinderContext) -> Iterable[Work]:
    """Find the scenes whose recap is outdated, or made by rules in haste; a person's stays.

    What the offline voice has told stays, too, once a model is there: a person may let all be told anew.
    """
    for listed in listing.list_scenes(bond=context.bond, story=context.story):
        scene, recap = listed.scene, listed.recap
        if scene is None or not listed.line_count or (recap is not None and recap.made_by == MadeBy.PERSON):
            continue
        is_hasty = recap is None or (recap.made_by == MadeBy.RULES and not recap.model)
        if is_hasty or listed.outdated:
            yield Work(kind=Kind.SCENE_RECAP, target=scene.pk, source_hash=listed.source_hash, since=scene.created_at)


def find_cards(context: FinderContext) -> Iterable[Work]:
    """Find the scenes whose chosen recap names people or things and is not on their cards yet."""
    recaps = SceneRecap.objects.for_bond(context.bond).filter(carded_at=None).exclude(content__entities=[])
    for scene in Scene.objects.for_bond(context.bond).filter(recap__in=recaps).select_related("recap").in_order():
        recap = scene.recap
        if recap is not None:
            yield Work(
                kind=Kind.CARDS, target=scene.pk, source_hash=str(recap.pk), since=recap.created_at, needs_model=False
            )
