"""What is due on a bond's scenes: a look for their ends, and recaps."""

from collections.abc import Iterable

from memory.models import Scene, SceneRecap, StoryStep
from memory.models.story.made_by import MadeBy
from memory.story.scenes import listing
from memory.storytelling import detecting
from memory.storytelling.work.due import Sight
from memory.storytelling.work.steps import Work

Kind = StoryStep.Kind


def find_detecting(sight: Sight) -> Iterable[Work]:
    """Find whether the detector has something to look at: eight new borders, or a scene that is too long, which rules
    end where the model failed for good.
    """
    talk = detecting.load_talk(sight.bond)
    source_hash = detecting.hash_talk(talk, sight.story)
    if source_hash is None:
        return
    since = talk.lines[-1].created_at
    work = Work(kind=Kind.DETECT, source_hash=source_hash, since=since)
    if work.key in sight.failed_for_good and detecting.is_forced(talk, sight.story):
        by_rules = detecting.hash_for_rules(source_hash)
        work = Work(kind=Kind.DETECT, source_hash=by_rules, since=since, needs_model=False)
    yield work


def find_recaps(sight: Sight) -> Iterable[Work]:
    """Find the scenes whose recap is outdated, or made by rules in haste; a person's stays.

    What the offline voice has told stays, too, once a model is there: a person may let all be told anew.
    """
    for listed in listing.list_scenes(bond=sight.bond):
        scene, recap = listed.scene, listed.recap
        if scene is None or not listed.line_count or (recap is not None and recap.made_by == MadeBy.PERSON):
            continue
        is_hasty = recap is None or (recap.made_by == MadeBy.RULES and not recap.model)
        if is_hasty or listed.outdated:
            yield Work(
                kind=Kind.SCENE_RECAP,
                target=scene.pk,
                source_hash=listed.source_hash,
                since=scene.created_at,
            )


def find_cards(sight: Sight) -> Iterable[Work]:
    """Find the scenes whose chosen recap names people or things and is not on their cards yet."""
    recaps = SceneRecap.objects.for_bond(sight.bond).filter(carded_at=None).exclude(content__entities=[])
    for scene in Scene.objects.for_bond(sight.bond).filter(recap__in=recaps).select_related("recap").in_order():
        recap = scene.recap
        if recap is not None:
            yield Work(
                kind=Kind.CARDS,
                target=scene.pk,
                source_hash=str(recap.pk),
                since=recap.created_at,
                needs_model=False,
            )
