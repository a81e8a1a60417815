"""When a bond's story is looked at: `Story.wake_at` says when there may be something to do, and the scanner queues it then."""

from datetime import datetime, timedelta

from django.conf import settings
from django.db import transaction
from django.db.models import DateTimeField, Exists, OuterRef, Q, Value
from django.db.models.functions import Least

from echovessel.llm import connection
from memory.facts import firm_tokens
from memory.jobs.lease import expire_dead_leases
from memory.jobs.queue import enqueue
from memory.models import Message, Session, Story
from memory.models.leased import LEASE, filter_expired, filter_too_far
from memory.story.scenes import closing
from memory.storytelling.work.quiet import get_quiet
from personas.models import Bond

# How many bonds that were there before they had stories are taken up in one pass.
BEGUN_MOST = 20
# A day ahead at most: what waits longer is woken again.
WAITS_MOST = timedelta(days=1)


def wake(*, bond_id: int, at: datetime) -> None:
    """Let the scanner queue the story of a bond from `at` on, by one statement where it has one already."""
    if not settings.STORY_ENABLED:
        return
    earlier = Least("wake_at", Value(at), output_field=DateTimeField())
    if Story.objects.filter(pk=bond_id).update(wake_at=earlier):
        return
    with transaction.atomic():
        bond = Bond.objects.select_for_update(no_key=True).filter(pk=bond_id).first()
        if bond is not None:
            Story.objects.get_or_create(bond=bond)
            Story.objects.filter(pk=bond_id).update(wake_at=earlier)


def wake_now(*, bond_id: int, now: datetime) -> None:
    """Queue the story of a bond at once; where a worker has it, that one goes on with what is new."""
    if settings.STORY_ENABLED:
        wake(bond_id=bond_id, at=now)
        enqueue("memory.tasks.tell", bond_id)


def end_with_session(*, session_id: int, now: datetime) -> None:
    """End the open scene with a chat that was closed by hand: behind its last reply, which a turn may still have added."""
    if not settings.STORY_ENABLED:
        return
    session = Session.objects.select_related("bond__user", "bond__persona").filter(pk=session_id).first()
    if session is not None:
        closing.close_with_session(session=session, now=now)
        wake_after_turn(bond_id=session.bond_id, now=now)


def follow_turn(*, bond_id: int, now: datetime) -> None:
    """Wake the story after a turn. Where it waits, end scenes behind a silence before the turn at once: the next prompt needs them.

    Raises Bond.DoesNotExist.
    """
    if wake_after_turn(bond_id=bond_id, now=now):
        close_silent(bond=Bond.objects.select_related("user", "persona").get(pk=bond_id), now=now)


def close_silent(*, bond: Bond, now: datetime) -> int:
    """End scenes behind silences of a bond's open scene. Returns how many."""
    return len(closing.close_silent(bond=bond, firm_tokens=firm_tokens.load(bond), now=now))


def close_all_silent(*, now: datetime) -> int:
    """One pass of the scanner: end the scenes of bonds in which nobody says anything. Returns how many it ended."""
    return sum(close_silent(bond=bond, now=now) for bond in closing.find_silent(now=now))


def wake_after_turn(*, bond_id: int, now: datetime) -> bool:
    """Wake a bond's story once its talk is quiet; at once where the rules tell it, which take no model from the talk.

    Returns whether it waits.
    """
    if not settings.STORY_ENABLED:
        return False
    waits = get_quiet(has_model=connection.get_active() is not None).lasts
    if waits:
        wake(bond_id=bond_id, at=now + waits)
    else:
        wake_now(bond_id=bond_id, now=now)
    return bool(waits)


def requeue(*, now: datetime) -> int:
    """Queue the stories that have waited long enough, those of workers that died, and of bonds without one. Returns how many."""
    if not settings.STORY_ENABLED:
        return 0
    expire_dead_leases(Story.objects.exclude(lease_until=None), now=now)
    begin_stories(now=now)
    late = filter_expired("lease_until", now=now, most=LEASE)
    woken = Q(wake_at__lte=now) | filter_too_far("wake_at", now=now, most=WAITS_MOST)
    due = list(Story.objects.filter(late | woken & Q(lease_until=None)).order_by("pk").values_list("pk", flat=True))
    # In the queue from now on; a task that is lost is queued anew.
    Story.objects.filter(pk__in=due).update(wake_at=now + LEASE)
    for bond_id in due:
        enqueue("memory.tasks.tell", bond_id)
    return len(due)


def begin_stories(*, now: datetime) -> None:
    """Let bonds that talked before there were stories have one."""
    spoken = Exists(Message.objects.filter(bond=OuterRef("pk")))
    for bond_id in Bond.objects.filter(spoken, story=None).order_by("pk").values_list("pk", flat=True)[:BEGUN_MOST]:
        wake(bond_id=bond_id, at=now)
