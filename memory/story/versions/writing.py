"""Write the versions of a story: by jobs and by people.

Each act of a person is one transaction under the bond's lock. A job calls `create_version` and `make_current` within its own.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from uuid import UUID

from django.db import transaction
from django.db.models import Max

from echovessel import events, text
from echovessel.errors import CodedError
from memory import sessions
from memory.messages import secrets
from memory.models import Scene, Story, StoryVersion
from memory.models.story.made_by import MadeBy
from memory.story import settings
from memory.story.versions import comparison, limits, points, weights
from memory.story.versions.limits import Limits
from memory.story.versions.points import Point, PointRefused
from personas.models import Bond

# Versions that stay, besides the current one, pinned ones, and those that a person wrote.
KEPT_MOST = 20
CONTENT_MOST = 100_000


class StoryConflict(CodedError):
    """The story has changed meanwhile: `conflict`."""

    def __init__(self, detail: str) -> None:
        super().__init__("conflict", detail)


@dataclass(frozen=True, kw_only=True)
class VersionContent:
    """What a version holds: its points, the recap by which each scene is told, and the scenes to be told anew.

    A scene that has nothing to tell has no recap.
    """

    points: Sequence[Point] = ()
    recaps: Mapping[int, int | None] = field(default_factory=dict)
    untold: frozenset[int] = frozenset()
    # How many closed scenes are not in it yet.
    excluded_count: int = 0


def load_content(version: StoryVersion | None) -> VersionContent:
    """Load what a version holds; of none it is empty."""
    if version is None:
        return VersionContent()
    return VersionContent(
        points=points.load_points(version),
        recaps={int(scene): recap for scene, recap in version.recaps.items()},
        untold=frozenset(version.untold),
        excluded_count=version.excluded_count,
    )


def create_version(
    *,
    bond: Bond,
    content: VersionContent,
    made_by: str,
    base: StoryVersion | None,
    now: datetime,
    chain: UUID | None = None,
) -> StoryVersion:
    """Create a version within the caller's transaction, under the bond's lock. Scenes that are no more are left out."""
    scenes = list(Scene.objects.for_bond(bond).filter(pk__in=content.recaps).in_order().values_list("pk", flat=True))
    return StoryVersion.objects.create(
        bond=bond,
        number=find_next_number(bond),
        points=points.dump_points(content.points),
        token_count=points.count_tokens(content.points),
        scene_count=len(scenes),
        excluded_count=content.excluded_count,
        from_scene=scenes[0] if scenes else None,
        to_scene=scenes[-1] if scenes else None,
        untold=[scene for scene in scenes if scene in content.untold],
        recaps={str(scene): content.recaps[scene] for scene in scenes},
        base=base,
        chain=chain,
        made_by=made_by,
        created_at=now,
    )


def find_next_number(bond: Bond, *, besides: StoryVersion | None = None) -> int:
    """Find the number of the next version, under the bond's lock; that of `besides` is free."""
    others = StoryVersion.objects.for_bond(bond).exclude(pk=besides.pk if besides else 0)
    return (others.aggregate(most=Max("number"))["most"] or 0) + 1


def make_current(story: Story, version: StoryVersion | None, *, now: datetime) -> None:
    """Let a version be the one that is told, within the caller's transaction, weigh its points, and delete versions over the
    limit.
    """
    story.current = version
    story.save(update_fields=["current"])
    weights.store_weights(story)
    announce(story, now=now)
    prune_versions(story)


def announce(story: Story, *, now: datetime) -> None:
    current = story.current
    refs = {"version": current.number if current else None}
    events.record(bond_id=story.pk, type="memory.story.updated", refs=refs, now=now)


@transaction.atomic
def edit_text(*, bond: Bond, content: str, base: int | None, firm_tokens: int, now: datetime) -> StoryVersion | None:
    """Write the story as a person wants it, from the version with the number `base`. Returns the version that is current then.

    Lines that stay keep their points; others become the person's, which no job changes. Raises StoryConflict where another
    version is current, PointRefused, TextError.
    """
    story = lock(bond)
    current = story.current
    if (current.number if current else None) != base:
        raise StoryConflict("The story has changed since you opened it. Read it again before you write.")
    if content.strip():
        text.check(content, most=CONTENT_MOST)
    before = load_content(current)
    written = comparison.match_lines(points.read_text(secrets.mask(content)), before.points)
    if written == list(before.points):
        return current
    check_own(written, limits.get_limits(story, firm_tokens=firm_tokens))
    changed = replace(before, points=written)
    version = create_version(bond=bond, content=changed, made_by=MadeBy.PERSON, base=current, now=now)
    make_current(story, version, now=now)
    return version


