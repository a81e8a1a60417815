"""How the work on a story stands: what waits, runs and failed, as pages show it."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from echovessel import events
from echovessel.llm import connection
from memory.models import Story, StoryStep
from memory.storytelling.work.due import find_due
from memory.storytelling.work.step_handlers import STEP_HANDLERS
from memory.storytelling.work.steps import Work
from personas.models import Bond

State = StoryStep.State


@dataclass(frozen=True, kw_only=True)
class Tidying:
    """`waiting` is what is due, in order, without what runs; steps are newest first."""

    waiting: Sequence[Work]
    running: Sequence[StoryStep]
    failed: Sequence[StoryStep]
    paused: bool

    @property
    def count(self) -> int:
        return len(self.waiting) + len(self.running)


def load(*, bond: Bond, now: datetime) -> Tidying:
    """Load how the work on a bond's story stands."""
    has_model = connection.get_active() is not None
    running, failed = load_rows(bond)
    busy = {(step.kind, step.target) for step in running}
    due = find_due(bond, now, has_model=has_model, finders=STEP_HANDLERS.finders).due
    return Tidying(
        waiting=[work for work in due if (work.kind, work.target) not in busy],
        running=running,
        failed=failed,
        paused=Story.objects.filter(pk=bond.pk, paused=True).exists(),
    )


def load_rows(bond: Bond) -> tuple[list[StoryStep], list[StoryStep]]:
    rows = StoryStep.objects.for_bond(bond).filter(state__in=[State.RUNNING, State.FAILED]).order_by("-id")
    running = [step for step in rows if step.state == State.RUNNING]
    return running, [step for step in rows if step.state == State.FAILED]


def announce(*, bond: Bond, now: datetime, waiting: int | None = None) -> None:
    """Tell open pages how the work stands. `waiting` is how much is due besides what runs, where that is known."""
    if waiting is None:
        waiting = len(load(bond=bond, now=now).waiting)
    running, failed = load_rows(bond)
    paused = Story.objects.filter(pk=bond.pk, paused=True).exists()
    refs = {"waiting": waiting, "running": len(running), "failed": len(failed), "paused": paused}
    events.record(bond_id=bond.pk, type="memory.tidying.updated", refs=refs, now=now)
