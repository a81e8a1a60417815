"""How the work on a story stands: what waits, runs and failed, as pages show it."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db import models
from django.utils.translation import gettext_lazy as _

from echovessel import events
from echovessel.llm import connection
from memory.models import Story, StoryStep
from memory.storytelling.work import quiet, spending
from memory.storytelling.work.due import find_due
from memory.storytelling.work.step_handlers import STEP_HANDLERS
from personas.models import Bond

State, By = StoryStep.State, StoryStep.By


class Hold(models.TextChoices):
    """Why what is due is not begun."""

    QUIET = "quiet", _("It goes on once the chat is quiet.")
    TOKENS = "tokens", _("Today’s tokens for tidying are used up. It goes on tomorrow.")


@dataclass(frozen=True, kw_only=True)
class Tidying:
    """`waiting` is what is due, in order, without what runs; what is no step yet is not stored. The others are newest first.

    `hold` is why those that ask a model wait, but for what a person asked for in a day without tokens.
    """

    waiting: Sequence[StoryStep]
    running: Sequence[StoryStep]
    failed: Sequence[StoryStep]
    paused: bool
    hold: str = ""

    @property
    def count(self) -> int:
        return len(self.waiting) + len(self.running)


def load(*, bond: Bond, now: datetime) -> Tidying:
    """Load how the work on a bond's story stands."""
    has_model = connection.get_active() is not None
    waiting, running, failed = load_rows(bond)
    known = {(step.kind, step.target): step for step in waiting}
    busy = {(step.kind, step.target) for step in running}
    due = find_due(bond, now, has_model=has_model, finders=STEP_HANDLERS.finders).due
    due = [work for work in due if (work.kind, work.target) not in busy]
    return Tidying(
        waiting=[known.get((work.kind, work.target)) or work.build_step(bond) for work in due],
        running=running,
        failed=failed,
        paused=Story.objects.filter(pk=bond.pk, paused=True).exists(),
        hold=find_hold(bond, now) if has_model and any(work.needs_model for work in due) else "",
    )


def find_hold(bond: Bond, now: datetime) -> str:
    if not quiet.get_quiet(has_model=True).is_over(bond_id=bond.pk, now=now):
        return Hold.QUIET
    return Hold.TOKENS if spending.is_spent(bond, now=now) else ""


def load_rows(bond: Bond) -> tuple[list[StoryStep], list[StoryStep], list[StoryStep]]:
    """Load the steps that wait, run and have failed."""
    shown = (State.WAITING, State.RUNNING, State.FAILED)
    rows = list(StoryStep.objects.for_bond(bond).filter(state__in=shown).order_by("-id"))
    waiting, running, failed = ([step for step in rows if step.state == state] for state in shown)
    return waiting, running, failed


def announce(*, bond: Bond, now: datetime, waiting: int | None = None) -> None:
    """Tell open pages how the work stands. `waiting` is how much is due besides what runs, where that is known."""
    if waiting is None:
        waiting = len(load(bond=bond, now=now).waiting)
    _waiting, running, failed = load_rows(bond)
    paused = Story.objects.filter(pk=bond.pk, paused=True).exists()
    refs = {"waiting": waiting, "running": len(running), "failed": len(failed), "paused": paused}
    events.record(bond_id=bond.pk, type="memory.tidying.updated", refs=refs, now=now)
