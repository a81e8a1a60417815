from django.contrib.postgres.fields import ArrayField
from django.core.validators import MaxValueValidator
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from echovessel.models import NamedRow, require_known
from memory.models.leased import LeasedModel, build_lease_constraint
from memory.models.story.made_by import MadeBy
from personas.models import Bond, BondRowQuerySet


class Story(LeasedModel):
    """A bond's running recap: which version is current, how it is made, and who works on it."""

    class LimitKind(models.TextChoices):
        PERCENT = "percent", _("percent of the model's window")
        ABSOLUTE = "absolute", _("tokens")

    bond = models.OneToOneField(Bond, on_delete=models.CASCADE, primary_key=True, related_name="story")
    current = models.ForeignKey(
        "memory.StoryVersion", null=True, blank=True, on_delete=models.SET_NULL, db_index=False, related_name="+"
    )
    # Running work of an earlier generation writes nothing.
    generation = models.PositiveIntegerField(default=0)
    # The last message at which the detector looked for a break.
    scanned_to = models.BigIntegerField(default=0)
    paused = models.BooleanField(default=False)
    enabled = models.BooleanField(default=True)
    keep_scenes = models.PositiveSmallIntegerField(default=2, validators=[MaxValueValidator(10)])
    exclude_latest = models.PositiveSmallIntegerField(default=1, validators=[MaxValueValidator(5)])
    recap_limit = models.PositiveIntegerField(default=10)
    recap_limit_kind = models.CharField(max_length=16, choices=LimitKind, default=LimitKind.PERCENT)
    recap_user = models.BooleanField(default=True)
    recap_persona = models.BooleanField(default=True)
    recap_min_tokens = models.PositiveIntegerField(default=8)
    # When there may be something to do; empty where nothing is until somebody talks or acts.
    wake_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name = _("story")
        verbose_name_plural = _("stories")
        constraints = [
            models.CheckConstraint(condition=Q(keep_scenes__lte=10), name="story_keep_scenes_at_most"),
            models.CheckConstraint(condition=Q(exclude_latest__lte=5), name="story_exclude_latest_at_most"),
            require_known("story_limit_kind_known", recap_limit_kind=["percent", "absolute"]),
            build_lease_constraint("story_lease_whole"),
        ]
        indexes = [
            # For the scanner, which reads all bonds.
            models.Index(fields=["wake_at"], condition=Q(wake_at__isnull=False), name="story_wake"),
            models.Index(fields=["lease_until"], condition=Q(lease_until__isnull=False), name="story_leased"),
        ]

    def __str__(self) -> str:
        return f"story of bond {self.pk}"


class StoryVersionQuerySet(BondRowQuerySet["StoryVersion"]):
    def not_deleted(self) -> "StoryVersionQuerySet":
        return self.filter(deleted_at=None)

    def without_links(self) -> "StoryVersionQuerySet":
        """Exclude the hidden versions of a rebuild that is not done."""
        return self.filter(chain=None)

    def for_serializer(self) -> "StoryVersionQuerySet":
        is_current = models.Exists(Story.objects.filter(current=models.OuterRef("pk")))
        return self.select_related("base").annotate(is_current=is_current)


class StoryVersion(NamedRow):
    bond = models.ForeignKey(Bond, on_delete=models.CASCADE, related_name="story_versions")
    # From 1 within its bond.
    number = models.PositiveIntegerField()
    # Objects with id, part, label, text, scenes, by and weight; see `memory.story.versions.points`.
    points = models.JSONField(default=list, blank=True)
    token_count = models.PositiveIntegerField(default=0)
    # How many scenes it tells, and how many closed ones it leaves out for now.
    scene_count = models.PositiveIntegerField(default=0)
    excluded_count = models.PositiveIntegerField(default=0)
    # The ids of the first and the last scene that it tells.
    from_scene = models.BigIntegerField(null=True, blank=True)
    to_scene = models.BigIntegerField(null=True, blank=True)
    # The ids of scenes up to `to_scene` that were withdrawn, as they held what was forgotten, and are to be told anew.
    untold = ArrayField(models.BigIntegerField(), default=list, blank=True)
    # The ids of the recaps it was made from, by scene: another recap is told anew.
    recaps = models.JSONField(default=dict, blank=True)
    # The version it was made from.
    base = models.ForeignKey("self", null=True, blank=True, on_delete=models.SET_NULL, related_name="+")
    # The rebuild that it is a hidden link of.
    chain = models.UUIDField(null=True, blank=True)
    made_by = models.CharField(max_length=16, choices=MadeBy)
    pinned = models.BooleanField(default=False)
    created_at = models.DateTimeField()
    deleted_at = models.DateTimeField(null=True, blank=True)

    objects = StoryVersionQuerySet.as_manager()

    class Meta:
        verbose_name = _("version of the story")
        verbose_name_plural = _("versions of the story")
        constraints = [
            models.UniqueConstraint(fields=["bond", "number"], name="story_version_number_once"),
            require_known("story_version_made_by_known", made_by=["model", "rules", "person", "import"]),
        ]
