"""Tell a bond's story anew from its recaps, in links of a few scenes each.

Each link is a hidden version on the one before, so a worker that is killed loses one call. The current version moves at the end.
"""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from hashlib import sha256
from uuid import uuid4

from memory.consolidation.asking import Asker
from memory.models import Story, StoryVersion
from memory.models.story.made_by import MadeBy
from memory.story import settings
from memory.story.versions import due, writing
from memory.story.versions.merging import Order
from memory.story.versions.points import Point, dump_points
from memory.story.versions.points import count_tokens as count_point_tokens
from memory.story.versions.writing import VersionContent
from memory.storytelling import compacting, merging
from memory.storytelling.work.running import RunningStep, StepChanged, StepDelayed
from personas.models import Bond

# So many merges after the last rebuild, the story is told anew.
MERGES_MOST = 16


def rebuild_link(*, bond: Bond, asker: Asker, step: RunningStep, now: datetime, target: int = 0) -> bool:
    """Add one link to a rebuild, or begin one; where nothing is left to add, make the last link current.

    Returns whether there is more to do. Raises LLMError, and what a step raises.
    """
    story = settings.get_story(bond)
    link = find_link(story)
    before = writing.load_content(link) if link else start(story)
    batch = merging.find_batch(story, link, step=step)
    if batch is None:
        end(story, link, before, step=step, now=now)
        return False
    content, made_by = merging.add_scenes(bond=bond, before=before, batch=batch, asker=asker)
    if compacting.is_too_long(story, content.points):
        points, _ = compacting.shorten(content, story=story, bond=bond, asker=asker)
        content = replace(content, points=points)
    with step.transaction(is_last=False) as locked:
        newest = find_link(locked)
        # The first link is on nothing; a person's points are looked at again at the end.
        merging.require_unchanged(newest, before if link else VersionContent(), batch)
        writing.create_version(
            bond=locked.bond,
            content=content,
            made_by=made_by,
            base=link,
            now=now,
            chain=newest.chain if newest else uuid4(),
        )
    return True


def find_link(story: Story) -> StoryVersion | None:
    """Find the last link of a rebuild that is not done."""
    links = StoryVersion.objects.filter(bond=story.pk, deleted_at=None).exclude(chain=None)
    return links.order_by("-number").first()


def start(story: Story) -> VersionContent:
    """A rebuild starts from nothing but what a person wrote."""
    current = writing.load_content(story.current)
    return VersionContent(points=[point for point in current.points if point.is_by_person])


def end(story: Story, link: StoryVersion | None, before: VersionContent, *, step: RunningStep, now: datetime) -> None:
    """Make the last link current, with a person's points as they are now. The other links go.

    Raises StepDelayed where the current version tells more scenes than can be told anew now.
    """
    if link is None:
        return
    with step.transaction() as locked:
        newest = find_link(locked)
        if newest is None or newest.pk != link.pk or writing.load_content(newest) != before:
            raise StepChanged
        current = writing.load_content(locked.current)
        order = Order(places={scene.pk: at for at, scene in enumerate(due.load_scenes(locked))})
        if due.find_end(before, order) < due.find_end(current, order):
            raise StepDelayed
        links = StoryVersion.objects.filter(bond=locked.pk).exclude(chain=None)
        links.exclude(pk=newest.pk).delete()
        points = carry_own(before.points, current.points)
        newest.points = dump_points(points)
        newest.token_count = count_point_tokens(points)
        newest.base = newest.chain = None
        newest.number = writing.find_next_number(locked.bond, besides=newest)
        newest.created_at = now
        newest.save()
        writing.make_current(locked, newest, now=now)


def carry_own(points: Sequence[Point], current: Sequence[Point]) -> list[Point]:
    """Give a rebuilt story the points that a person has written by now, and no others of theirs."""
    own = {point.id: point for point in current if point.is_by_person}
    kept = [own.get(point.id, point) for point in points if not point.is_by_person or point.id in own]
    known = {point.id for point in kept}
    return kept + [point for pk, point in own.items() if pk not in known]


def is_due(story: Story) -> bool:
    """Whether a rebuild is under way, or sixteen merges have been made since the last."""
    return find_link(story) is not None or count_merges(story) >= MERGES_MOST


def count_merges(story: Story) -> int:
    """Count the versions that jobs have written since the story was told from nothing."""
    first = find_first(story)
    later = StoryVersion.objects.filter(bond=story.pk, chain=None, number__gt=first.number if first else 0)
    return later.exclude(made_by=MadeBy.PERSON).count()


def find_first(story: Story) -> StoryVersion | None:
    """Find the version that was told from nothing last."""
    found = StoryVersion.objects.filter(bond=story.pk, chain=None, base=None)
    return found.order_by("-number").first()


def hash_rebuild(story: Story) -> str:
    first = find_first(story)
    return sha256(f"rebuild {story.generation} {first.pk if first else None}".encode()).hexdigest()
