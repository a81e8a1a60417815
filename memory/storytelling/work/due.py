"""What can be done on a bond's story now: computed from rows, so that what depends on something waits for it, and nothing is
queued twice.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from memory.models import Story, StoryStep
from memory.models.leased import RETRY_AFTER, is_expired
from memory.story.settings import find_story
from memory.storytelling.work.steps import SUPERSEDED, Work
from personas.models import Bond

Kind = StoryStep.Kind
State = StoryStep.State
PRIORITIES: Mapping[str, int] = {
    Kind.CARDS: 12,
    Kind.COMPACT: 11,
    Kind.MERGE: 10,
    Kind.SCENE_RECAP: 9,
    Kind.LINE_RECAPS: 6,
    Kind.DETECT: 5,
    Kind.REBUILD: 2,
}
PERSON_PRIORITY = 20
# What finds scenes, and makes them ready to be told in a story.
SCENE_KINDS = (Kind.DETECT, Kind.SCENE_RECAP)


@dataclass(frozen=True, kw_only=True)
class FinderContext:
    """What a finder looks at: the bond, its story, and whether a model would be asked, not the rules."""

    bond: Bond
    story: Story
    has_model: bool
    now: datetime
    # Steps that were tried as often as they may: of these the rules' recaps are told.
    failed_for_good: frozenset[tuple[str, int, str]] = frozenset()


Finder = Callable[[FinderContext], Iterable[Work]]


@dataclass(frozen=True)
class DueWork:
    """What is due, in order, and the ids of steps that wait or failed and are not to be done any more."""

    due: list[Work]
    outdated: frozenset[int] = frozenset()


def find_due(bond: Bond, now: datetime, *, has_model: bool, finders: Sequence[Finder]) -> DueWork:
    """Compute what can be done now, in order: by priority, what a person asked for 20 higher, then the oldest."""
    story = find_story(bond)
    if story is None or story.paused or not story.enabled:
        return DueWork([])
    rows = list(StoryStep.objects.for_bond(bond).exclude(state=State.DONE).order_by("id"))
    # These are tried again only if a person asks for it.
    for_good = [row for row in rows if row.state == State.FAILED and row.next_try_at is None]
    failed_for_good = frozenset(map(get_key, for_good))
    context = FinderContext(bond=bond, story=story, has_model=has_model, now=now, failed_for_good=failed_for_good)
    found = [work for find in finders for work in find(context)]
    places = {(work.kind, work.target) for work in found}
    outdated = frozenset(row.pk for row in rows if is_droppable(row) and (row.kind, row.target) not in places)
    return DueWork(order(select(found, rows, now=now)), outdated)


def select(found: Iterable[Work], rows: Sequence[StoryStep], *, now: datetime) -> list[Work]:
    """Add what people ask for, and leave out what failed and waits, and what a person cancelled while nothing has changed."""
    by_target = {(work.kind, work.target): work for work in found}
    held_up = {get_key(row) for row in rows if is_held_up(row, now=now)}
    chosen = {place: work for place, work in by_target.items() if work.key not in held_up}
    for row in rows:
        if row.by != StoryStep.By.PERSON or row.state == State.CANCELLED or is_held_up(row, now=now):
            continue
        place = (row.kind, row.target)
        work = by_target.get(place) or Work(
            kind=row.kind, target=row.target, source_hash=row.source_hash, since=row.created_at
        )
        chosen[place] = replace(work, by=row.by, since=row.created_at)
    return list(chosen.values())


def is_droppable(row: StoryStep) -> bool:
    """Whether a step may go once its work is needless, as its scene is gone or told; what people asked for stays."""
    return row.by == StoryStep.By.JOB and row.state in (State.WAITING, State.FAILED)


def is_held_up(row: StoryStep, *, now: datetime) -> bool:
    """Whether a step keeps its work from being begun: it is tried again later, or not by itself."""
    if row.state == State.CANCELLED:
        return row.error != SUPERSEDED
    if row.state != State.FAILED:
        return False
    waits = row.next_try_at
    return waits is None or (waits > now and not is_expired(waits, now=now, most=RETRY_AFTER[-1]))


def order(found: Iterable[Work]) -> list[Work]:
    """Put first what is done first. A merge that could tell more scenes waits until these are found and recapped: one call, not
    many.
    """
    found = list(found)
    has_scenes_to_come = any(work.kind in SCENE_KINDS for work in found)

    def waits(work: Work) -> bool:
        return has_scenes_to_come and work.can_grow and work.by != StoryStep.By.PERSON

    return sorted(found, key=lambda work: (waits(work), -get_priority(work), work.since, work.target))


def get_priority(work: Work) -> int:
    return PRIORITIES[work.kind] + (PERSON_PRIORITY if work.by == StoryStep.By.PERSON else 0)


def get_key(row: StoryStep) -> tuple[str, int, str]:
    return row.kind, row.target, row.source_hash
