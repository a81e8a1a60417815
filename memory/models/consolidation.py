import re
from datetime import datetime

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from echovessel.models import NamedRow, require_known
from memory.models.leased import LEASE, filter_expired
from memory.models.sessions import Session
from personas.models import Bond


class ConsolidationStep(models.Model):
    """One phase of a consolidation: its result and reason, with the model's raw answer."""

    class Phase(models.TextChoices):
        GATE = "gate", _("gate")
        EXTRACTION = "extraction", _("extraction")
        ENTITIES = "entities", _("entities")
        MOOD = "mood", _("mood")
        SUMMARY = "summary", _("summary")
        REFLECTION = "reflection", _("reflection")

    class Outcome(models.TextChoices):
        DONE = "done", _("done")
        SKIPPED = "skipped", _("skipped")
        EMPTY = "empty", _("empty")
        FAILED = "failed", _("failed")

    session = models.ForeignKey(Session, on_delete=models.CASCADE, related_name="steps")
    # The last message the phase read; it identifies the step with session and phase.
    last_message_id = models.BigIntegerField()
    # The last part, from 1, of a message too long for one call; 0 for a whole message.
    part = models.PositiveSmallIntegerField(default=0)
    phase = models.CharField(max_length=16, choices=Phase)
    outcome = models.CharField(max_length=16, choices=Outcome)
    reason = models.CharField(max_length=200, blank=True)
    # For an extraction: message ids by their numbers in the prompt, and the uncertain pair it offered.
    lines = models.JSONField(default=dict, blank=True)
    pair = models.ForeignKey("Entity", null=True, blank=True, on_delete=models.SET_NULL, related_name="+")
    # Later phases use the raw answer, so that a retry needs no second call.
    answer = models.TextField(blank=True)
    notes = models.TextField(blank=True)
    offline = models.BooleanField(default=False)
    tokens_in = models.PositiveIntegerField(default=0)
    tokens_out = models.PositiveIntegerField(default=0)
    duration_ms = models.PositiveIntegerField(default=0)
    error = models.CharField(max_length=500, blank=True)
    created_at = models.DateTimeField()

    class Meta:
        verbose_name = _("consolidation step")
        verbose_name_plural = _("consolidation steps")
        constraints = [
            models.UniqueConstraint(fields=["session", "last_message_id", "part", "phase"], name="step_once"),
            require_known("step_outcome_known", outcome=["done", "skipped", "empty", "failed"]),
        ]

    def __str__(self) -> str:
        return f"{self._meta.verbose_name} {self.pk}: {self.get_phase_display()}, {self.get_outcome_display()}"


class ReflectionRun(models.Model):
    """A reflection; the gate counts these, not their thoughts."""

    class Trigger(models.TextChoices):
        SHOCK = "shock", _("shock")
        TIMER = "timer", _("timer")

    bond = models.ForeignKey(Bond, on_delete=models.CASCADE, related_name="reflection_runs")
    session = models.ForeignKey(Session, null=True, on_delete=models.SET_NULL, related_name="+")
    trigger = models.CharField(max_length=16, choices=Trigger)
    thoughts_count = models.PositiveSmallIntegerField(default=0)
    created_at = models.DateTimeField()

    class Meta:
        verbose_name = _("reflection run")
        verbose_name_plural = _("reflection runs")
        indexes = [models.Index(fields=["bond", "-created_at"], name="reflection_bond_newest")]

    def __str__(self) -> str:
        return f"{self._meta.verbose_name} {self.pk}: {self.get_trigger_display()}"


_OWNERS = re.compile(r"(?<=<who_you_are>).*?(?=</who_you_are>)", re.DOTALL)


class SlowTickQuerySet(models.QuerySet["SlowTickRun"]):
    def ticks(self) -> "SlowTickQuerySet":
        """Exclude sweeps of facts, which the gate of slow ticks does not count."""
        return self.exclude(trigger=SlowTickRun.Trigger.SWEEP)

    def succeeded(self) -> "SlowTickQuerySet":
        return self.ticks().filter(outcome__in=[SlowTickRun.Outcome.DONE, SlowTickRun.Outcome.EMPTY])

    def running(self) -> "SlowTickQuerySet":
        return self.filter(outcome=SlowTickRun.Outcome.RUNNING)

    def dead(self, now: datetime) -> "SlowTickQuerySet":
        """Filter running ones whose lease ran out."""
        return self.running().filter(filter_expired("lease_until", now=now, most=LEASE))


