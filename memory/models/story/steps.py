from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from echovessel.models import require_known
from personas.models import Bond, BondRowQuerySet


class StoryStepQuerySet(BondRowQuerySet["StoryStep"]):
    def unfinished(self) -> "StoryStepQuerySet":
        return self.filter(state__in=[StoryStep.State.WAITING, StoryStep.State.RUNNING])


class StoryStep(models.Model):
    """One piece of work on a story, written as it begins or is asked for. It holds no text of a person."""

    class Kind(models.TextChoices):
        CARDS = "cards", _("notes on people and things")
        COMPACT = "compact", _("shorten the story")
        MERGE = "merge", _("add scenes to the story")
        SCENE_RECAP = "scene_recap", _("recap a scene")
        LINE_RECAPS = "line_recaps", _("recap messages")
        DETECT = "detect", _("look for the end of a scene")
        REBUILD = "rebuild", _("tell the story anew")

    class State(models.TextChoices):
        WAITING = "waiting", _("waiting")
        RUNNING = "running", _("running")
        DONE = "done", _("done")
        FAILED = "failed", _("failed")
        CANCELLED = "cancelled", _("cancelled")

    class By(models.TextChoices):
        JOB = "job", _("by itself")
        PERSON = "person", _("asked for")

    bond = models.ForeignKey(Bond, on_delete=models.CASCADE, related_name="story_steps")
    kind = models.CharField(max_length=16, choices=Kind)
    # The id of what it is about: a scene, an entity, a message; 0 for the story as a whole.
    target = models.BigIntegerField(default=0)
    # Of what it is made from: the same kind, target and hash are worked on once.
    source_hash = models.CharField(max_length=64, blank=True)
    generation = models.PositiveIntegerField(default=0)
    state = models.CharField(max_length=16, choices=State, default=State.WAITING)
    by = models.CharField(max_length=16, choices=By, default=By.JOB)
    attempts = models.PositiveSmallIntegerField(default=0)
    # The code of a failure, and its sentence.
    error = models.CharField(max_length=32, blank=True)
    detail = models.CharField(max_length=500, blank=True)
    tokens_in = models.PositiveIntegerField(default=0)
    tokens_out = models.PositiveIntegerField(default=0)
    # Empty when only a person retries.
    next_try_at = models.DateTimeField(null=True, blank=True)
    created_at = models.DateTimeField()
    ended_at = models.DateTimeField(null=True, blank=True)

    objects = StoryStepQuerySet.as_manager()

    class Meta:
        verbose_name = _("story step")
        verbose_name_plural = _("story steps")
        constraints = [
            models.UniqueConstraint(
                fields=["bond", "kind", "target"],
                condition=Q(state__in=["waiting", "running"]),
                name="story_step_one_unfinished",
            ),
            require_known(
                "story_step_kind_known",
                kind=["cards", "compact", "merge", "scene_recap", "line_recaps", "detect", "rebuild"],
            ),
            require_known("story_step_state_known", state=["waiting", "running", "done", "failed", "cancelled"]),
        ]
        indexes = [
            models.Index(fields=["bond", "-id"], name="story_step_bond_newest"),
            # For the nightly clean-up, which reads all bonds.
            models.Index(fields=["ended_at"], condition=Q(ended_at__isnull=False), name="story_step_ended"),
        ]

    def __str__(self) -> str:
        return f"{self._meta.verbose_name} {self.pk}: {self.get_kind_display()}, {self.get_state_display()}"
