"""The worker of a bond's story: does what is due, step by step, for a minute; then other work has its turn.

Nothing of a step is lost or done twice: what is due is computed from rows, the last write of a step ends it in the same transaction,
and each write checks the lease. A worker may be killed between any two statements; the next one goes on from there.
"""

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from django.conf import settings
from django.db.models import Exists, Min, OuterRef
from django.utils import timezone

from echovessel.embeddings.embedding import EmbeddingError
from echovessel.llm.errors import LLMError, ModelTimeoutError, ModelUnavailableError, TooLongError
from echovessel.llm.protocol import LLM, Origin
from memory.consolidation.run import ATTEMPTS_MOST, MAX_RESTARTS, Clock
from memory.jobs.lease import Lease, LeaseLost, claim_story
from memory.jobs.queue import enqueue
from memory.models import Message, Scene, Story, StoryStep
from memory.storytelling.work import quiet, spending, steps, tidying
from memory.storytelling.work.due import find_due
from memory.storytelling.work.running import (
    HALVINGS_MOST,
    RunningStep,
    StepAsker,
    StepChanged,
    StepDelayed,
    StepStopped,
)
from memory.storytelling.work.step_handlers import STEP_HANDLERS, StepHandlers
from memory.storytelling.work.steps import Work
from personas.models import Bond

# How long one task works.
SLICE = timedelta(seconds=60)
# Until a step is tried again that was done and is still due, or whose lines changed again and again.
STUCK_FOR = timedelta(hours=1)
# Statuses of a server that is there and did not take this one prompt.
ABOUT_PROMPT = ("400", "413", "422")
State = StoryStep.State
logger = logging.getLogger("echovessel.storytelling")


def tell(
    *,
    bond_id: int,
    llm: LLM,
    clock: Clock = timezone.now,
    asker: Callable[..., StepAsker] = StepAsker,
    handlers: StepHandlers = STEP_HANDLERS,
) -> bool:
    """Do what is due on a bond's story for a minute. Returns whether this worker had it: another one may.

    Raises Bond.DoesNotExist.
    """
    if not settings.STORY_ENABLED:
        return False
    held = claim_story(bond_id=bond_id, now=clock())
    if held is None:
        # Another worker has it, or there is none yet.
        Story.objects.get_or_create(bond=Bond.objects.get(pk=bond_id))
        held = claim_story(bond_id=bond_id, now=clock())
    if held is None:
        return False
    worker = StoryWorker(bond=held.row.bond, held=held, llm=llm, clock=clock, asker=asker, handlers=handlers)
    with held.released_on_failure(clock):
        try:
            worker.run()
        except LeaseLost:
            logger.info("the story of bond %s was taken over by another worker", bond_id)
    return True


