"""The rows of work on a story: begun, ended, asked for, cancelled, tried again.

What can be done is computed from the other rows (`memory.storytelling.work.due`); a step is written as its work begins or is asked
for, so that people see it, stop it, and find it failed. The caller of each function here has locked the bond.
"""

from collections.abc import Collection
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from hashlib import sha256

from django.db.models import Q, QuerySet

from memory.models import StoryStep
from memory.models.leased import RETRY_AFTER
from personas.models import Bond

KEPT_FOR = timedelta(days=14)
# The code of a step that was cancelled because it would write what is out of date: no person cancelled it.
SUPERSEDED = "superseded"
State = StoryStep.State
By = StoryStep.By


@dataclass(frozen=True, kw_only=True)
class Work:
    """A piece of work that can be done now. `source_hash` is of what it reads; `since` is when it came to be due."""

    kind: str
    target: int = 0
    source_hash: str = ""
    by: str = By.JOB
    since: datetime
    needs_model: bool = True
    # Whether it does more at once when what it needs of others is done first.
    can_grow: bool = False

    @property
    def key(self) -> tuple[str, int, str]:
        return self.kind, self.target, self.source_hash

    @property
    def by_rules(self) -> "Work":
        """The same work once the model has failed for good: a step of its own, which rules do."""
        return replace(self, source_hash=hash_for_rules(self.source_hash), needs_model=False, can_grow=False)

    def build_step(self, bond: Bond) -> StoryStep:
        """Build its row, as it is shown before it is written."""
        about = {"kind": self.kind, "target": self.target, "source_hash": self.source_hash}
        return StoryStep(bond=bond, by=self.by, created_at=self.since, **about)


def hash_for_rules(source_hash: str) -> str:
    return sha256(f"{source_hash} rules".encode()).hexdigest()


def begin(*, bond: Bond, work: Work, generation: int, now: datetime) -> StoryStep:
    """Mark the work as running. The row of the same kind, target and hash is taken up again; those of another hash are cancelled."""
    same = StoryStep.objects.for_bond(bond).filter(kind=work.kind, target=work.target)
    step = find_open(same, source_hash=work.source_hash, by=work.by)
    cancel_rows(same if step is None else same.exclude(pk=step.pk), now=now)
    if step is None:
        step = StoryStep(bond=bond, kind=work.kind, target=work.target, by=work.by, created_at=now)
    step.source_hash = work.source_hash
    step.generation = generation
    step.state = State.RUNNING
    step.next_try_at = None
    step.ended_at = None
    step.save()
    return step


def find_open(same: QuerySet[StoryStep], *, source_hash: str, by: str) -> StoryStep | None:
    """Find the step that waits, runs or has failed: with this hash, or asked for without one."""
    known = Q(source_hash=source_hash)
    if by == By.PERSON:
        known |= Q(source_hash="", by=By.PERSON)
    return same.filter(known, state__in=[State.WAITING, State.RUNNING, State.FAILED]).order_by("-id").first()


def finish(step: StoryStep, *, now: datetime) -> None:
    StoryStep.objects.filter(pk=step.pk, state=State.RUNNING).update(
        state=State.DONE, ended_at=now, error="", detail="", next_try_at=None
    )


def set_back(step: StoryStep) -> None:
    """Let a running step wait again, uncounted: it could not go on now."""
    StoryStep.objects.filter(pk=step.pk, state=State.RUNNING).update(state=State.WAITING)


def fail(step: StoryStep, *, code: str, detail: str, now: datetime) -> None:
    """Mark a step as failed, with the time of the next try: after 1, 6 and 24 hours, then only by hand."""
    waits = RETRY_AFTER[step.attempts : step.attempts + 1]
    step.state = State.FAILED
    step.attempts += 1
    step.error = code
    step.detail = detail[:500]
    step.next_try_at = now + waits[0] if waits else None
    step.ended_at = now
    step.save(update_fields=["state", "attempts", "error", "detail", "next_try_at", "ended_at"])


def request(*, bond: Bond, kind: str, target: int = 0, generation: int, now: datetime) -> StoryStep:
    """Write down that a person wants this done: it comes first, and its day's tokens do not hold it up."""
    rows = StoryStep.objects.for_bond(bond).filter(kind=kind, target=target)
    step = rows.unfinished().first() or StoryStep(bond=bond, kind=kind, target=target, created_at=now)
    if step.state == State.RUNNING and step.pk:
        return step
    cancel_rows(rows.exclude(pk=step.pk), now=now)
    step.by = By.PERSON
    step.generation = generation
    step.source_hash = ""
    step.save()
    return step


def retry(step: StoryStep, *, now: datetime) -> bool:
    """Let a failed or cancelled step wait again, for a person. Returns whether it was one."""
    if step.state not in (State.FAILED, State.CANCELLED):
        return False
    others = StoryStep.objects.filter(bond=step.bond_id, kind=step.kind, target=step.target).exclude(pk=step.pk)
    cancel_rows(others, now=now)
    step.state = State.WAITING
    step.by = By.PERSON
    step.attempts = 0
    step.source_hash = step.error = step.detail = ""
    step.next_try_at = step.ended_at = None
    step.save()
    return True


def cancel(step: StoryStep, *, now: datetime) -> bool:
    """Cancel a step for a person: it is due again once its lines change. Returns whether it was waiting, running or failed."""
    return bool(cancel_rows(StoryStep.objects.filter(pk=step.pk), now=now, code=""))


def cancel_rows(rows: QuerySet[StoryStep], *, now: datetime, code: str = SUPERSEDED) -> int:
    """Cancel the rows that are not over. Returns how many."""
    open_now = rows.filter(state__in=[State.WAITING, State.RUNNING, State.FAILED])
    return open_now.update(state=State.CANCELLED, error=code, detail="", next_try_at=None, ended_at=now)


def drop_outdated(outdated: Collection[int], *, now: datetime) -> None:
    """Cancel steps that are not to be done any more, unless a person asked for them or they began meanwhile."""
    rows = StoryStep.objects.filter(pk__in=outdated, by=By.JOB, state__in=[State.WAITING, State.FAILED])
    cancel_rows(rows, now=now)


def prune(now: datetime) -> int:
    """Delete steps that ended 14 days ago; failed ones stay until they are tried again. Returns how many."""
    old = StoryStep.objects.filter(ended_at__lt=now - KEPT_FOR, state__in=[State.DONE, State.CANCELLED])
    return old.delete()[0]