def check_own(written: Sequence[Point], allowed: Limits) -> None:
    """Raise PointRefused where what a person wrote does not fit into a story, since no job would ever shorten it."""
    own = [point for point in written if point.is_by_person]
    for name in allowed.find_excess(own):
        if name == "tokens":
            raise PointRefused(
                "too_long",
                "What you wrote has %(count)s tokens; a story has %(most)s at most.",
                count=points.count_tokens(own),
                most=allowed.tokens,
            )
        raise PointRefused(
            "too_long",
            "Below “%(heading)s” you wrote %(count)s lines; there are %(most)s at most.",
            heading=points.HEADINGS[name],
            count=len(points.select_part(own, name)),
            most=allowed.points[name],
        )


@transaction.atomic
def choose_version(*, version: StoryVersion, now: datetime) -> StoryVersion:
    """Let a copy of a version be current: scenes behind it are due again. Returns the copy; the current one stays as it is.

    Raises StoryConflict where the version was deleted.
    """
    story = lock(version.bond)
    refresh(version)
    if version.deleted_at is not None:
        raise StoryConflict("This version was deleted. Restore it first.")
    if story.current_id == version.pk:
        return version
    content = load_content(version)
    copy = create_version(bond=version.bond, content=content, made_by=version.made_by, base=version, now=now)
    make_current(story, copy, now=now)
    return copy


@transaction.atomic
def delete_version(*, version: StoryVersion, now: datetime) -> StoryVersion | None:
    """Delete a version; it can be restored until the next purge. Returns the current one then: the newest that is left
    where it was the current one.
    """
    story = lock(version.bond)
    refresh(version)
    if version.deleted_at is None:
        version.deleted_at = now
        version.save(update_fields=["deleted_at"])
    if story.current_id == version.pk:
        left = StoryVersion.objects.for_bond(version.bond).not_deleted().without_links()
        make_current(story, left.order_by("-number").first(), now=now)
    else:
        announce(story, now=now)
    return story.current


@transaction.atomic
def restore_version(*, version: StoryVersion, now: datetime) -> StoryVersion:
    """Take a deleted version back. It becomes current only where none is."""
    story = lock(version.bond)
    refresh(version)
    version.deleted_at = None
    version.save(update_fields=["deleted_at"])
    if story.current is None:
        make_current(story, version, now=now)
    else:
        announce(story, now=now)
    return version


@transaction.atomic
def pin_version(*, version: StoryVersion, pinned: bool, now: datetime) -> StoryVersion:
    """Pin a version, so that it stays however many follow, or let it go."""
    story = lock(version.bond)
    refresh(version)
    version.pinned = pinned
    version.save(update_fields=["pinned"])
    announce(story, now=now)
    if not pinned:
        prune_versions(story)
    return version


def prune_versions(story: Story) -> int:
    """Delete versions beyond the newest twenty, but for the current one, pinned ones, and those that a person wrote.

    Returns how many. The caller has locked the bond.
    """
    others = StoryVersion.objects.filter(bond=story.pk, pinned=False).exclude(pk=story.current_id or 0)
    counted = others.not_deleted().without_links().exclude(made_by=MadeBy.PERSON)
    over = list(counted.order_by("-number").values_list("pk", flat=True)[KEPT_MOST:])
    return StoryVersion.objects.filter(pk__in=over).delete()[0] if over else 0


def erase_deleted_versions() -> int:
    """Erase the deleted versions of all bonds, every night. Returns how many."""
    return StoryVersion.objects.exclude(deleted_at=None).delete()[0]


def lock(bond: Bond) -> Story:
    """Lock a bond, and get its story as it is then."""
    sessions.lock_bond(bond)
    return settings.get_story(bond)


def refresh(version: StoryVersion) -> None:
    """Read a version again, under the bond's lock. Raises StoryConflict where it is gone."""
    try:
        version.refresh_from_db()
    except StoryVersion.DoesNotExist as error:
        raise StoryConflict("This version of the story is gone.") from error
