"""Add, remove and move the breaks between scenes; each act is one transaction under the bond's lock.

A scene is what lies between two breaks, so no message is ever in two scenes or in none.
"""

from collections.abc import Iterable, Sequence
from datetime import datetime

from django.db import transaction
from django.db.models import Max

from echovessel import events
from echovessel.errors import CodedError
from memory import sessions
from memory.models import Message, Scene, Story
from memory.story import lines
from memory.story.recaps import versions
from memory.story.scenes import borders, pointers
from memory.story.settings import get_story
from personas.models import Bond

# How many messages a person leaves on either side of a break.
PERSON_LEAST = 2
# A turn has few messages: what lies further back has ended.
NEAR = 40
# How many other ends of a scene are offered on either side.
ENDS_MOST = 10
ABOVE = "A scene moves within its neighbours: the message's id must be above %(low)s."
BETWEEN = "A scene moves within its neighbours: the message's id must be between %(low)s and %(high)s."


class BreakRefused(CodedError):
    """A break that cannot be where it is wanted."""


@transaction.atomic
def add_break(*, bond: Bond, last_message_id: int, closed_by: str, now: datetime) -> Scene:
    """End a scene behind a message, and recap it by rules.

    A break inside a closed scene divides it: the later part stays the scene it was. Raises BreakRefused.
    """
    sessions.lock_bond(bond)
    before, behind = find_neighbours(bond, last_message_id)
    is_by_person = closed_by == Scene.ClosedBy.PERSON
    told, end = check(bond, last_message_id, before=before, behind=behind, by_person=is_by_person)
    scene = write_scene(bond, told, last_message_id=end, closed_by=closed_by, now=now)
    if behind is not None:
        pointers.mark_untold(bond=bond, scenes=[scene])
        tell_anew(behind, now=now)
    return scene


def end_scenes(bond: Bond, told: Sequence[Message], ends: Iterable[tuple[int, str]], *, now: datetime) -> list[Scene]:
    """End scenes with the turns of told messages of the open scene, by their indexes and what ends them. The caller has locked the bond.

    A turn may go on with a message that is not told. Where the next told one lies before that, nothing ends.
    """
    made: list[Scene] = []
    begins = 0
    for at, closed_by in ends:
        end = find_end(bond, told[at].pk, after=told[begins].pk - 1)
        if at + 1 == len(told) or told[at + 1].pk > end:
            made.append(write_scene(bond, told[begins : at + 1], last_message_id=end, closed_by=closed_by, now=now))
            begins = at + 1
    return made


def write_scene(bond: Bond, told: Sequence[Message], *, last_message_id: int, closed_by: str, now: datetime) -> Scene:
    scene = Scene.objects.create(bond=bond, last_message_id=last_message_id, closed_by=closed_by, created_at=now)
    versions.recap_anew_by_rules(scene=scene, told=told, now=now, is_new=True)
    record("memory.scene.closed", scene, now=now)
    return scene


@transaction.atomic
def remove_break(*, scene: Scene, now: datetime) -> None:
    """Join a scene to the next one, or to the open one. Raises SceneGone."""
    current = versions.lock_scene(scene)
    before, behind = find_neighbours(current.bond, current.last_message_id)
    pointers.leave_scene(bond=current.bond, gone=current, before=before, behind=behind)
    keep_removed(current)
    record("memory.scene.removed", current, now=now)
    current.delete()
    if behind is not None:
        tell_anew(behind, now=now)


@transaction.atomic
def move_break(*, scene: Scene, last_message_id: int, now: datetime) -> Scene:
    """Let a scene end behind another message, between the breaks beside it; what lies between goes to the next scene, or comes
    from it. Raises BreakRefused, SceneGone.
    """
    current = versions.lock_scene(scene)
    if current.last_message_id == last_message_id:
        return current
    before, behind = find_neighbours(current.bond, current.last_message_id)
    low, high = get_last(before), behind.last_message_id if behind is not None else None
    if last_message_id <= low or (high is not None and last_message_id >= high):
        limits = ABOVE if high is None else BETWEEN
        raise BreakRefused("invalid", limits, low=low, high=high)
    _, end = check(current.bond, last_message_id, before=before, behind=behind, by_person=True)
    keep_removed(current)
    current.last_message_id = end
    current.save(update_fields=["last_message_id"])
    pointers.mark_untold(bond=current.bond, scenes=[current] if behind is None else [current, behind])
    tell_anew(current, now=now)
    if behind is not None:
        tell_anew(behind, now=now)
    return current