class SlowTickRun(models.Model):
    """A slow tick: its input and its answer. While it runs it claims its bond. Kept for 14 days, a bond's last one until the next."""

    class Trigger(models.TextChoices):
        INTERVAL = "interval", _("interval")
        SHOCK = "shock", _("shock")
        CORRECTION = "correction", _("correction")
        # Not a tick: the nightly sweep of facts, which claims its bond alike.
        SWEEP = "sweep", _("sweep")

    class Outcome(models.TextChoices):
        RUNNING = "running", _("running")
        DONE = "done", _("done")
        EMPTY = "empty", _("empty")
        FAILED = "failed", _("failed")

    bond = models.ForeignKey(Bond, on_delete=models.CASCADE, related_name="slow_ticks")
    # The session after which it ran.
    session = models.ForeignKey(Session, null=True, on_delete=models.SET_NULL, related_name="+")
    trigger = models.CharField(max_length=16, choices=Trigger)
    outcome = models.CharField(max_length=16, choices=Outcome, default=Outcome.RUNNING)
    # The day it began in the user's zone; the caps count by it.
    day = models.DateField()
    # The newest event of its input: the next run begins after it.
    last_event_id = models.BigIntegerField(default=0)
    prompt = models.TextField(blank=True)
    answer = models.TextField(blank=True)
    # Open questions for the next run.
    questions = models.JSONField(default=list, blank=True)
    notes = models.TextField(blank=True)
    error = models.CharField(max_length=500, blank=True)
    tokens_in = models.PositiveIntegerField(default=0)
    tokens_out = models.PositiveIntegerField(default=0)
    created_at = models.DateTimeField()
    # No other run of the bond begins before; a run still running after it was killed.
    lease_until = models.DateTimeField()
    finished_at = models.DateTimeField(null=True, blank=True)

    objects = SlowTickQuerySet.as_manager()

    class Meta:
        verbose_name = _("slow tick")
        verbose_name_plural = _("slow ticks")
        constraints = [
            models.UniqueConstraint(fields=["bond"], condition=Q(outcome="running"), name="slow_tick_one_at_a_time"),
            require_known("slow_tick_outcome_known", outcome=["running", "done", "empty", "failed"]),
        ]
        indexes = [models.Index(fields=["bond", "-created_at"], name="slow_tick_bond_newest")]

    def __str__(self) -> str:
        return f"{self._meta.verbose_name} {self.pk}: {self.get_outcome_display()}"

    @property
    def shown_prompt(self) -> str:
        """The prompt as its user may read it: what the owner of a shared companion wrote is the owner's alone."""
        if self.bond.persona.owner_id == self.bond.user_id:
            return self.prompt
        return _OWNERS.sub("", self.prompt)


class MoodChangeQuerySet(models.QuerySet["MoodChange"]):
    def for_bond(self, bond: Bond) -> "MoodChangeQuerySet":
        """Exclude forgotten sessions."""
        return self.filter(Q(session=None) | Q(session__deleted_at=None), bond=bond)


class MoodChange(NamedRow):
    """A mood of the persona, for the chart."""

    bond = models.ForeignKey(Bond, on_delete=models.CASCADE, related_name="mood_changes")
    session = models.ForeignKey(Session, null=True, on_delete=models.CASCADE, related_name="mood_changes")
    mood = models.CharField(max_length=60)
    energy = models.PositiveSmallIntegerField()
    last_user_signal = models.CharField(max_length=16, null=True, blank=True)  # noqa: DJ001 - as on the bond
    created_at = models.DateTimeField()

    objects = MoodChangeQuerySet.as_manager()

    class Meta:
        verbose_name = _("change of mood")
        verbose_name_plural = _("changes of mood")
        constraints = [models.CheckConstraint(condition=Q(energy__range=(0, 10)), name="mood_energy_0_to_10")]
        indexes = [models.Index(fields=["bond", "-created_at"], name="mood_bond_newest")]
