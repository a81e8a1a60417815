"""What people ask for: something told anew, tried again, cancelled, paused. Each is one transaction under the bond's lock."""

from datetime import datetime

from django.db import transaction

from memory import sessions
from memory.facts import firm_tokens
from memory.models import Message, Scene, Story, StoryStep
from memory.story import settings
from memory.story.scenes import closing
from memory.storytelling.work import steps, tidying, waking
from personas.models import Bond

Kind = StoryStep.Kind


@transaction.atomic
def tell_scene(*, scene: Scene, now: datetime) -> StoryStep:
    """Let a scene be recapped anew. Raises Bond.DoesNotExist."""
    return request(bond=scene.bond, kind=Kind.SCENE_RECAP, target=scene.pk, now=now)


@transaction.atomic
def recap_message(*, message: Message, now: datetime) -> StoryStep:
    """Let a message be recapped anew. Raises Bond.DoesNotExist."""
    return request(bond=message.bond, kind=Kind.LINE_RECAPS, target=message.pk, now=now)


@transaction.atomic
def rebuild(*, bond: Bond, now: datetime) -> StoryStep:
    """Let the story be told anew from its recaps."""
    return request(bond=bond, kind=Kind.REBUILD, target=0, now=now)


@transaction.atomic
def tell_all(*, bond: Bond, now: datetime) -> list[StoryStep]:
    """Let each scene be recapped anew and then the whole story; what runs now writes nothing more. Returns the steps.

    A person's recap stays the one that is told. What was said while no scenes were ended is cut, however many they become.
    """
    sessions.lock_bond(bond)
    closing.cut_backlog(bond=bond, firm_tokens=firm_tokens.load(bond), now=now)
    story = settings.get_story(bond)
    settings.stop_running_work(story)
    story.save(update_fields=["generation"])
    steps.cancel_rows(StoryStep.objects.for_bond(bond), now=now)
    wanted = [(Kind.SCENE_RECAP, pk) for pk in Scene.objects.for_bond(bond).in_order().values_list("pk", flat=True)]
    requested = [
        steps.request(bond=bond, kind=kind, target=target, generation=story.generation, now=now)
        for kind, target in [*wanted, (Kind.REBUILD, 0)]
    ]
    go_on(bond, now=now)
    return requested


@transaction.atomic
def retry(*, step: StoryStep, now: datetime) -> bool:
    """Try a failed or cancelled step again. Returns whether it was one."""
    sessions.lock_bond(step.bond)
    step.refresh_from_db()
    is_tried = steps.retry(step, now=now)
    if is_tried:
        go_on(step.bond, now=now)
    return is_tried


@transaction.atomic
def retry_all(*, bond: Bond, now: datetime) -> int:
    """Try all failed steps again. Returns how many."""
    sessions.lock_bond(bond)
    failed = list(StoryStep.objects.for_bond(bond).filter(state=StoryStep.State.FAILED).order_by("id"))
    tried = [steps.retry(step, now=now) for step in failed].count(True)
    if tried:
        go_on(bond, now=now)
    return tried


@transaction.atomic
def cancel(*, step: StoryStep, now: datetime) -> bool:
    """Cancel a step that waits, runs or has failed. Returns whether it did: nothing more of it is written."""
    sessions.lock_bond(step.bond)
    is_cancelled = steps.cancel(step, now=now)
    if is_cancelled:
        go_on(step.bond, now=now)
    return is_cancelled


@transaction.atomic
def set_paused(*, bond: Bond, paused: bool, now: datetime) -> Story:
    """Stop all work on a story before its next call and write, or let it go on."""
    story = settings.change_settings(bond=bond, changes={"paused": paused}, now=now)
    go_on(bond, now=now)
    return story


def request(*, bond: Bond, kind: str, target: int, now: datetime) -> StoryStep:
    sessions.lock_bond(bond)
    story = settings.get_story(bond)
    step = steps.request(bond=bond, kind=kind, target=target, generation=story.generation, now=now)
    go_on(bond, now=now)
    return step


def go_on(bond: Bond, *, now: datetime) -> None:
    """Tell open pages, and let a worker look at what has changed."""
    tidying.announce(bond=bond, now=now)
    waking.wake_now(bond_id=bond.pk, now=now)