def list_ends(scene: Scene) -> list[Message]:
    """List the messages near a scene's end behind which it may end: its own and the next scene's, oldest first."""
    before, behind = find_neighbours(scene.bond, scene.last_message_id)
    told = lines.load_told(
        scene.bond, after=get_last(before), up_to=behind.last_message_id if behind is not None else None
    )
    ends = borders.find_borders(told)
    allowed = [told[at] for at in range(PERSON_LEAST - 1, len(told) - PERSON_LEAST) if ends[at]]
    earlier = [line for line in allowed if line.pk <= scene.last_message_id]
    return earlier[-ENDS_MOST:] + allowed[len(earlier) :][:ENDS_MOST]


def find_neighbours(bond: Bond, last_message_id: int) -> tuple[Scene | None, Scene | None]:
    """Find the scenes that end before a message, and behind it."""
    scenes = Scene.objects.for_bond(bond).select_related("bond")
    before = scenes.filter(last_message_id__lt=last_message_id).order_by("-last_message_id").first()
    behind = scenes.filter(last_message_id__gt=last_message_id).order_by("last_message_id").first()
    return before, behind


def get_last(scene: Scene | None) -> int:
    return scene.last_message_id if scene is not None else 0


def check(
    bond: Bond, last_message_id: int, *, before: Scene | None, behind: Scene | None, by_person: bool
) -> tuple[list[Message], int]:
    """Check that a scene may end with the turn of a message. Returns the told messages of the scene that would, and the turn's last one,
    which may be one that is not told. Raises BreakRefused.
    """
    said = Message.objects.for_bond(bond).visible().not_off_record()
    if not said.filter(pk=last_message_id).exists():
        raise BreakRefused("not_found", "There is no message %(id)s behind which a scene can end.", id=last_message_id)
    told = lines.load_told(bond, after=get_last(before), up_to=last_message_id)
    end = find_end(bond, last_message_id, after=get_last(before))
    if Scene.objects.for_bond(bond).filter(last_message_id=end).exists():
        raise BreakRefused("conflict", "A scene ends behind this message already.")
    if end != last_message_id and lines.load_told(bond, after=last_message_id, up_to=end):
        raise BreakRefused(
            "invalid", "A scene ends between turns: the turn of this message ends with message %(end)s.", end=end
        )
    later = said.told().filter(pk__gt=last_message_id)
    if behind is not None:
        later = later.filter(pk__lte=behind.last_message_id)
    if by_person and (len(told) < PERSON_LEAST or later[:PERSON_LEAST].count() < PERSON_LEAST):
        raise BreakRefused(
            "invalid", "A scene has at least %(least)s messages, and so has the next one.", least=PERSON_LEAST
        )
    if not told:
        raise BreakRefused("invalid", "A scene needs a message that is told: these are all forgotten or left out.")
    return told, end


def find_end(bond: Bond, last_message_id: int, *, after: int) -> int:
    """Find the message with which the last turn up to a message ends, and all turns that lie across one another there."""
    said = Message.objects.for_bond(bond).visible().not_off_record().filter(pk__gt=after)
    end = last_message_id
    while True:
        near = said.filter(pk__lte=end).order_by("-id").values("turn_id")[:NEAR]
        newest: int | None = said.filter(turn_id__in=near, pk__gt=end).aggregate(newest=Max("pk"))["newest"]
        if newest is None:
            return end
        end = newest


def tell_anew(scene: Scene, *, now: datetime) -> None:
    """Recap a scene whose lines are others now by rules; a person's recap stays, outdated."""
    versions.recap_anew_by_rules(scene=scene, told=lines.load_scene(scene), now=now)
    record("memory.scene.updated", scene, now=now)


def keep_removed(scene: Scene) -> None:
    """Note that nothing looks for an end of a scene again where a person took one away."""
    story = get_story(scene.bond)
    if story.scanned_to < scene.last_message_id:
        Story.objects.filter(pk=story.pk).update(scanned_to=scene.last_message_id)


def record(type: str, scene: Scene, *, now: datetime) -> None:
    events.record(bond_id=scene.bond_id, type=type, refs={"scene": scene.pk}, now=now)