@dataclass(kw_only=True)
class StoryWorker:
    """One worker's slice."""

    bond: Bond
    held: Lease[Story]
    llm: LLM
    clock: Clock
    asker: Callable[..., StepAsker]
    handlers: StepHandlers
    # What this slice leaves alone: it was done, or its lines change again and again.
    left: set[tuple[str, int, str]] = field(default_factory=set)
    restarts: dict[tuple[str, int], int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.quiet = quiet.get_quiet(has_model=not self.llm.offline)

    def run(self) -> None:
        """Work until nothing is left, the time is over, or nothing can be done now. Raises LeaseLost."""
        until = self.clock() + SLICE
        story = self.take_up()
        if story is None:
            self.release(wake_at=None)
            return
        for prepare in self.handlers.preparations:
            prepare(bond=self.bond, now=self.clock())
        while True:
            todo = self.find_todo()
            work = self.choose(todo)
            if work is None:
                break
            if self.clock() > until:
                self.release(wake_at=self.clock())
                return
            self.do_step(work, waiting=len(todo) - 1)
        self.announce(waiting=len(todo))
        self.release(wake_at=self.find_wake(todo))

    def take_up(self) -> Story | None:
        """Let steps of a worker that died wait again. Returns None where five workers died: then only a new message goes on."""
        with self.held.transaction() as story:
            running = StoryStep.objects.for_bond(self.bond).filter(state=State.RUNNING)
            if story.attempt_count <= ATTEMPTS_MOST:
                running.update(state=State.WAITING)
                return story
            detail = f"It was taken up {ATTEMPTS_MOST} times, and each time the worker ended before it was done."
            for step in running.order_by("id"):
                steps.fail(step, code="interrupted", detail=detail, now=self.clock())
        return None

    def is_at_work(self) -> bool:
        return Story.objects.filter(pk=self.bond.pk, paused=False, enabled=True).exists()

    def find_todo(self) -> list[Work]:
        """Find what is due, in order, and take away what waits or failed and has become needless. Raises LeaseLost."""
        now = self.clock()
        found = find_due(self.bond, now, has_model=not self.llm.offline, finders=self.handlers.finders)
        if found.outdated:
            with self.held.transaction():
                steps.drop_outdated(found.outdated, now=now)
        return found.due

    def choose(self, todo: Sequence[Work]) -> Work | None:
        """Choose the first that may be done now: not while somebody talks, and over the day's tokens only what a person asked for."""
        may_ask = self.llm.offline or self.quiet.is_over(bond_id=self.bond.pk, now=self.clock())
        may_spend = self.llm.offline or not spending.is_spent(self.bond, now=self.clock())
        for work in todo:
            is_asked_for = work.by == StoryStep.By.PERSON
            if not self.is_left(work) and (not work.needs_model or (may_ask and (may_spend or is_asked_for))):
                return work
        return None

    def is_left(self, work: Work) -> bool:
        return work.key in self.left or self.restarts.get((work.kind, work.target), 0) >= MAX_RESTARTS

    def do_step(self, work: Work, *, waiting: int) -> None:
        """Do one step. Raises LeaseLost."""
        with self.held.transaction() as story:
            row = steps.begin(bond=self.bond, work=work, generation=story.generation, now=self.clock())
            self.announce(waiting=waiting)
        step = RunningStep(row=row, held=self.held, quiet_for=self.quiet, clock=self.clock)
        try:
            has_more = self.act(work, step)
        except StepChanged:
            steps.set_back(row)
            place = (work.kind, work.target)
            self.restarts[place] = self.restarts.get(place, 0) + 1
        except StepStopped:
            # One that a person cancelled and asked for again meanwhile waits.
            steps.cancel_rows(StoryStep.objects.filter(pk=row.pk, state=State.RUNNING), now=self.clock())
        except StepDelayed:
            steps.set_back(row)
            if self.is_at_work() and self.quiet.is_over(bond_id=self.bond.pk, now=self.clock()):
                # It waits for something else, so it is not tried again and again.
                self.left.add(work.key)
        except (LLMError, EmbeddingError) as error:
            self.fail(row, error)
        else:
            self.end(row, work, has_more=bool(has_more))

    def act(self, work: Work, step: RunningStep) -> bool | None:
        """Do the work; where its input is too long for the model, with half of it."""
        origin = Origin(user_id=self.bond.user_id, bond_id=self.bond.pk)
        asks = self.asker(llm=self.llm, origin=origin, before_call=step.check_call, step=step)
        while True:
            try:
                return self.handlers.acts[work.kind](
                    bond=self.bond, target=work.target, asker=asks, step=step, now=self.clock()
                )
            except TooLongError:
                step.halvings += 1
                if step.halvings > HALVINGS_MOST:
                    raise

    def end(self, row: StoryStep, work: Work, *, has_more: bool) -> None:
        if has_more:
            steps.set_back(row)
            return
        steps.finish(row, now=self.clock())
        # If it is still due, it would be done again and again.
        self.left.add(work.key)

    def fail(self, row: StoryStep, error: LLMError | EmbeddingError) -> None:
        """Mark a step as failed. A server that is away fails all that would ask it: one call stands for them."""
        code = error.code
        others = self.find_todo() if is_away(error) else []
        with self.held.transaction() as story:
            now = self.clock()
            for work in others:
                if work.needs_model and (work.kind, work.target) != (row.kind, row.target):
                    other = steps.begin(bond=self.bond, work=work, generation=story.generation, now=now)
                    steps.fail(other, code=code, detail=str(error), now=now)
            row.refresh_from_db()
            if row.state == State.RUNNING:
                steps.fail(row, code=code, detail=str(error), now=now)

    def announce(self, *, waiting: int) -> None:
        tidying.announce(bond=self.bond, waiting=waiting, now=self.clock())

    def find_wake(self, todo: Sequence[Work]) -> datetime | None:
        """Find when something may be due: nobody talks any more, a failed step is tried again, a day begins, a scene falls silent."""
        now = self.clock()
        failed = StoryStep.objects.for_bond(self.bond).filter(state=State.FAILED, next_try_at__gt=now)
        times = [failed.aggregate(at=Min("next_try_at"))["at"], self.find_silence(now)]
        waiting = [work for work in todo if not self.is_left(work)]
        if len(waiting) < len(todo):
            times.append(now + STUCK_FOR)
        if waiting:
            times.append(self.find_next_call(waiting, now=now))
        return min((at for at in times if at is not None), default=None)

    def find_next_call(self, waiting: Sequence[Work], *, now: datetime) -> datetime:
        if all(work.by == StoryStep.By.JOB for work in waiting) and spending.is_spent(self.bond, now=now):
            return self.bond.user.get_midnight(now, days_on=1)
        return self.quiet.find_end(bond_id=self.bond.pk, now=now) or now

    def find_silence(self, now: datetime) -> datetime | None:
        """Find when the open scene will have been silent for long."""
        is_ended = Exists(Scene.objects.filter(bond=self.bond, last_message_id__gte=OuterRef("pk")))
        said = Message.objects.filter(bond=self.bond).order_by("-id").values_list("created_at", is_ended)
        newest = said.first()
        if newest is None or newest[1]:
            return None
        end: datetime = newest[0] + settings.SCENE_GAP
        return end if end > now else None

    def release(self, *, wake_at: datetime | None) -> None:
        """Give the story back; what woke it meanwhile, or is due at once, is queued."""
        now = self.clock()
        with self.held.transaction() as story:
            story.wake_at = min((at for at in (story.wake_at, wake_at) if at is not None), default=None)
            story.release()
            story.save()
            if story.wake_at is not None and story.wake_at <= now:
                enqueue("memory.tasks.tell", story.pk)


def is_away(error: LLMError | EmbeddingError) -> bool:
    """Whether the next call would fail as this one did: the server is away or refuses the key; it is not about this prompt."""
    if not isinstance(error, ModelUnavailableError | ModelTimeoutError):
        return isinstance(error, EmbeddingError)
    return error.transient or not error.answered.startswith(ABOUT_PROMPT)
