"""A step while a worker does it: what may stop it is looked for before each call and in each write."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from django.db.models import F
from django.utils import timezone

from echovessel import tokens
from memory.consolidation.asking import Asker, StructuredAnswer
from memory.consolidation.run import Clock
from memory.jobs.lease import Lease
from memory.models import Story, StoryStep
from memory.storytelling.work import quiet, steps

# So often may a server find an input too long before the step fails.
HALVINGS_MOST = 4


class StepChanged(Exception):
    """What the step was made from has changed meanwhile: its answer is dropped, and it runs again."""


class StepStopped(Exception):
    """The step was cancelled, or its generation is over: nothing more is written."""


class StepDelayed(Exception):
    """No model may be asked now: somebody talks, or the story is paused. The step waits, uncounted."""


@dataclass(kw_only=True)
class RunningStep:
    """A step with the lease of its story.

    Whoever does the work asks through `StepAsker`, and writes within `transaction`.
    """

    row: StoryStep
    held: Lease[Story]
    quiet_for: quiet.Quiet
    clock: Clock = timezone.now
    # How often the server found the input too long.
    halvings: int = field(default=0)

    def is_by_rules(self, source_hash: str) -> bool:
        """Whether rules do the work of this hash, as the model has failed for good."""
        return self.row.source_hash == steps.hash_for_rules(source_hash)

    def shrink(self, limit: int) -> int:
        """Return a limit of the input, halved for each time that the server found it too long."""
        return limit >> self.halvings

    def check_call(self) -> None:
        """Renew the lease before a call. Raises LeaseLost, StepStopped, StepDelayed."""
        now = self.clock()
        self.held.renew(now)
        self._check(Story.objects.get(pk=self.held.row.pk))
        if not self.quiet_for.is_over(bond_id=self.held.row.bond_id, now=now):
            raise StepDelayed

    @contextmanager
    def transaction(self, *, is_last: bool = True) -> Iterator[Story]:
        """Open a transaction under the bond's lock in which the step may write. The last one of a step also ends it.

        Raises LeaseLost, StepStopped or StepDelayed before anything is written. Raise StepChanged in it where something that was
        read has changed.
        """
        with self.held.transaction() as story:
            self._check(story)
            yield story
            if is_last:
                steps.finish(self.row, now=self.clock())

    def _check(self, story: Story) -> None:
        state = StoryStep.objects.filter(pk=self.row.pk).values_list("state", flat=True).first()
        if state != StoryStep.State.RUNNING or story.generation != self.row.generation:
            raise StepStopped
        if story.paused or not story.enabled:
            raise StepDelayed

    def spend(self, *, tokens_in: int, tokens_out: int = 0) -> None:
        StoryStep.objects.filter(pk=self.row.pk).update(
            tokens_in=F("tokens_in") + tokens_in, tokens_out=F("tokens_out") + tokens_out
        )


@dataclass(frozen=True, kw_only=True)
class StepAsker(Asker):
    """Asks for a step, and counts its tokens. A failed call reports none: the estimate stands until an answer replaces it."""

    step: RunningStep

    def ask(self, prompt: str, **more: Any) -> StructuredAnswer:
        estimated = 0 if self.llm.offline else tokens.estimate(prompt)
        self.step.check_call()
        self.step.spend(tokens_in=estimated)
        answer = super().ask(prompt, **more)
        self.step.spend(tokens_in=answer.tokens_in - estimated, tokens_out=answer.tokens_out)
        return answer
