from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.utils.translation import gettext_lazy as _

from echovessel.models import NamedRow, require_known
from memory.models.messages import Message
from memory.models.story.made_by import MadeBy
from memory.models.story.scenes import Scene
from personas.models import Bond, BondRowQuerySet


class SceneRecap(NamedRow):
    """One version of what happened in a scene; `Scene.recap` is the chosen one."""

    bond = models.ForeignKey(Bond, on_delete=models.CASCADE, related_name="scene_recaps")
    scene = models.ForeignKey(Scene, on_delete=models.CASCADE, related_name="recaps")
    # From 1 within its scene.
    n = models.PositiveIntegerField()
    # title, outcomes, open, state, quotes, entities: see `memory.story.recaps.content`.
    content = models.JSONField(default=dict)
    # Of the texts it was made of: with another hash it is outdated.
    source_hash = models.CharField(max_length=64)
    made_by = models.CharField(max_length=16, choices=MadeBy)
    # The name of the model, if one made it.
    model = models.CharField(max_length=200, blank=True)
    # When its remarks were written on the cards of people and things.
    carded_at = models.DateTimeField(null=True, blank=True)
    created_at = models.DateTimeField()

    objects = BondRowQuerySet["SceneRecap"].as_manager()

    class Meta:
        verbose_name = _("scene recap")
        verbose_name_plural = _("scene recaps")
        constraints = [
            models.UniqueConstraint(fields=["scene", "n"], name="scene_recap_number_once"),
            require_known("scene_recap_made_by_known", made_by=["model", "rules", "person", "import"]),
        ]
        indexes = [models.Index(fields=["bond"], name="scene_recap_bond")]


class LineRecap(NamedRow):
    """What one message says, in short: told where the message has left the window and its scene is not told yet.

    Each variant of a reply is a message, so each has its own.
    """

    class Status(models.TextChoices):
        OK = "ok", _("ready")
        FAILED = "failed", _("failed")
        OUTDATED = "outdated", _("outdated")

    bond = models.ForeignKey(Bond, on_delete=models.CASCADE, related_name="line_recaps")
    message = models.OneToOneField(Message, on_delete=models.CASCADE, related_name="recap")
    text = models.TextField(blank=True)
    # The ids of the messages that were shown: itself, and those before it.
    sources = ArrayField(models.BigIntegerField(), default=list)
    source_hash = models.CharField(max_length=64)
    status = models.CharField(max_length=16, choices=Status, default=Status.OK)
    made_by = models.CharField(max_length=16, choices=MadeBy)
    created_at = models.DateTimeField()

    objects = BondRowQuerySet["LineRecap"].as_manager()

    class Meta:
        verbose_name = _("message recap")
        verbose_name_plural = _("message recaps")
        constraints = [
            require_known("line_recap_status_known", status=["ok", "failed", "outdated"]),
            require_known("line_recap_made_by_known", made_by=["model", "rules", "person", "import"]),
        ]
        indexes = [models.Index(fields=["bond", "-message"], name="line_recap_bond_newest")]
